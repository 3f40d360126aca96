//! Builds everything that a release has into `target/dist`, and checks it as a new user would.

mod again;
mod check;
mod deb;
mod items;
mod manifest;
mod packing;
mod platform;
mod program;
mod python;
mod release;
mod site;
mod third_party;

use anyhow::{Result, bail};

use crate::run::print_line;
use items::{ITEMS, Item};
use manifest::Manifest;
use release::Release;

/// Build everything that a release has into `target/dist`, with checksums and a manifest
#[derive(clap::Args)]
pub struct Args {
    /// Prefixes of the names of items to build or check; all items without them
    names: Vec<String>,
    /// List the items
    #[arg(long)]
    list: bool,
    /// Install and use each built item in an empty environment, as a new user would (as root, for `chroot`)
    #[arg(long, conflicts_with = "list")]
    check: bool,
    /// With --check, also write the log to docs/records
    #[arg(long, requires = "check")]
    record: bool,
    /// Build the program and the wheel again from a fresh clone in another folder, and compare them byte by byte
    #[arg(long, conflicts_with_all = ["list", "check", "names"])]
    again: bool,
}

pub fn run(args: &Args) -> Result<()> {
    let items = selected(&args.names)?;
    if args.list {
        for item in items {
            print_line(format_args!("{:24} {}", item.name(), item.kind.summary()));
        }
        return Ok(());
    }
    if args.check {
        return check::run(&Release::open()?, &items, args.record);
    }
    let release = Release::open_clean()?;
    if args.again { again::run(&release) } else { build(&release, &items) }
}

/// Returns the items whose names start with one of `names`, or all if there are no names.
fn selected(names: &[String]) -> Result<Vec<&'static Item>> {
    let chosen = |item: &&Item| {
        names.is_empty() || names.iter().any(|name| item.name().starts_with(name.as_str()))
    };
    let items: Vec<_> = ITEMS.iter().filter(chosen).collect();
    if items.is_empty() {
        bail!(
            "no item has a name that starts with {}: see `cargo xtask dist --list`",
            names.join(" or ")
        );
    }
    Ok(items)
}

/// Builds `items`. An item that cannot be built does not stop the others: the manifest lists it with the reason.
///
/// # Errors
/// Fails at the end if an item could not be built.
fn build(release: &Release, items: &[&Item]) -> Result<()> {
    release.empty_output()?;
    let mut manifest = Manifest::new(release);
    for item in ITEMS {
        if !items.iter().any(|chosen| std::ptr::eq(*chosen, item)) {
            manifest.leave_out(item, "not requested in this run");
            continue;
        }
        eprintln!("== {}", item.name());
        match item.make(release) {
            Ok(file) => manifest.add(item, &release.out.join(file))?,
            Err(error) => {
                eprintln!("== {} is left out: {error:#}", item.name());
                // Without its causes, which name folders of this machine.
                manifest.leave_out(item, &error.to_string());
            }
        }
    }
    manifest.write(&release.out)?;
    for line in manifest.lines() {
        print_line(line);
    }
    let failed = items.iter().filter(|item| manifest.lacks(item)).count();
    if failed > 0 {
        bail!("{failed} of {} items could not be built: the manifest has the reasons", items.len());
    }
    Ok(())
}
