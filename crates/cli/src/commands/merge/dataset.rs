//! Merges the shards of a dataset.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use loyd::search::Shard;
use loyd_lab::header::remove_shard;
use serde_json::Value;

use super::source::in_order;
use crate::commands::dataset_files::{ABOUT, CHECKSUMS, checksum_line, write_atomically};
use crate::commands::dataset_shards::ShardFolder;
use crate::failure::{Failure, Status, print_note};
use crate::saved_files::lock_folder;
use crate::units::with_commas;

/// Writes the dataset of which `folders` are the shards to the folder `to`, which must be empty. Files are linked, or
/// copied where that is impossible, after their checksums are compared.
pub fn merge(folders: &[PathBuf], to: &Path) -> Result<Status, Failure> {
    let shards: anyhow::Result<Vec<ShardFolder>> = folders.iter().map(|path| read(path)).collect();
    let shards = shards?;
    let names: Vec<(Shard, String)> =
        shards.iter().map(|folder| (folder.shard, folder.name())).collect();
    let ordered: Vec<&ShardFolder> = in_order(&names)?.into_iter().map(|at| &shards[at]).collect();
    let first = ordered[0];
    ordered.iter().try_for_each(|other| check_same(first, other))?;
    let parts =
        ordered.iter().map(|folder| parts(first, folder)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut files = Vec::new();
    for part in 0..parts[0] {
        files.extend(ordered[(part % ordered.len() as u64) as usize].part(part)?);
    }
    let name = || to.display().to_string();
    fs::create_dir_all(to).with_context(name)?;
    if fs::read_dir(to).with_context(name)?.next().is_some() {
        return Err(anyhow!("{}: the folder is not empty", name()).into());
    }
    let _lock = lock_folder(to).with_context(name)?;
    let mut sums = String::new();
    for (from, name, sum) in files {
        let file = to.join(&name);
        let parent = file.parent().expect("a file in the folder");
        let linked = fs::create_dir_all(parent).and_then(|()| {
            fs::hard_link(&from, &file).or_else(|_| fs::copy(&from, &file).map(drop))
        });
        linked.with_context(|| format!("cannot copy {} to {}", from.display(), file.display()))?;
        sums += &checksum_line(&sum, &name);
    }
    write_atomically(&to.join(CHECKSUMS), |out| out.write_all(sums.as_bytes()))?;
    let text = serde_json::to_string_pretty(&whole(&first.about))? + "\n";
    write_atomically(&to.join(ABOUT), |out| out.write_all(text.as_bytes()))?;
    let boards = with_commas(first.boards().unwrap_or(0));
    print_note(format_args!("a dataset of {boards} boards is in {}", to.display()));
    let status = ordered.iter().map(|folder| folder.status()).max().unwrap_or_default();
    match status {
        Status::Yes => {}
        Status::No => print_note("some boards have no labels"),
        Status::Bad => print_note("some boards are invalid"),
    }
    Ok(status)
}

/// Returns the shard in a folder, and whether it is complete; `None` if the folder has no shard of a dataset.
pub fn result(folder: &Path) -> anyhow::Result<Option<(Shard, bool)>> {
    if !ShardFolder::is_dataset(folder) {
        return Ok(None);
    }
    Ok(ShardFolder::read(folder)?.map(|folder| (folder.shard, folder.is_complete())))
}

fn read(path: &Path) -> anyhow::Result<ShardFolder> {
    let name = path.display();
    if !ShardFolder::is_dataset(path) {
        bail!("{name} has no dataset: the folders of shards are merged separately from files");
    }
    ShardFolder::read(path)?
        .with_context(|| format!("{name} belongs to no shard: it was written without --shard"))
}

/// Checks that two folders are shards of the same dataset.
fn check_same(first: &ShardFolder, other: &ShardFolder) -> anyhow::Result<()> {
    let (ours, theirs) = (whole(&first.about), whole(&other.about));
    let options = |about: &Value| about["options"].as_object().cloned().unwrap_or_default();
    let (mut a, mut b) = (options(&ours), options(&theirs));
    a.insert("version".to_owned(), ours["version"].clone());
    b.insert("version".to_owned(), theirs["version"].clone());
    match a.keys().chain(b.keys()).find(|&name| a.get(name) != b.get(name)) {
        None => Ok(()),
        Some(name) => {
            let value = |options: &serde_json::Map<_, Value>| {
                options.get(name).map_or_else(|| "unknown".to_owned(), Value::to_string)
            };
            let (at, first) = (other.name(), first.name());
            bail!(
                "{at} belongs to other work than {first}: {name} {}, but {} in {first}",
                value(&b),
                value(&a)
            )
        }
    }
}

/// Returns the number of parts of the whole dataset according to a complete shard.
fn parts(first: &ShardFolder, folder: &ShardFolder) -> anyhow::Result<u64> {
    let name = folder.name();
    let parts = folder.parts()?.with_context(|| {
        format!(
            "{name}: the shard has not finished; run the same command with --resume to continue it"
        )
    })?;
    if let (Some(ours), Some(theirs)) = (first.boards(), folder.boards())
        && ours != theirs
    {
        let first = first.name();
        bail!(
            "{name} belongs to other work than {first}: a dataset of {theirs} boards, not {ours}"
        );
    }
    Ok(parts)
}

/// Returns the content of `dataset.json` of the whole dataset.
fn whole(about: &Value) -> Value {
    let mut about = about.clone();
    about["options"]["shard"] = Value::Null;
    if let Some(command) = about["command"].as_array_mut() {
        remove_shard(command);
    }
    about
}
