//! Puts functions of the same name next to each other, so that a module takes fewer bytes when it is compressed.
//!
//! A generic function is compiled for many types, into similar code. The copies lie anywhere in the module, often
//! farther apart than the 32 KB in which gzip looks for repetitions.

use std::convert::Infallible;
use std::mem;

use anyhow::{Context, Result};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionBody, FunctionSectionReader, KnownCustom, Name,
    Parser, Payload, TypeRef,
};

/// Returns the module with its functions sorted by name, and without the names.
pub fn by_name(module: &[u8]) -> Result<Vec<u8>> {
    let mut functions = Functions::read(module)?;
    functions.names.resize(functions.bodies.len(), "");
    let key = |&place: &usize| {
        let body = functions.bodies[place].as_bytes();
        (without_hash(functions.names[place]), body.len(), body)
    };
    let mut order: Vec<usize> = (0..functions.bodies.len()).collect();
    order.sort_by_key(key);
    let mut places = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        places[old] = u32::try_from(new)?;
    }
    let mut reordered = Reordered { imports: functions.imports, order, places };
    let mut encoded = Module::new();
    reordered
        .parse_core_module(&mut encoded, Parser::new(0), module)
        .context("the module cannot be encoded again")?;
    Ok(encoded.finish())
}

/// Returns a mangled name without the hash of its types at the end: `17h`, 16 digits and `E`.
fn without_hash(name: &str) -> &str {
    const HASH: usize = "17h0123456789abcdefE".len();
    let end = name.len().saturating_sub(HASH);
    match name.get(end..) {
        Some(hash) if hash.starts_with("17h") => &name[..end],
        _ => name,
    }
}

/// The functions of a module.
#[derive(Default)]
struct Functions<'a> {
    /// Number of imported functions, whose indices come first.
    imports: u32,
    names: Vec<&'a str>,
    bodies: Vec<FunctionBody<'a>>,
}

impl<'a> Functions<'a> {
    fn read(module: &'a [u8]) -> Result<Self> {
        let mut functions = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let is_function = matches!(import?.ty, TypeRef::Func(_));
                        functions.imports += u32::from(is_function);
                    }
                }
                Payload::CodeSectionEntry(body) => functions.bodies.push(body),
                Payload::CustomSection(section) => functions.read_names(&section)?,
                _ => {}
            }
        }
        Ok(functions)
    }

    fn read_names(&mut self, section: &CustomSectionReader<'a>) -> Result<()> {
        let KnownCustom::Name(names) = section.as_known() else { return Ok(()) };
        for part in names {
            let Name::Function(names) = part? else { continue };
            for naming in names {
                let naming = naming?;
                let Some(place) = naming.index.checked_sub(self.imports) else { continue };
                let place = place as usize;
                self.names.resize(self.names.len().max(place + 1), "");
                self.names[place] = naming.name;
            }
        }
        Ok(())
    }
}

/// Encodes a module again with its functions in another order.
struct Reordered {
    imports: u32,
    /// Old place of each function, imported ones not counted.
    order: Vec<usize>,
    /// New place of each function.
    places: Vec<u32>,
}

impl Reencode for Reordered {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        Ok(match index.checked_sub(self.imports) {
            Some(place) => self.imports + self.places[place as usize],
            None => index,
        })
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for place in 0..self.order.len() {
            functions.function(self.type_index(types[self.order[place]])?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        let order = mem::take(&mut self.order);
        for &place in &order {
            self.parse_function_body(code, bodies[place].clone())?;
        }
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        if matches!(section.as_known(), KnownCustom::Name(_)) {
            return Ok(());
        }
        wasm_encoder::reencode::utils::parse_custom_section(self, module, section)
    }
}
