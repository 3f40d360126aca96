//! Generates the JavaScript bindings of a module.

use std::fs;
use std::path::PathBuf;

use wasm_bindgen_cli_support::Bindgen;

use anyhow::Result;

use super::reorder;

/// Write the JavaScript that loads a module, and the module in the form that it expects.
#[derive(clap::Args)]
pub struct BindgenArgs {
    module: PathBuf,
    out: PathBuf,
}

pub fn bind(args: &BindgenArgs) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&args.module).web(true)?.typescript(false).omit_default_module_path(false);
    // The names are needed to sort the functions, which then removes them.
    bindgen.demangle(false).remove_producers_section(true).generate(&args.out)?;
    let made = args.out.join("loyd_wasm_bg.wasm");
    let module = reorder::by_name(&fs::read(&made)?)?;
    Ok(fs::write(made, module)?)
}
