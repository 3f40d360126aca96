//! Commands and forms that are heavy to build: each is there only if the cargo feature of its name is on.

use anyhow::{Error, Result, anyhow};

/// The commands and forms, and whether this program has them: `("name", cfg!(feature = "name"))`.
const COMMANDS: [(&str, bool); 1] = [("parquet", cfg!(feature = "parquet"))];

/// Refuses a command or a form that this program was built without.
///
/// # Errors
/// How to get it.
pub fn check(command: &str) -> Result<()> {
    check_in(&COMMANDS, command)
}

fn check_in(commands: &[(&str, bool)], command: &str) -> Result<()> {
    if commands.contains(&(command, false)) {
        return Err(missing(command, command));
    }
    Ok(())
}

/// What is said of a command that is there with `feature`.
pub fn missing(command: &str, feature: &str) -> Error {
    anyhow!(
        "loyd was built without `{command}`; \
         `cargo install --path crates/cli --features {feature}` adds it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_was_left_out_says_how_to_get_it() {
        let commands = [("play", true), ("serve", false)];
        assert!(check_in(&commands, "play").is_ok() && check_in(&commands, "solve").is_ok());
        assert_eq!(
            check_in(&commands, "serve").unwrap_err().to_string(),
            "loyd was built without `serve`; \
             `cargo install --path crates/cli --features serve` adds it"
        );
    }
}
