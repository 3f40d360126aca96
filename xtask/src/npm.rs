//! Makes and tests the package for npm.

use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::run::{print_line, succeed};
use crate::serving::{Serving, build_test_program};
use crate::tools::{self, NODE, Tools};
use crate::wasm;

/// The folder of the package's own files.
const SOURCES: &str = "npm";

/// The folder of its tests.
const TESTS: &str = "npm/tests";

/// The folder for what the task writes.
const OUTPUT: &str = "target/npm";

/// Largest size of the archive, in bytes.
const MAX_BYTES: u64 = 1_300_000;

/// Files of the package, by the folder from which they are copied.
const FILES: [(&str, &[&str]); 3] = [
    (".", &["LICENSE-APACHE", "LICENSE-MIT"]),
    (
        SOURCES,
        &[
            "README.md",
            "calls.js",
            "example.html",
            "index.js",
            "loyd-board.d.ts",
            "loyd-board.js",
            "node.js",
            "engine/node_host.js",
            "engine/node_worker.js",
        ],
    ),
    (
        "page",
        &[
            "engine/fault.js",
            "engine/loyd_wasm.js",
            "engine/loyd_wasm_bg.wasm",
            "engine/read.js",
            "engine/wasm.js",
            "engine/worker.js",
            "parts/board.js",
            "parts/controls.js",
            "parts/dom.js",
            "parts/gestures.js",
            "puzzle/board.js",
            "puzzle/game.js",
            "puzzle/goals.js",
            "puzzle/moves.js",
            "puzzle/parse.js",
        ],
    ),
];

/// Style sheets of the element, which are one module.
const STYLES: [&str; 4] =
    ["page/style/tokens.css", "page/style/base.css", "page/style/board.css", "npm/loyd-board.css"];

/// Make the package for npm: a folder, and the archive that npm publishes (needs Node.js and npm).
#[derive(clap::Args)]
pub struct Args {
    /// Folder for the folder `package` and the archive
    #[arg(long, value_name = "DIR", default_value = OUTPUT)]
    out: PathBuf,
    /// Install the archive in an empty project, and test it there with Node.js, Deno, TypeScript and Chromium
    #[arg(long)]
    test: bool,
    /// Time the first answers, also in Chromium
    #[arg(long)]
    bench: bool,
}

pub fn run(args: &Args) -> Result<()> {
    let out = absolute(&args.out)?;
    wasm::make()?;
    let archive = make(&out)?;
    if !(args.test || args.bench) {
        return Ok(());
    }
    let project = install(&archive, &out)?;
    if args.test {
        test(&project)?;
    }
    if args.bench {
        bench(&project)?;
    }
    Ok(())
}

/// Makes the folder `package`, with the engine that was built last, and the archive in `out`. Returns the path of the archive.
///
/// # Errors
/// Fails if the archive is too large, or if packing twice gives different bytes.
pub fn make(out: &Path) -> Result<PathBuf> {
    tools::check_node()?;
    let package = empty(&out.join("package"))?;
    copy_files(&package)?;
    describe(&package, out)?;
    let archive = pack(&package, out)?;
    let again = pack(&package, &empty(&out.join("again"))?)?;
    ensure!(fs::read(&archive)? == fs::read(again)?, "packing twice gives two archives");
    let bytes = fs::metadata(&archive)?.len();
    print_line(format_args!("{}: {bytes} bytes", archive.display()));
    ensure!(bytes <= MAX_BYTES, "the archive has more than {MAX_BYTES} bytes");
    Ok(archive)
}

/// Creates a folder, replacing an existing one.
fn empty(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    Ok(folder.to_owned())
}

