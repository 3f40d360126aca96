//! A compiler for WebAssembly: one that has its standard library, or the sources of it.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, iter};

use anyhow::{Context, bail};

use super::TARGET;
use crate::Result;
use crate::run::find_program;

/// Where Debian's package `rustc-web` puts it; rustup's comes before it in PATH.
const OF_THE_SYSTEM: &str = "/usr/bin/rustc";

/// What may be missing, and how to get it.
const MISSING: &str = "no compiler has the standard library of wasm32-unknown-unknown or its sources: \
    `rustup target add wasm32-unknown-unknown`, or on Debian `apt-get update && apt-get install rustc-web rust-web-src`";

/// A compiler and what it has.
pub struct Compiler {
    rustc: OsString,
    version: String,
    library: Library,
}

/// Where the standard library comes from.
enum Library {
    Installed,
    /// From its sources, linked by this program.
    Compiled {
        linker: PathBuf,
    },
}

impl Compiler {
    /// The first that can: the one of this workspace, then that of the system.
    ///
    /// # Errors
    /// When there is none.
    pub fn find() -> Result<Self> {
        let named = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let all: Vec<OsString> = iter::once(named).chain([OF_THE_SYSTEM.into()]).collect();
        if let Some(rustc) = all.iter().find(|rustc| has_target(rustc)) {
            return Self::of(rustc, Library::Installed);
        }
        let Some(rustc) = all.iter().find(|rustc| has_sources(rustc)) else { bail!(MISSING) };
        let linker = all.iter().find_map(lld);
        let linker = linker.or_else(|| find_program("wasm-ld")).context(
            "there is no linker for WebAssembly: `apt-get install lld`, or a toolchain of rustup, which has one",
        )?;
        Self::of(rustc, Library::Compiled { linker })
    }

    fn of(rustc: &OsString, library: Library) -> Result<Self> {
        let version = asked(rustc, &["--version"]).context("the compiler has no version")?;
        Ok(Self { rustc: rustc.clone(), version, library })
    }

    /// Makes cargo use it.
    pub fn prepare(&self, command: &mut Command) {
        command.env("RUSTC", &self.rustc);
        if let Library::Compiled { linker } = &self.library {
            // `-Z` is for nightly compilers, unless one says this.
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
                write!(f, "{version} ({rustc}), and its standard library from sources")
            }
        }
    }
}

/// What a compiler answers, if it is there.
fn asked(rustc: &OsString, arguments: &[&str]) -> Option<String> {
    let output = Command::new(rustc).args(arguments).output().ok()?;
    let answer = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !answer.is_empty()).then_some(answer)
}

/// Whether a compiler has the standard library of the target.
fn has_target(rustc: &OsString) -> bool {
    let library = asked(rustc, &["--print", "target-libdir", "--target", TARGET]);
    library.is_some_and(|library| Path::new(&library).is_dir())
}

fn has_sources(rustc: &OsString) -> bool {
    let root = asked(rustc, &["--print", "sysroot"]);
    root.is_some_and(|root| Path::new(&root).join("lib/rustlib/src/rust/library/std").is_dir())
}

/// The linker that comes with a compiler.
fn lld(rustc: &OsString) -> Option<PathBuf> {
    let folder = PathBuf::from(asked(rustc, &["--print", "target-libdir"])?);
    let linker = folder.parent()?.join("bin").join("rust-lld");
    linker.is_file().then_some(linker)
}
