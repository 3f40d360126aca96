//! Archives of the program, with what belongs to it.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::packing::{EXECUTABLE, PLAIN, output, put, tar_gz, write, zip};
use super::platform::{LINUX_X86, Platform};
use super::release::Release;
use super::third_party;

/// Shells, and the names of their completions.
pub const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "loyd.bash"),
    ("zsh", "_loyd"),
    ("fish", "loyd.fish"),
    ("powershell", "_loyd.ps1"),
    ("elvish", "loyd.elv"),
];

/// Files of the repository that are in each archive.
pub const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Name of the file with the licences of other crates.
pub const THIRD_PARTY: &str = "LICENSES-THIRD-PARTY.txt";

/// Builds the program for `platform` and packs it.
pub fn archive(release: &Release, platform: &Platform) -> Result<String> {
    let program = platform.build_program(release)?;
    // The manual page and the completions are the same on all platforms; this one can run here.
    let host = LINUX_X86.build_program(release)?;
    let parent = release.scratch(&format!("program-{}", platform.name))?;
    let name = format!("loyd-{}-{}", release.version, platform.name);
    let folder = parent.join(&name);
    put(&program, &folder.join(format!("loyd{}", platform.extension)), EXECUTABLE)?;
    write(&folder.join("man/loyd.1"), &run(&host, &["man"])?, PLAIN)?;
    for (shell, file) in COMPLETIONS {
        let text = run(&host, &["completions", shell])?;
        write(&folder.join("completions").join(file), &text, PLAIN)?;
    }
    for file in TEXTS {
        put(&release.root.join(file), &folder.join(file), PLAIN)?;
    }
    let licences = third_party::licences("loyd", platform.target)?;
    write(&folder.join(THIRD_PARTY), licences.as_bytes(), PLAIN)?;
    match platform.extension {
        "" => tar_gz(release, &parent, &name),
        _ => zip(release, &parent, &name),
    }
}

/// Runs the program and returns what it prints.
pub fn run(program: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    output(Command::new(program).args(arguments))
}
