//! The platforms that programs are built for, and the compilers and linkers that this takes.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::release::Release;
use crate::compiler::{Compiler, variable};
use crate::run::{cargo, find_program, succeed};

/// A platform.
pub struct Platform {
    /// Name in files, items and the manifest.
    pub name: &'static str,
    /// Name of the compiler's target.
    pub target: &'static str,
    /// The linker, with the Debian packages that it needs.
    linker: (&'static str, &'static str),
    /// Flags for the compiler.
    flags: &'static str,
    /// File extension of programs, with the dot.
    pub extension: &'static str,
    /// Name of the architecture in Debian.
    pub debian: &'static str,
}

/// The linker that the compiler uses for this machine.
const DEFAULT_LINKER: &str = "cc";

/// 64-bit x86 Linux. The program is linked statically with the GNU C library, whose allocator is faster than musl's
/// when many threads allocate, and needs nothing from the system.
pub const LINUX_X86: Platform = Platform {
    name: "x86_64-linux",
    target: "x86_64-unknown-linux-gnu",
    linker: (DEFAULT_LINKER, "gcc libc6-dev"),
    flags: "-Ctarget-feature=+crt-static",
    extension: "",
    debian: "amd64",
};

/// 64-bit Arm Linux, linked in the same way.
pub const LINUX_ARM: Platform = Platform {
    name: "aarch64-linux",
    target: "aarch64-unknown-linux-gnu",
    linker: ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"),
    flags: "-Ctarget-feature=+crt-static",
    extension: "",
    debian: "arm64",
};

/// 64-bit Windows. Without the linker flag, the program would contain the time of the build.
pub const WINDOWS_X86: Platform = Platform {
    name: "x86_64-windows",
    target: "x86_64-pc-windows-gnu",
    linker: ("x86_64-w64-mingw32-gcc", "mingw-w64"),
    flags: "-Clink-arg=-Wl,--no-insert-timestamp",
    extension: ".exe",
    debian: "",
};

impl Platform {
    /// Returns the name in files, items and the manifest.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns a command of cargo that compiles for this platform, for release and from the same bytes to the same
    /// bytes. [`Release::flags`] adds the flags that remove paths.
    ///
    /// # Errors
    /// Fails if there is no compiler; the message explains how to install one.
    fn cargo(&self, release: &Release, arguments: &[&str]) -> Result<Command> {
        let mut command = cargo(arguments);
        Compiler::for_target(self.target)?.prepare(&mut command);
        command.args(["--target", self.target]);
        command.env(variable(self.target, "RUSTFLAGS"), release.flags(self.flags)?);
        release.prepare(&mut command);
        Ok(command)
    }

    /// Builds the full program and returns its path.
    ///
    /// # Errors
    /// Fails if a compiler or a linker is missing, or if the build fails.
    pub fn build_program(&self, release: &Release) -> Result<PathBuf> {
        let (linker, packages) = self.linker;
        find_program(linker)
            .with_context(|| format!("{linker} is missing: `apt-get install {packages}`"))?;
        release.make_engine()?;
        let build = ["build", "--release", "--package", "loyd", crate::run::FULL];
        let mut command = self.cargo(release, &build)?;
        if linker != DEFAULT_LINKER {
            command.env(variable(self.target, "LINKER"), linker);
        }
        succeed(&mut command)
            .with_context(|| format!("the program cannot be built for {}", self.target))?;
        let built = release.build_folder().join(self.target).join("release");
        let program = built.join(format!("loyd{}", self.extension));
        release.check_paths(&program)?;
        Ok(program)
    }
}
