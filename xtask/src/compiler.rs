//! Finds compilers for other targets: with the target's standard library, or with its sources.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::run::find_program;

/// The target without an operating system.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// The compiler of Debian's package `rustc-web`. That of rustup precedes it in `PATH`.
const SYSTEM_RUSTC: &str = "/usr/bin/rustc";

/// A compiler for a target.
pub struct Compiler {
    rustc: OsString,
    version: String,
    target: &'static str,
    library: Library,
}

/// Source of the standard library.
enum Library {
    Installed,
    /// Compiled from its sources, with this linker if cargo would not find one.
    Compiled {
        linker: Option<PathBuf>,
    },
}

impl Compiler {
    /// Finds the first compiler suitable for WebAssembly: that of this workspace, or that of the system.
    ///
    /// # Errors
    /// Fails if there is no suitable compiler, or no linker.
    pub fn find() -> Result<Self> {
        let mut compiler = Self::for_target(TARGET)?;
        if let Library::Compiled { linker } = &mut compiler.library {
            let found = all().iter().find_map(lld).or_else(|| find_program("wasm-ld"));
            *linker = Some(found.context(
                "no linker for WebAssembly: `apt-get install lld`, or a toolchain of rustup, which includes one",
            )?);
        }
        Ok(compiler)
    }

    /// Finds the first compiler that has the standard library of `target`, or else one that has its sources. The caller
    /// chooses the linker.
    ///
    /// # Errors
    /// Fails if there is no such compiler; the message explains how to install one.
    pub fn for_target(target: &'static str) -> Result<Self> {
        let all = all();
        if let Some(rustc) = first_with_target(&all, target) {
            return Self::of(rustc, target, Library::Installed);
        }
        let rustc = all.iter().find(|rustc| has_sources(rustc)).with_context(|| {
            format!(
                "no compiler has the standard library of {target} or its sources: `rustup target add {target}`, or on \
                 Debian `apt-get update && apt-get install rustc-web rust-web-src`"
            )
        })?;
        Self::of(rustc, target, Library::Compiled { linker: None })
    }

    fn of(rustc: &OsString, target: &'static str, library: Library) -> Result<Self> {
        let version = query(rustc, &["--version"]).context("the compiler has no version")?;
        Ok(Self { rustc: rustc.clone(), version, target, library })
    }

    /// Makes `command` use this compiler.
    pub fn prepare(&self, command: &mut Command) {
        command.env("RUSTC", &self.rustc);
        if let Library::Compiled { linker } = &self.library {
            // WebAssembly cannot unwind; the page's profile aborts.
            let runtime = if self.target == TARGET { "panic_abort" } else { "panic_unwind" };
            // `-Z` options require a nightly compiler or this variable.
            command.arg(format!("-Zbuild-std=std,{runtime}")).env("RUSTC_BOOTSTRAP", "1");
            if let Some(linker) = linker {
                command.env(variable(self.target, "LINKER"), linker);
            }
        }
    }
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rustc, version, target) = (self.rustc.display(), &self.version, self.target);
        match self.library {
            Library::Installed => write!(f, "{version} ({rustc}), which has {target}"),
            Library::Compiled { .. } => {
                write!(f, "{version} ({rustc}), with the standard library built from source")
            }
        }
    }
}

/// Returns the name of the environment variable that sets this key of cargo for a target.
pub fn variable(target: &str, key: &str) -> String {
    format!("CARGO_TARGET_{}_{key}", target.to_uppercase().replace('-', "_"))
}

/// Runs a compiler and returns its output, or `None` if it fails.
fn query(rustc: &OsString, arguments: &[&str]) -> Option<String> {
    let output = Command::new(rustc).args(arguments).output().ok()?;
    let answer = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !answer.is_empty()).then_some(answer)
}

/// Returns the compiler of this workspace and that of the system.
pub fn all() -> [OsString; 2] {
    [env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()), SYSTEM_RUSTC.into()]
}

/// Returns the first compiler that has the standard library of a target.
pub fn first_with_target<'a>(compilers: &'a [OsString], target: &str) -> Option<&'a OsString> {
    compilers.iter().find(|rustc| {
        let library = query(rustc, &["--print", "target-libdir", "--target", target]);
        library.is_some_and(|library| Path::new(&library).is_dir())
    })
}

fn has_sources(rustc: &OsString) -> bool {
    let root = query(rustc, &["--print", "sysroot"]);
    root.is_some_and(|root| Path::new(&root).join("lib/rustlib/src/rust/library/std").is_dir())
}

/// Returns the linker that is installed with a compiler.
fn lld(rustc: &OsString) -> Option<PathBuf> {
    let folder = PathBuf::from(query(rustc, &["--print", "target-libdir"])?);
    let linker = folder.parent()?.join("bin").join("rust-lld");
    linker.is_file().then_some(linker)
}
