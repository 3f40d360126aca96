//! Typical uses of the program, and their expected results.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::log::Log;
use super::server;
use crate::dist::release::Release;

/// The program, installed.
pub struct Installed<'a> {
    /// Returns a command that runs it in the current folder of `folder`.
    pub command: Box<dyn Fn() -> Command + 'a>,
    /// The folder in which it runs, as seen from here.
    pub folder: PathBuf,
    /// The folder where its tables must appear, as seen from here.
    pub cache: PathBuf,
}

/// A use of the program.
struct Use {
    what: &'static str,
    arguments: &'static [&'static str],
    input: &'static str,
    status: i32,
    /// Output that it must contain.
    output: &'static str,
}

/// A board, and its solution.
const BOARD: &str = "2 3 4 1 5 x 7 6 8";
/// Lines as Windows ends them: a solved board, and [`BOARD`].
const LINES: &str = "12345678x\r\n2 3 4 1 5 x 7 6 8\r\n";
/// Their solutions: no moves, and 19.
const SOLUTIONS: &str = "\nullddrurdllurrdlurd\n";
/// A name with a space and a letter outside of ASCII.
const FILE: &str = "my boards/größe.txt";

const fn using(
    what: &'static str,
    arguments: &'static [&'static str],
    output: &'static str,
) -> Use {
    Use { what, arguments, input: "", status: 0, output }
}

const USES: &[Use] = &[
    using("solves a board", &[BOARD], "ullddrurdllurrdlurd\n"),
    Use {
        input: LINES,
        ..using("reads CRLF lines from standard input", &["solve", "--file", "-"], SOLUTIONS)
    },
    using(
        "reads a file with CRLF lines in a path with a space and an umlaut",
        &["solve", "--file", FILE],
        SOLUTIONS,
    ),
    Use { input: LINES, ..using("judges standard input", &["judge"], SOLUTIONS) },
    using("judges a file", &["judge", FILE], SOLUTIONS),
    using(
        "saves results",
        &["solve", "--file", FILE, "--output", "json", "--save", "my boards/out.jsonl"],
        "",
    ),
    using("builds a pattern database in the default cache", &["pdb", "build", "6-6-3"], ""),
    using("lists the cache", &["pdb", "list"], "6-6-3"),
    using("checks the pattern database", &["pdb", "verify", "6-6-3"], ""),
    using(
        "solves a 4x4 board with it",
        &["15 11 3 4/12 7 2 5/10 x 14 8/9 13 1 6", "--tables", "6-6-3", "--output", "json"],
        "\"length\":57",
    ),
    Use {
        status: 1,
        ..using("exits with 1 for wrong moves", &["verify", "1 2 3/4 5 6/7 x 8", "rl"], "")
    },
    Use { status: 2, ..using("exits with 2 for an impossible board", &["solve", "1 2 2"], "") },
    Use {
        status: 2,
        ..using("exits with 2 for a missing file", &["solve", "--file", "none.txt"], "")
    },
    using("has the game", &["play", "--help"], "Usage"),
    using("has the worker of queues", &["work", "--help"], "Usage"),
];

impl Installed<'_> {
    /// Uses the program as a new user would.
    pub fn use_all(&self, release: &Release, log: &mut Log) -> Result<()> {
        let file = self.folder.join(FILE);
        fs::create_dir_all(file.parent().context("the file is in a folder")?)?;
        fs::write(&file, LINES)?;
        let version = format!("loyd {}", release.version);
        self.run(&["--version"], "", 0, &version).map(|()| log.pass("prints its version"))?;
        for row in USES {
            let done = self.run(row.arguments, row.input, row.status, row.output);
            done.with_context(|| row.what).map(|()| log.pass(row.what))?;
        }
        let tables = fs::read_dir(&self.cache).into_iter().flatten().count();
        ensure!(tables > 0, "no tables in {}", self.cache.display());
        log.pass("keeps its tables in the cache folder of the user");
        server::check(&mut (self.command)()).context("serves the page")?;
        log.pass("serves the page, its engine and the API");
        Ok(())
    }

    fn run(&self, arguments: &[&str], input: &str, status: i32, output: &str) -> Result<()> {
        let mut command = (self.command)();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        // The program may end without reading its input.
        let _ = child.stdin.take().context("no input")?.write_all(input.as_bytes());
        let printed = child.wait_with_output()?;
        let (text, errors) =
            (String::from_utf8_lossy(&printed.stdout), String::from_utf8_lossy(&printed.stderr));
        let code = printed.status.code();
        ensure!(
            code == Some(status) && text.contains(output),
            "{arguments:?}: status {code:?} instead of {status}, or no {output:?} in {text:?}; errors: {errors}"
        );
        Ok(())
    }
}
