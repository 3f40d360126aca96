//! The engine of the page as WebAssembly: building it, testing it, measuring it.

#[cfg(feature = "bindgen")]
mod bindgen;
mod compiler;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::Result;
use crate::run::{cargo, metadata, say, succeed};
use crate::tools::Tools;
use compiler::Compiler;

#[cfg(feature = "bindgen")]
pub use bindgen::{BindgenArgs, bind};

/// Where the page looks for the engine, from the root of the workspace.
const PAGE: &str = "page/engine";

/// The target without a system.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Build the engine of the page as WebAssembly.
#[derive(clap::Args)]
pub struct Args {
    /// Where to put loyd_wasm.js and loyd_wasm_bg.wasm
    #[arg(long, value_name = "DIR", default_value = PAGE)]
    out: PathBuf,
    /// Compare its answers with those of this machine; needs Node.js
    #[arg(long, conflicts_with = "out")]
    test: bool,
    /// Time it in Chromium, and measure its memory; needs Node.js and npm
    #[arg(long, conflicts_with = "out")]
    bench: bool,
}

/// The compiler that would be used.
///
/// # Errors
/// When there is none: what to do about that.
pub fn compiler() -> Result<Compiler> {
    Compiler::find()
}

pub fn run(args: &Args) -> Result<()> {
    make_in(&args.out)?;
    if args.test {
        test()?;
    }
    if args.bench {
        bench()?;
    }
    Ok(())
}

/// Builds the engine where the page looks for it.
pub fn make() -> Result<()> {
    make_in(Path::new(PAGE))
}

fn make_in(out: &Path) -> Result<()> {
    let compiler = compiler()?;
    say(format_args!("building with {compiler}"));
    let module = build(&compiler)?;
    let made = out.join("loyd_wasm_bg.wasm");
    if !is_newer(&made, &module) {
        fs::create_dir_all(out)?;
        let mut bindgen = cargo(&["run", "--quiet", "--package", "xtask", "--features", "bindgen"]);
        succeed(bindgen.args(["--", "bindgen"]).arg(module).arg(out))?;
    }
    let bytes = fs::metadata(&made)?.len();
    say(format_args!("{}: {bytes} bytes", made.display()));
    Ok(())
}

/// Whether a file was written after another one. What is as it was stays, so that the program, which has these files
/// inside, is not built again.
fn is_newer(file: &Path, than: &Path) -> bool {
    let written = |path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    written(file) > written(than)
}

/// Runs the tests that need the module, and those that do not.
fn test() -> Result<()> {
    let mut command = cargo(&["test", "--workspace", "--test", "module"]);
    // In the last iteration of IDA*, the order of nodes depends on the level of instructions.
    succeed(command.args(["--", "--include-ignored"]).env("LOYD_CPU", "scalar"))
}

/// Runs `page/e2e/wasm.bench.js`.
fn bench() -> Result<()> {
    succeed(Tools::find()?.node().arg("wasm.bench.js"))
}

/// Compiles the crate and returns the path of the module.
fn build(compiler: &Compiler) -> Result<PathBuf> {
    let metadata = metadata()?;
    let target = metadata["target_directory"].as_str().context("no target directory")?;
    // A folder of its own: another compiler would make cargo compile everything again.
    let folder = Path::new(target).join("wasm");
    let mut command = cargo(&["rustc", "--profile", PROFILE, "--package", "loyd-wasm"]);
    command.args(["--crate-type", "cdylib", "--target", TARGET, "--target-dir"]).arg(&folder);
    compiler.prepare(&mut command);
    succeed(command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", FLAGS))?;
    Ok(folder.join(TARGET).join(PROFILE).join("loyd_wasm.wasm"))
}

const PROFILE: &str = "wasm";

/// The memory ends below 200 MB, whatever a search asks for. (Vector instructions, `+simd128`, would gain nothing.)
const FLAGS: &str = "-Clink-arg=--max-memory=199950336";
