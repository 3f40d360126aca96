//! The page in a browser, as a reader sees it, on both engines.

use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::Command;
use std::time::Instant;

use anyhow::bail;
use clap::ValueEnum;

use crate::run::{say, succeed};
use crate::serving::{Serving, build_as_tests_do};
use crate::tools::{FOLDER, NODE, Tools};
use crate::{Result, wasm};

/// What the task makes: tables of the server, the static site, and pictures.
const MADE: &str = "target/e2e";

/// As much memory for a search as WebAssembly has, so that searches that need more end as early.
const LIMITS: [&str; 2] = ["--max-memory", "200M"];

/// Try the page in Chromium, on the server and on a static site; needs Node.js, npm and Chromium.
#[derive(clap::Args)]
pub struct Args {
    /// Only tests whose names match one of these regular expressions
    names: Vec<String>,
    /// What answers the page
    #[arg(long, value_enum, default_value_t = Engines::Both)]
    engine: Engines,
    /// Where to put pictures of all views
    #[arg(long, value_name = "DIR", default_value = MADE)]
    shots: PathBuf,
    /// Measure the bytes of the page, its first paint, and the frames of a second while a solution is played back, instead of all else
    #[arg(long, conflicts_with = "names")]
    frames: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Engines {
    /// `loyd serve`
    Server,
    /// WebAssembly, on a site without a server (`loyd page`)
    Wasm,
    /// Each after the other
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

    /// Puts the page where a browser finds it.
    fn host(self, program: &Path) -> Result<Serving> {
        match self {
            Self::Server => Serving::start(program, &empty("cache")?, &LIMITS),
            Self::Wasm => {
                let site = empty("site")?;
                succeed(Command::new(program).args(["page", "--out"]).arg(&site))?;
                Serving::spawn(Command::new(NODE).arg(Path::new(FOLDER).join("site.js")).arg(site))
            }
        }
    }
}

/// The path of a folder that is not there yet.
fn empty(name: &str) -> Result<PathBuf> {
    let folder = absolute(Path::new(MADE).join(name))?;
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
    let program = build_as_tests_do()?;
    let mut failed = Vec::new();
    for engine in args.engine.all() {
        let begun = Instant::now();
        let host = engine.host(&program)?;
        say(format_args!("the page on {}, at {}", engine.name(), host.address()));
        let mut node = args.node(&tools, engine.name())?;
        let done = succeed(node.env("LOYD_URL", host.address()));
        say(format_args!("{}: {:.1} s", engine.name(), begun.elapsed().as_secs_f64()));
        if let Err(error) = done {
            say(error);
            failed.push(engine.name());
        }
    }
    if !failed.is_empty() {
        bail!("the page is not as it should be on {}", failed.join(" and "));
    }
    Ok(())
}

impl Args {
    /// What drives the browser.
    fn node(&self, tools: &Tools, engine: &str) -> Result<Command> {
        let mut node = tools.node();
        if self.frames {
            node.arg("frames.js");
            return Ok(node);
        }
        let shots = absolute(self.shots.join(engine))?;
        say(format_args!("pictures go to {}", shots.display()));
        // One file of tests at a time: two browsers would be in each other's way on two cores.
        node.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]);
        node.args(self.names.iter().map(|name| format!("--test-name-pattern={name}")));
        node.env("LOYD_SHOTS", shots);
        Ok(node)
    }
}
