//! `loyd completions` and `loyd man`.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Status;
use crate::args::Cli;
use crate::failure::Failure;

/// Writes completions for `shell`.
pub fn completions(shell: Shell) -> Result<Status, Failure> {
    // Made in memory first: the generator panics when a pipe is closed.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "loyd", &mut text);
    io::stdout().write_all(&text)?;
    Ok(Status::Yes)
}

/// Writes the manual page, with a section for each command.
pub fn man() -> Result<Status, Failure> {
    let mut text = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    sections(&command, &mut text)?;
    io::stdout().write_all(&text)?;
    Ok(Status::Yes)
}

/// Writes a section for each command under `command`, and for those under it.
fn sections(command: &clap::Command, text: &mut Vec<u8>) -> io::Result<()> {
    for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help") {
        let name = subcommand.get_bin_name().unwrap_or(subcommand.get_name()).to_uppercase();
        writeln!(text, ".SH {name}")?;
        let man = clap_mangen::Man::new(subcommand.clone());
        man.render_synopsis_section(text)?;
        man.render_description_section(text)?;
        man.render_options_section(text)?;
        sections(subcommand, text)?;
    }
    Ok(())
}
