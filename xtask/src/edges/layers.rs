//! Which crate stands on which.

/// The libraries, from the ground up; a crate may depend on those before it.
const LAYERS: [&str; 9] = [
    "loyd-search",
    "loyd-tiles",
    "loyd-heuristics",
    "loyd-kernels",
    "loyd",
    "loyd-lab",
    "loyd-api",
    "loyd-play",
    "loyd-server",
];

/// What front ends see of the libraries.
const FOR_FRONT_ENDS: [&str; 5] = ["loyd", "loyd-lab", "loyd-api", "loyd-play", "loyd-server"];

/// What users run. Of the project's crates they may depend on [`FOR_FRONT_ENDS`] alone.
const FRONT_ENDS: [&str; 6] =
    ["loyd-cli", "loyd-wasm", "loyd-python", "loyd-cluster", "loyd-fuzz", "xtask"];

/// The package for Python brings the command line along: the one front end that depends on another.
const BESIDE: (&str, &str) = ("loyd-python", "loyd-cli");

/// The only home of `unsafe`.
pub fn may_be_unsafe(name: &str) -> bool {
    name == "loyd-kernels"
}

/// Whether a library needs a system: files, threads, a clock.
pub fn needs_a_system(name: &str) -> bool {
    name == "loyd-lab" || name == "loyd-server"
}

/// Whether a crate may print and end the process.
pub fn may_print(name: &str) -> bool {
    FRONT_ENDS.contains(&name)
}

/// What is wrong with a crate that depends on these others of the project.
pub fn faults(name: &str, dependencies: &[String]) -> Vec<String> {
    let layer = LAYERS.iter().position(|&layer| layer == name);
    if layer.is_none() && !may_print(name) {
        return vec![format!("{name} has no place in the layers (xtask/src/edges/layers.rs)")];
    }
    let allowed = match layer {
        Some(layer) => &LAYERS[..layer],
        None => &FOR_FRONT_ENDS,
    };
    let refused = dependencies
        .iter()
        .filter(|&on| !allowed.contains(&on.as_str()) && (name, on.as_str()) != BESIDE);
    let rule = match layer {
        Some(0) => "it stands on the ground".to_owned(),
        Some(_) => format!("it stands on {}", allowed.join(", ")),
        None => format!("front ends use {} alone", FOR_FRONT_ENDS.join(", ")),
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
        assert!(check("loyd", &["loyd-search", "loyd-kernels"]).is_empty());
        assert_eq!(
            check("loyd-tiles", &["loyd-search", "loyd-heuristics"]),
            ["loyd-tiles depends on loyd-heuristics: it stands on loyd-search"]
        );
        assert_eq!(
            check("loyd-search", &["loyd-search"]),
            ["loyd-search depends on loyd-search: it stands on the ground"]
        );
    }

    #[test]
    fn front_ends_use_the_libraries_for_them_alone() {
        assert!(check("loyd-cli", &["loyd", "loyd-lab"]).is_empty());
        assert_eq!(
            check("loyd-cli", &["loyd", "loyd-tiles"]),
            ["loyd-cli depends on loyd-tiles: \
                 front ends use loyd, loyd-lab, loyd-api, loyd-play, loyd-server alone"]
        );
        assert_eq!(check("loyd", &["loyd-cli"]).len(), 1);
        assert!(check("loyd-python", &["loyd", "loyd-cli"]).is_empty());
        assert_eq!(check("loyd-wasm", &["loyd", "loyd-cli"]).len(), 1);
        assert_eq!(check("loyd-server", &["loyd-cli"]).len(), 1);
    }

    #[test]
    fn a_crate_without_a_place_is_refused() {
        assert_eq!(
            check("loyd-new", &[]),
            ["loyd-new has no place in the layers (xtask/src/edges/layers.rs)"]
        );
    }
}
