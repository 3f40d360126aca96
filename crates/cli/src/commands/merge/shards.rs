//! Whether shards belong together.

use std::collections::BTreeMap;

use anyhow::bail;
use loyd::search::Shard;

use super::source::Source;

/// Checks that these are all shards of some work, once each; returns the indices of `found` in the order of shards.
///
/// # Errors
/// Which one is of other work, there twice, or missing.
pub fn in_order(found: &[(Shard, String)]) -> anyhow::Result<Vec<usize>> {
    let mut places: BTreeMap<Shard, usize> = BTreeMap::new();
    let Some((first, first_name)) = found.first() else { bail!("there is no shard") };
    for (index, (shard, name)) in found.iter().enumerate() {
        if shard.count() != first.count() {
            bail!(
                "{name} is shard {shard}, and {first_name} shard {first}: they do not divide the same work"
            );
        }
        if let Some(before) = places.insert(*shard, index) {
            bail!("{name} is shard {shard}, as {} is", found[before].1);
        }
    }
    let all = (0..first.count()).filter_map(|index| Shard::new(index, first.count()));
    let missing: Vec<String> =
        all.filter(|shard| !places.contains_key(shard)).map(|shard| shard.to_string()).collect();
    if !missing.is_empty() {
        let (s, are) = if missing.len() == 1 { ("", "is") } else { ("s", "are") };
        let few = missing.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        let more = if missing.len() > 5 { ", …" } else { "" };
        bail!("shard{s} {few}{more} {are} missing beside {first_name}");
    }
    Ok(places.into_values().collect())
}

/// What may be another for each shard. Machines with other instructions find solutions of the same length.
const OF_SHARDS: [&str; 2] = ["--shard", "LOYD_CPU"];

/// Compares what the notes beside the files say, where all have notes. Returns whether that is so.
///
/// # Errors
/// Which file belongs to other work, or has no notes while others have.
pub fn have_notes(sources: &[Source]) -> anyhow::Result<bool> {
    let (with, without): (Vec<&Source>, Vec<&Source>) =
        sources.iter().partition(|source| source.settings.is_some());
    let Some(first) = with.first() else { return Ok(false) };
    if let Some(bare) = without.first() {
        let (a, b) = (&bare.name, &first.name);
        bail!("{a}.batch is missing, which says which shard this is; {b}.batch is there");
    }
    for other in &with[1..] {
        let (Some(a), Some(b)) = (&first.settings, &other.settings) else { continue };
        let names = a.keys().chain(b.keys()).filter(|&name| !OF_SHARDS.contains(&name.as_str()));
        let differing = |name: &&String| a.get(*name) != b.get(*name);
        if let Some(name) = names.into_iter().find(differing) {
            let said = |map: &BTreeMap<String, String>| {
                map.get(name).map_or("unknown", String::as_str).to_owned()
            };
            bail!(
                "{} is of other work than {}: {name} {}, and {} in {}",
                other.name,
                first.name,
                said(b),
                said(a),
                first.name
            );
        }
    }
    Ok(true)
}
