//! The commands of `loyd pdb` and their output.

use super::{SMALL_FILE, files, folder, json, run, small, stderr, stdout};

#[test]
fn commands_handle_pattern_databases() {
    let cache = folder("verbs").join("made/when/needed");
    let built = run(&cache, &small("build"));
    let file = cache.join(SMALL_FILE);
    let title = "1,2,3,4/5,6,7,8 of 3x3 boards with goal cell 0 of the blank";
    assert!(stdout(&built).starts_with(&format!("{title}: 11,040 states in ")), "{built:?}");
    assert!(stdout(&built).ends_with(&format!("\nstored in {}\n", file.display())), "{built:?}");
    let again = run(&cache, &small("build"));
    assert_eq!(stdout(&again), format!("{title} exists already\nstored in {}\n", file.display()));
    assert_eq!(stderr(&again), "");

    let listed = stdout(&run(&cache, &["list"]));
    let row: Vec<&str> = listed.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(row[..5], [SMALL_FILE, "3x3", "0", "1,2,3,4/5,6,7,8", "sound"], "{listed}");

    let info = stdout(&run(&cache, &small("info")));
    assert!(info.contains("1,2,3,4      4 ") && info.contains("\n0-4  "), "{info}");
    let info = json(&run(&cache, &[&small("info")[..], &["--output", "json"]].concat()));
    let census = info["patterns"][0]["census"].as_array().unwrap();
    let sum: u64 = census.iter().map(|states| states.as_u64().unwrap()).sum();
    assert_eq!((census[0].as_u64(), Some(sum)), (Some(1), info["patterns"][0]["states"].as_u64()));
    assert_eq!(info["patterns"][0]["max"].as_u64(), Some(census.len() as u64 - 1));

    let verified = run(&cache, &small("verify"));
    assert!(stdout(&verified).contains("\nsound: all "), "{verified:?}");
    assert!(verified.status.success());

    let removed = run(&cache, &small("remove"));
    assert_eq!(stdout(&removed), format!("removed {}\n", file.display()));
    assert_eq!(files(&cache), ["CACHEDIR.TAG"]);
    let removed = run(&cache, &small("remove"));
    assert_eq!(removed.status.code(), Some(2));
    assert!(stderr(&removed).contains("loyd pdb list"), "{removed:?}");
}

#[test]
fn commands_handle_tile_classes() {
    let cache = folder("kinds");
    for (boards, (kind, word), states) in [
        (&["--size", "2x5", "--metric", "mtm"][..], ("tile-classes", "tile-classes"), 1_814_400),
        (&["--size", "3x6"], ("patterns", "3x6"), 13_366_080),
    ] {
        let verb = |verb| [&[verb][..], boards, &["--output", "json"]].concat();
        let built = json(&run(&cache, &verb("build")));
        assert_eq!((&built["built"], &built["kind"]), (&true.into(), &kind.into()));
        assert!(built["states"].as_u64().unwrap() >= states, "{built}");
        assert_eq!(json(&run(&cache, &verb("build")))["built"], false);
        let listed = json(&run(&cache, &["list", "--output", "json"]));
        assert_eq!((&listed["kind"], &listed["sound"]), (&kind.into(), &true.into()));
        assert_eq!(listed["file"], built["file"]);
        let info = json(&run(&cache, &verb("info")));
        assert_eq!(info["patterns"][0]["census"][0], 1, "{info}");
        let verified = json(&run(&cache, &verb("verify")));
        assert_eq!((&verified["sound"], &verified["wrong"]), (&true.into(), &0.into()));
        for verb in ["list", "info", "verify"] {
            let boards = if verb == "list" { &[][..] } else { boards };
            let shown = run(&cache, &[&[verb][..], boards].concat());
            assert!(shown.status.success() && stdout(&shown).contains(word), "{shown:?}");
        }
        let removed = run(&cache, &[&["remove", "default"][..], boards].concat());
        let file = built["file"].as_str().unwrap();
        assert_eq!(stdout(&removed), format!("removed {file}\n"));
    }
}

#[test]
fn equivalent_goals_share_tables() {
    let cache = folder("goals");
    for goal in ["blank-last", "blank-first", "3 1 2/6 4 5/x 7 8"] {
        let arguments = ["build", "--goal", goal, "--size", "3x3", "--output", "json"];
        assert!(run(&cache, &arguments).status.success(), "{goal}");
    }
    // The size follows from a goal that is a board.
    let built = json(&run(&cache, &["build", "--goal", "1 2 3/x 4 5/6 7 8", "--output", "json"]));
    assert_eq!((built["built"].as_bool(), built["blank"].as_u64()), (Some(true), Some(1)));
    let tables: Vec<String> =
        files(&cache).into_iter().filter(|name| name.ends_with(".pdb")).collect();
    assert_eq!(tables, ["3x3-blank0-1,2,3,4,5,6,7_8.pdb", "3x3-blank1-0,2,3,4,5,6,7_8.pdb"]);
}

#[test]
fn commands_handle_automata() {
    let cache = folder("automata");
    let verb = |verb| run(&cache, &[verb, "automaton=9", "--size", "2x5", "--metric", "mtm"]);
    let (name, title) = ("2x5-automaton-9-slides.pdb", "automaton=9 of 2x5 boards, for slides");
    let built = verb("build");
    assert!(stdout(&built).starts_with(&format!("{title}: ")), "{built:?}");
    assert!(files(&cache).contains(&name.to_owned()), "{built:?}");
    assert!(stdout(&verb("build")).starts_with(&format!("{title} exists already\n")));
    let listed = stdout(&run(&cache, &["list"]));
    let row: Vec<&str> = listed.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(row[..5], [name, "2x5", "-", "automaton=9", "sound"], "{listed}");
    let info = stdout(&verb("info"));
    assert!(info.contains("moves remembered  states\n               0      10\n"), "{info}");
    assert!(stdout(&verb("verify")).contains("\nsound: all "));
    assert_eq!(stdout(&verb("remove")), format!("removed {}\n", cache.join(name).display()));
    for (automaton, reason) in [
        ("automaton=7", "those of 8 and more are stored"),
        ("automaton=22", "a 3x3 board have 21 slides"),
        ("automaton=x", "is not a way to prune"),
    ] {
        let refused = run(&cache, &["build", automaton, "--size", "3x3", "--metric", "mtm"]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(reason), "{refused:?}");
    }
}
