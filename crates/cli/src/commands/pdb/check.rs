//! `loyd pdb verify`.

use loyd::tables::{Build, Check, Compared, WrongEntry};
use serde_json::{Value, json};

use super::{missing, path_in, record, with};
use crate::Status;
use crate::args::pdb::CheckArgs;
use crate::failure::Failure;
use crate::units::grouped;

/// Builds tables again and compares them with the file.
pub fn run(args: &CheckArgs) -> Result<Status, Failure> {
    with_key!(&args.tables.contents()?, key => verify(args, key))
}

fn verify<K: Build>(args: &CheckArgs, key: &K) -> Result<Status, Failure> {
    let contents = key.contents();
    let store = args.cache.store();
    let path = path_in(&store, &contents)?;
    let check = args.effort.spend(key, |meter| store.verify(key, meter))?;
    let (sound, text, outcome) = match check {
        Check::Missing => return Err(missing(&contents, &path)),
        Check::Refused(error) => {
            (false, format!("not sound: {error}"), json!({"fault": error.to_string()}))
        }
        Check::Compared(compared) => (compared.is_sound(), text(&compared), outcome(&compared)),
    };
    let advice = match sound {
        true => "",
        false => "`loyd pdb remove` removes the file, and who needs it builds it again\n",
    };
    let file = json!({"file": path.display().to_string(), "sound": sound});
    args.output.print(
        || format!("{contents}\n{}\n{text}\n{advice}", path.display()),
        || with(with(record(&contents), file), outcome),
    )?;
    Ok(if sound { Status::Yes } else { Status::No })
}

fn text(compared: &Compared) -> String {
    let entries = grouped(compared.entries);
    let mut lines = match compared.wrong {
        0 if compared.is_sound() => return format!("sound: all {entries} entries are right"),
        0 => vec![format!("not sound, though the {entries} entries that were read are right")],
        wrong => vec![format!("not sound: {} of {entries} entries are wrong", grouped(wrong))],
    };
    lines.extend(compared.first.as_ref().map(|first| format!("the first is {}", place(first))));
    if !compared.census_is_right {
        lines.push("the numbers of states at each distance are wrong".to_owned());
    }
    lines.extend(compared.fault.as_ref().map(|fault| format!("{fault}")));
    lines.join("\n")
}

fn place(wrong: &WrongEntry) -> String {
    let bit = format!("bit {}, which should be {}", grouped(wrong.bit), u8::from(wrong.expected));
    let Some(place) = &wrong.place else { return bit };
    let pattern = list(place.pattern.cells());
    let state = place.state.as_ref().map_or("none".to_owned(), |state| {
        format!("tiles on {}, the blank on {}", list(&state.tiles), list(&state.blank))
    });
    format!("{bit}: pattern {pattern}, state: {state}")
}

fn list(cells: &[u8]) -> String {
    cells.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

fn outcome(compared: &Compared) -> Value {
    let first = compared.first.as_ref().map(|first| {
        let place = first.place.as_ref();
        let state = place.and_then(|place| place.state.as_ref());
        json!({
            "bit": first.bit, "expected": u8::from(first.expected),
            "pattern": place.map(|place| place.pattern.cells()), "tiles": state.map(|state| &state.tiles),
            "blank": state.map(|state| &state.blank),
        })
    });
    json!({
        "entries": compared.entries, "wrong": compared.wrong, "first": first,
        "census_is_right": compared.census_is_right,
        "fault": compared.fault.as_ref().map(ToString::to_string),
    })
}
