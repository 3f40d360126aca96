//! Archives that run anywhere: the sources, the static page, and the package for JavaScript.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::packing::{PLAIN, gzip, output, put, zip};
use super::platform::LINUX_X86;
use super::release::Release;

/// Folders and files of `page` that the server does not embed.
const NOT_SERVED: [&str; 3] = ["tests/", "e2e/", "README.md"];

/// The engine, which is built and not in the repository.
const ENGINE: [&str; 2] = ["engine/loyd_wasm.js", "engine/loyd_wasm_bg.wasm"];

/// Packs all files of the commit.
pub fn source(release: &Release) -> Result<String> {
    let name = format!("loyd-{}-source.tar.gz", release.version);
    let prefix = format!("--prefix=loyd-{}/", release.version);
    let tar = output(git(release).args(["archive", "--format=tar", &prefix, &release.commit]))?;
    fs::write(release.out.join(&name), gzip(&tar)?)?;
    Ok(name)
}

/// Packs the static site that the program writes, with the engine.
pub fn page(release: &Release) -> Result<String> {
    let program = LINUX_X86.build_program(release)?;
    let parent = release.scratch("page")?;
    let name = format!("loyd-{}-page", release.version);
    let folder = parent.join(&name);
    output(Command::new(program).args(["page", "--save"]).arg(&folder))?;
    put_licences(release, &folder)?;
    zip(release, &parent, &name)
}

/// Copies the files of the page that the server embeds.
pub fn copy_page(release: &Release, to: &Path) -> Result<()> {
    let list = output(git(release).args(["ls-files", "page"]))?;
    let tracked = String::from_utf8(list)?;
    let tracked = tracked.lines().filter_map(|path| path.strip_prefix("page/"));
    let served = tracked.filter(|path| !NOT_SERVED.iter().any(|prefix| path.starts_with(prefix)));
    for file in served.chain(ENGINE) {
        put(&release.root.join("page").join(file), &to.join(file), PLAIN)?;
    }
    Ok(())
}

/// Makes the package for npm.
pub fn npm(release: &Release) -> Result<String> {
    let name = format!("loyd-{}.tgz", release.version);
    let folder = release.scratch("npm")?;
    release.make_engine()?;
    crate::npm::make(&folder)?;
    fs::copy(folder.join(&name), release.out.join(&name))?;
    Ok(name)
}

fn git(release: &Release) -> Command {
    let mut git = Command::new("git");
    git.current_dir(&release.root);
    git
}

/// Writes the licences of the project into a folder.
pub fn put_licences(release: &Release, folder: &Path) -> Result<()> {
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        put(&release.root.join(file), &folder.join(file), PLAIN)?;
    }
    Ok(())
}
