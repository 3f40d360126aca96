//! Builds, tests and measures the engine of the page as WebAssembly.

#[cfg(feature = "bindgen")]
mod bindgen;
#[cfg(feature = "bindgen")]
mod reorder;

use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler::{Compiler, TARGET, variable};
use crate::run::{FULL, cargo, metadata, print_line, succeed};
use crate::tools::Tools;
use anyhow::{Context, Result};

#[cfg(feature = "bindgen")]
pub use bindgen::{BindgenArgs, bind};

/// The folder in which the page looks for the engine, relative to the root of the workspace.
const PAGE: &str = "page/engine";

/// Build the engine of the page as WebAssembly.
#[derive(clap::Args)]
pub struct Args {
    /// Folder for loyd_wasm.js and loyd_wasm_bg.wasm
    #[arg(long, value_name = "DIR", default_value = PAGE)]
    out: PathBuf,
    /// Compare its answers with a native build (needs Node.js)
    #[arg(long, conflicts_with = "out")]
    test: bool,
    /// Time it in Chromium and measure its memory (needs Node.js and npm)
    #[arg(long, conflicts_with = "out")]
    bench: bool,
}

/// Returns the compiler to use.
///
/// # Errors
/// Fails if there is no suitable compiler; the message explains how to install one.
pub fn compiler() -> Result<Compiler> {
    Compiler::find()
}

pub fn run(args: &Args) -> Result<()> {
    make_in(&args.out, "")?;
    if args.test {
        test()?;
    }
    if args.bench {
        bench()?;
    }
    Ok(())
}

/// Builds the engine in the folder in which the page looks for it.
pub fn make() -> Result<()> {
    make_with_flags("")
}

/// Like [`make`], with more flags for the compiler.
pub fn make_with_flags(flags: &str) -> Result<()> {
    make_in(Path::new(PAGE), flags)
}

fn make_in(out: &Path, flags: &str) -> Result<()> {
    let compiler = compiler()?;
    print_line(format_args!("building with {compiler}"));
    let module = build(&compiler, flags)?;
    let made = out.join("loyd_wasm_bg.wasm");
    if !is_newer(&made, &module) {
        fs::create_dir_all(out)?;
        let mut bindgen = cargo(&["run", "--quiet", "--package", "xtask", "--features", "bindgen"]);
        succeed(bindgen.args(["--", "bindgen"]).arg(module).arg(out))?;
    }
    let bytes = fs::metadata(&made)?.len();
    print_line(format_args!("{}: {bytes} bytes", made.display()));
    Ok(())
}

/// Returns whether `file` was written after `than`. Files that are up to date are not written again, because the
/// program, which embeds them, would be rebuilt.
fn is_newer(file: &Path, than: &Path) -> bool {
    let written = |path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    written(file) > written(than)
}

/// Runs the integration test `module`, including the tests that need the engine.
fn test() -> Result<()> {
    let mut command = cargo(&["test", "--workspace", FULL, "--test", "module"]);
    // In the last iteration of IDA*, the order of nodes depends on the instruction set.
    succeed(command.args(["--", "--include-ignored"]).env("LOYD_CPU", "scalar"))
}

/// Runs `page/e2e/wasm.bench.js`.
fn bench() -> Result<()> {
    succeed(Tools::find()?.node().arg("wasm.bench.js"))
}

/// Compiles the crate and returns the path of the module.
fn build(compiler: &Compiler, flags: &str) -> Result<PathBuf> {
    let metadata = metadata()?;
    let target = metadata["target_directory"].as_str().context("no target directory")?;
    // A separate target directory: with another compiler, cargo would compile everything again.
    let folder = Path::new(target).join("wasm");
    let mut command = cargo(&["rustc", "--profile", PROFILE, "--package", "loyd-wasm"]);
    command.args(["--crate-type", "cdylib", "--target", TARGET, "--target-dir"]).arg(&folder);
    compiler.prepare(&mut command);
    succeed(command.env(variable(TARGET, "RUSTFLAGS"), format!("{FLAGS} {flags}").trim_end()))?;
    Ok(folder.join(TARGET).join(PROFILE).join("loyd_wasm.wasm"))
}

const PROFILE: &str = "wasm";

/// Limits the memory to less than 200 MB, whichever search runs. (Vector instructions, `+simd128`, gave no speedup.)
const FLAGS: &str = "-Clink-arg=--max-memory=199950336";
