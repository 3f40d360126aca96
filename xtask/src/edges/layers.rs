//! Which crate may depend on which.

/// The libraries, bottom layer first; each may depend only on those before it.
const LAYERS: [&str; 11] = [
    "loyd-search",
    "loyd-tiles",
    "loyd-heuristics",
    "loyd-kernels",
    "loyd-solver",
    "loyd-lab",
    "loyd-arrays",
    "loyd-api",
    "loyd-play",
    "loyd-server",
    "loyd-queue",
];

/// The libraries that front ends may use.
const FOR_FRONT_ENDS: [&str; 7] = [
    "loyd-solver",
    "loyd-lab",
    "loyd-arrays",
    "loyd-api",
    "loyd-play",
    "loyd-server",
    "loyd-queue",
];

/// The programs and packages for users. Among the project's crates they may depend only on [`FOR_FRONT_ENDS`].
const FRONT_ENDS: [&str; 6] =
    ["loyd", "loyd-wasm", "loyd-python", "loyd-cluster", "loyd-fuzz", "xtask"];

/// The Python package includes the command line, so it is the only front end that depends on another.
const EXTRA_EDGE: (&str, &str) = ("loyd-python", "loyd");

/// Returns whether a crate may use `unsafe`.
pub fn may_be_unsafe(name: &str) -> bool {
    name == "loyd-kernels"
}

/// Returns whether a library needs an operating system: files, threads, a clock.
pub fn needs_a_system(name: &str) -> bool {
    ["loyd-lab", "loyd-server", "loyd-queue"].contains(&name)
}

/// Returns whether a crate may print and end the process.
pub fn may_print(name: &str) -> bool {
    FRONT_ENDS.contains(&name)
}

/// Returns the faults of a crate with these dependencies on crates of the project.
pub fn faults(name: &str, dependencies: &[String]) -> Vec<String> {
    let layer = LAYERS.iter().position(|&layer| layer == name);
    if layer.is_none() && !may_print(name) {
        return vec![format!("{name} is missing in the layers (xtask/src/edges/layers.rs)")];
    }
    let allowed = match layer {
        Some(layer) => &LAYERS[..layer],
        None => &FOR_FRONT_ENDS,
    };
    let refused = dependencies
        .iter()
        .filter(|&on| !allowed.contains(&on.as_str()) && (name, on.as_str()) != EXTRA_EDGE);
    let rule = match layer {
        Some(0) => "it may depend on no crate".to_owned(),
        Some(_) => format!("it may depend on {}", allowed.join(", ")),
        None => format!("front ends may depend on {} only", FOR_FRONT_ENDS.join(", ")),
    };
    refused.map(|on| format!("{name} depends on {on}: {rule}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, dependencies: &[&str]) -> Vec<String> {
        let dependencies: Vec<String> = dependencies.iter().map(|&d| d.to_owned()).collect();
        faults(name, &dependencies)
    }

    #[test]
    fn edges_point_down() {
        assert!(check("loyd-search", &[]).is_empty());
        assert!(check("loyd-solver", &["loyd-search", "loyd-kernels"]).is_empty());
        assert_eq!(
            check("loyd-tiles", &["loyd-search", "loyd-heuristics"]),
            ["loyd-tiles depends on loyd-heuristics: it may depend on loyd-search"]
        );
        assert_eq!(
            check("loyd-search", &["loyd-search"]),
            ["loyd-search depends on loyd-search: it may depend on no crate"]
        );
    }

    #[test]
    fn front_ends_use_only_their_libraries() {
        assert!(check("loyd", &["loyd-solver", "loyd-lab"]).is_empty());
        assert_eq!(
            check("loyd", &["loyd-solver", "loyd-tiles"]),
            ["loyd depends on loyd-tiles: \
              front ends may depend on loyd-solver, loyd-lab, loyd-arrays, loyd-api, loyd-play, loyd-server, loyd-queue only"]
        );
        assert_eq!(check("loyd-solver", &["loyd"]).len(), 1);
        assert!(check("loyd-python", &["loyd-solver", "loyd"]).is_empty());
        assert_eq!(check("loyd-wasm", &["loyd-solver", "loyd"]).len(), 1);
        assert_eq!(check("loyd-server", &["loyd"]).len(), 1);
    }

    #[test]
    fn unknown_crates_are_faults() {
        assert_eq!(
            check("loyd-new", &[]),
            ["loyd-new is missing in the layers (xtask/src/edges/layers.rs)"]
        );
    }
}
