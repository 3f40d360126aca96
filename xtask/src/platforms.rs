//! Compiles and tests libraries for platforms that releases are not built for: 32-bit and big-endian machines, systems
//! for which there is no linker here, and the oldest compiler.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::compiler::{Compiler, variable};
use crate::run::{FULL, cargo, find_program, print_line, succeed};
use crate::serving::target;

/// Check and test the libraries on 32-bit, big-endian and other machines, in emulators, and with the oldest compiler
#[derive(clap::Args)]
pub struct Args {
    /// Prefixes of the names of platforms; all platforms without them
    names: Vec<String>,
    /// Stop after `cargo check`
    #[arg(long)]
    check: bool,
}

struct Platform {
    name: &'static str,
    target: &'static str,
    tests: Option<Tests>,
}

/// Programs that tests need besides a compiler, each with the Debian package that contains it.
struct Tests {
    linker: (&'static str, &'static str),
    emulator: (&'static str, &'static str),
}

const PLATFORMS: [Platform; 5] = [
    Platform {
        name: "i686-linux",
        target: "i686-unknown-linux-gnu",
        tests: Some(Tests {
            linker: ("i686-linux-gnu-gcc", "gcc-i686-linux-gnu"),
            emulator: ("qemu-i386-static", "qemu-user-static"),
        }),
    },
    Platform {
        name: "s390x-linux",
        target: "s390x-unknown-linux-gnu",
        tests: Some(Tests {
            linker: ("s390x-linux-gnu-gcc", "gcc-s390x-linux-gnu"),
            emulator: ("qemu-s390x-static", "qemu-user-static"),
        }),
    },
    Platform { name: "aarch64-macos", target: "aarch64-apple-darwin", tests: None },
    Platform { name: "x86_64-freebsd", target: "x86_64-unknown-freebsd", tests: None },
    Platform { name: OLDEST_RUST, target: "x86_64-unknown-linux-gnu", tests: None },
];

/// The oldest version of the compiler that the manifests allow.
const OLDEST_RUST: &str = concat!("rust-", env!("CARGO_PKG_RUST_VERSION"));

/// The crates that are checked. The program contains all libraries but the queue, whose cryptography needs a C compiler
/// of the platform.
const CHECKED: &[&str] =
    &["--package=loyd", "--features=loyd/parquet", "--features=loyd/serve,loyd/tui"];

/// The tests that are run: boards with all notations, and the files of tables.
const TESTS: [&[&str]; 2] =
    [&["--package", "loyd-tiles"], &["--package", "loyd-heuristics", "--lib", "--", "file::"]];

pub fn run(args: &Args) -> Result<()> {
    let chosen = |platform: &&Platform| {
        let names = &args.names;
        names.is_empty() || names.iter().any(|name| platform.name.starts_with(name.as_str()))
    };
    let platforms: Vec<_> = PLATFORMS.iter().filter(chosen).collect();
    if platforms.is_empty() {
        let names = PLATFORMS.map(|platform| platform.name).join(", ");
        bail!("no platform starts with {}: choose of {names}", args.names.join(" or "));
    }
    let mut failed = Vec::new();
    for platform in platforms {
        match platform.run(args.check) {
            Ok(()) => print_line(format_args!("{}: passed", platform.name)),
            Err(error) => {
                print_line(format_args!("{}: {error:#}", platform.name));
                failed.push(platform.name);
            }
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => bail!("failed: {}", failed.join(", ")),
    }
}

impl Platform {
    fn run(&self, check_only: bool) -> Result<()> {
        succeed(self.cargo("check")?.args(match self.name {
            OLDEST_RUST => &["--workspace", FULL],
            _ => CHECKED,
        }))?;
        let Some(tests) = self.tests.as_ref().filter(|_| !check_only) else { return Ok(()) };
        let find = |(program, package): (&str, &str)| {
            find_program(program)
                .with_context(|| format!("{program} is missing: `apt-get install {package}`"))
        };
        let (linker, emulator) = (find(tests.linker)?, find(tests.emulator)?);
        for arguments in TESTS {
            let mut test = self.cargo("test")?;
            test.args(arguments).env(variable(self.target, "LINKER"), &linker);
            test.env(variable(self.target, "RUNNER"), &emulator);
            // A static program needs no libraries of the platform in the emulator.
            for flags in ["RUSTFLAGS", "RUSTDOCFLAGS"] {
                test.env(variable(self.target, flags), "-Ctarget-feature=+crt-static");
            }
            succeed(&mut test)?;
        }
        Ok(())
    }

    /// Returns a command of cargo for the platform. Its target directory is a separate one: with another compiler, cargo
    /// would compile everything again.
    fn cargo(&self, subcommand: &str) -> Result<Command> {
        let mut command = cargo(&[subcommand, "--target", self.target]);
        match self.name {
            OLDEST_RUST => _ = command.env("RUSTUP_TOOLCHAIN", oldest_compiler()?),
            _ => Compiler::for_target(self.target)?.prepare(&mut command),
        }
        command.env("CARGO_TARGET_DIR", target()?.join("platforms"));
        // Optimised code is compiled twice as long, and tests in an emulator are still fast enough with this.
        command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
        Ok(command)
    }
}

/// Returns the name that rustup has for the oldest compiler.
///
/// # Errors
/// Fails if it is not installed.
pub fn oldest_compiler() -> Result<&'static str> {
    const VERSION: &str = env!("CARGO_PKG_RUST_VERSION");
    let mut rustc = Command::new("rustup");
    let output = rustc.args(["run", VERSION, "rustc", "--version"]).output();
    match output.is_ok_and(|output| output.status.success()) {
        true => Ok(VERSION),
        false => bail!("there is no such compiler: `rustup toolchain install {VERSION}`"),
    }
}
