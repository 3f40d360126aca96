//! Finds compilers for other targets: for WebAssembly one with the standard library or with its sources.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run::find_program;

/// The target without an operating system.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// The compiler of Debian's package `rustc-web`. That of rustup precedes it in `PATH`.
const SYSTEM_RUSTC: &str = "/usr/bin/rustc";

/// The error if there is no compiler, and how to install one.
const MISSING: &str = "no compiler has the standard library of wasm32-unknown-unknown or its sources: \
    `rustup target add wasm32-unknown-unknown`, or on Debian `apt-get update && apt-get install rustc-web rust-web-src`";

/// A compiler for WebAssembly.
pub struct Compiler {
    rustc: OsString,
    version: String,
    library: Library,
}

/// Source of the standard library.
enum Library {
    Installed,
    /// Compiled from its sources, with this linker.
    Compiled {
        linker: PathBuf,
    },
}

impl Compiler {
    /// Finds the first suitable compiler: that of this workspace, or that of the system.
    ///
    /// # Errors
    /// Fails if there is no suitable compiler.
    pub fn find() -> Result<Self> {
        let all = all();
        if let Some(rustc) = first_with_target(&all, TARGET) {
            return Self::of(rustc, Library::Installed);
        }
        let Some(rustc) = all.iter().find(|rustc| has_sources(rustc)) else { bail!(MISSING) };
        let linker = all.iter().find_map(lld);
        let linker = linker.or_else(|| find_program("wasm-ld")).context(
            "no linker for WebAssembly: `apt-get install lld`, or a toolchain of rustup, which includes one",
        )?;
        Self::of(rustc, Library::Compiled { linker })
    }

    fn of(rustc: &OsString, library: Library) -> Result<Self> {
        let version = query(rustc, &["--version"]).context("the compiler has no version")?;
        Ok(Self { rustc: rustc.clone(), version, library })
    }

    /// Makes `command` use this compiler.
    pub fn prepare(&self, command: &mut Command) {
        command.env("RUSTC", &self.rustc);
        if let Library::Compiled { linker } = &self.library {
            // `-Z` options require a nightly compiler or this variable.
            command.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1");
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
    }
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rustc, version) = (self.rustc.display(), &self.version);
        match self.library {
            Library::Installed => write!(f, "{version} ({rustc}), which has {TARGET}"),
            Library::Compiled { .. } => {
                write!(f, "{version} ({rustc}), with the standard library built from source")
            }
        }
    }
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
