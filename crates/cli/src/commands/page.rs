//! `loyd page`: the page as files.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::json;

use crate::Status;
use crate::args::PageArgs;
use crate::failure::Failure;
use crate::units;

/// The end of the name of the engine's file.
const ENGINE: &str = ".wasm";

/// Writes the page to a folder.
pub fn run(args: &PageArgs) -> Result<Status, Failure> {
    let (mut files, mut bytes, mut has_engine) = (0, 0, false);
    for (path, content) in loyd_server::files() {
        write(&args.out.join(&*path), &content)?;
        files += 1;
        bytes += content.len() as u64;
        has_engine |= path.ends_with(ENGINE);
    }
    let folder = args.out.display().to_string();
    let text = || {
        let mut text = format!("{files} files, {} in {folder}\n", units::size(bytes));
        if !has_engine {
            text += "The page has no engine of its own, for this program was built without one: it can play, and needs \
                     `loyd serve` to solve.\n`cargo xtask wasm` makes the engine; the next build of loyd has it inside.\n";
        }
        text
    };
    let record = || json!({"folder": folder, "files": files, "bytes": bytes, "engine": has_engine});
    args.output.print(text, record)?;
    Ok(Status::Yes)
}

fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written = written.and_then(|()| fs::write(path, content));
    written.with_context(|| format!("{} cannot be written", path.display()))
}