fn copy_files(package: &Path) -> Result<()> {
    for folder in ["engine", "parts", "puzzle"] {
        fs::create_dir(package.join(folder))?;
    }
    for (folder, names) in FILES {
        for name in names {
            let file = Path::new(folder).join(name);
            fs::copy(&file, package.join(name)).with_context(|| file.display().to_string())?;
        }
    }
    let manifest = fs::read_to_string(Path::new(SOURCES).join("package.json"))?;
    let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    fs::write(package.join("package.json"), manifest.replace("\"version\": \"0.0.0\"", version))?;
    let styles: Vec<String> = STYLES.iter().map(fs::read_to_string).collect::<Result<_, _>>()?;
    let module = format!("export default {};\n", Value::from(without_comments(&styles.concat())));
    Ok(fs::write(package.join("style.js"), module)?)
}

/// Removes the comments of a style sheet.
fn without_comments(styles: &str) -> String {
    let parts = styles.split("/*");
    parts.map(|part| part.split_once("*/").map_or(part, |(_, rest)| rest)).collect()
}

/// Makes the types, and the table of calls, from the description that the server gives of its API.
fn describe(package: &Path, out: &Path) -> Result<()> {
    let program = build_test_program()?;
    let server = Serving::start(&program, &out.join("cache"), &[])?;
    let mut node = Command::new(NODE);
    node.arg(Path::new(SOURCES).join("make_types.js")).arg(server.address()).arg(package);
    succeed(&mut node)
}

/// Runs `npm pack`, and returns the path of the archive.
fn pack(package: &Path, out: &Path) -> Result<PathBuf> {
    let mut npm = Command::new("npm");
    npm.args(["pack", "--silent", "--ignore-scripts", "--pack-destination"]).arg(out);
    succeed(npm.current_dir(package).stdout(Stdio::null()))?;
    Ok(out.join(concat!("loyd-", env!("CARGO_PKG_VERSION"), ".tgz")))
}

/// Installs the archive in an empty project, with the tests, and returns the path of the project.
fn install(archive: &Path, out: &Path) -> Result<PathBuf> {
    let project = empty(&out.join("project"))?;
    fs::write(project.join("package.json"), "{ \"private\": true, \"type\": \"module\" }\n")?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--offline", "--no-audit", "--no-fund"]).arg(archive);
    succeed(npm.current_dir(&project))?;
    for file in fs::read_dir(TESTS)? {
        let path = file?.path();
        if let Some(name) =
            path.file_name().filter(|_| path.extension().is_some_and(|kind| kind != "json"))
        {
            fs::copy(&path, project.join(name))?;
        }
    }
    Ok(project)
}

/// Runs the tests in the project, and those in the browser on a server of its files.
fn test(project: &Path) -> Result<()> {
    let browser = Tools::find()?;
    tools::install(TESTS)?;
    let mut node = Command::new(NODE);
    node.args([
        "--test",
        "--test-reporter=spec",
        "calls.test.js",
        "documents.test.js",
        "types.test.js",
    ]);
    node.env("LOYD_PROGRAMS", absolute(Path::new(TESTS).join("node_modules/.bin"))?);
    node.env("LOYD_DOCUMENTS", absolute(".")?);
    succeed(node.current_dir(project))?;
    let site = serve(project)?;
    let mut node = browser.node();
    node.args(["--test", "--test-reporter=spec"])
        .arg(absolute(Path::new(TESTS).join("element.test.js"))?);
    node.env("LOYD_URL", site.address()).env("LOYD_SHOTS", project.join("shots"));
    succeed(node.env("LOYD_DOCUMENTS", absolute(".")?))
}

/// Starts a static web server.
fn serve(folder: &Path) -> Result<Serving> {
    Serving::spawn(Command::new(NODE).arg(Path::new(tools::FOLDER).join("site.js")).arg(folder))
}

/// Runs `npm/tests/first.bench.js`.
fn bench(project: &Path) -> Result<()> {
    let site = serve(project)?;
    let mut node = Tools::find()?.node();
    node.arg(absolute(project.join("first.bench.js"))?).env("LOYD_URL", site.address());
    succeed(&mut node)
}
