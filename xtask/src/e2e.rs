//! Tests the page in a browser, with both engines.

use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::run::{print_line, succeed};
use crate::serving::{Serving, build_test_program};
use crate::tools::{FOLDER, NODE, Tools};
use crate::wasm;

/// The folder for what the task writes: tables of the server and the static site.
const OUTPUT: &str = "target/e2e";

/// A memory limit equal to that of WebAssembly, so that large searches end equally early with both engines; frames of all
/// sites.
const OPTIONS: [&str; 4] = ["--max-memory", "200M", "--allow-embed", "*"];

/// Test files that also run with WebAssembly. The others test code that does not depend on the engine, such as the reader of
/// boards; they run on the server only, unless tests are selected by name.
const FILES_OF_ENGINES: [&str; 8] = [
    "inside.test.js",
    "learn.test.js",
    "offline.test.js",
    "play.test.js",
    "race.test.js",
    "slot.test.js",
    "waiting.test.js",
    "watch.test.js",
];

/// Test the page in Chromium, on the server and on a static site (needs Node.js, npm and Chromium).
#[derive(clap::Args)]
pub struct Args {
    /// Only tests whose names match one of these regular expressions
    names: Vec<String>,
    /// The engine that solves for the page
    #[arg(long, value_enum, default_value_t = Engines::Both)]
    engine: Engines,
    /// Save screenshots of all views in this folder
    #[arg(long, value_name = "DIR")]
    shots: Option<PathBuf>,
    /// Only measure the size of the page, its first paint, and the frame rate while a solution is played back
    #[arg(long, conflicts_with = "names")]
    frames: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Engines {
    /// `loyd serve`
    Server,
    /// WebAssembly, on a site without a server (`loyd page`)
    Wasm,
    /// One after the other
    Both,
}

#[derive(Clone, Copy)]
enum Engine {
    Server,
    Wasm,
}

impl Engines {
    fn all(self) -> &'static [Engine] {
        match self {
            Self::Server => &[Engine::Server],
            Self::Wasm => &[Engine::Wasm],
            Self::Both => &[Engine::Server, Engine::Wasm],
        }
    }
}

impl Engine {
    fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Wasm => "wasm",
        }
    }

    /// Serves the page.
    fn host(self, program: &Path) -> Result<Serving> {
        match self {
            Self::Server => Serving::start(program, &empty("cache")?, &OPTIONS),
            Self::Wasm => {
                let site = empty("site")?;
                succeed(Command::new(program).args(["page", "--save"]).arg(&site))?;
                Serving::spawn(Command::new(NODE).arg(Path::new(FOLDER).join("site.js")).arg(site))
            }
        }
    }
}

/// Returns the path of a folder of the task, after removing the folder.
fn empty(name: &str) -> Result<PathBuf> {
    let folder = absolute(Path::new(OUTPUT).join(name))?;
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    Ok(folder)
}

pub fn run(args: &Args) -> Result<()> {
    let tools = Tools::find()?;
    if !matches!(args.engine, Engines::Server) {
        wasm::make()?;
    }
    let program = build_test_program()?;
    let mut failed = Vec::new();
    for engine in args.engine.all() {
        let start = Instant::now();
        let host = engine.host(&program)?;
        print_line(format_args!("the page on {}, at {}", engine.name(), host.address()));
        let mut node = args.node(&tools, *engine)?;
        let done = succeed(node.env("LOYD_URL", host.address()));
        print_line(format_args!("{}: {:.1} s", engine.name(), start.elapsed().as_secs_f64()));
        if let Err(error) = done {
            print_line(error);
            failed.push(engine.name());
        }
    }
    if !failed.is_empty() {
        bail!("the tests of the page failed on {}", failed.join(" and "));
    }
    Ok(())
}

impl Args {
    /// Returns the command that controls the browser.
    fn node(&self, tools: &Tools, engine: Engine) -> Result<Command> {
        let mut node = tools.node();
        if self.frames {
            node.arg("frames.js");
            return Ok(node);
        }
        // One file of tests at a time: two browsers would compete for two cores.
        node.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]);
        node.args(self.names.iter().map(|name| format!("--test-name-pattern={name}")));
        if let Some(shots) = &self.shots {
            let shots = absolute(shots.join(engine.name()))?;
            print_line(format_args!("screenshots go to {}", shots.display()));
            node.env("LOYD_SHOTS", shots);
        }
        if matches!(engine, Engine::Wasm) && self.names.is_empty() {
            node.args(FILES_OF_ENGINES);
        }
        Ok(node)
    }
}
