//! Generates the JavaScript bindings of a module.

use std::path::PathBuf;

use wasm_bindgen_cli_support::Bindgen;

use anyhow::Result;

/// Write the JavaScript that loads a module, and the module in the form that it expects.
#[derive(clap::Args)]
pub struct BindgenArgs {
    module: PathBuf,
    out: PathBuf,
}

pub fn bind(args: &BindgenArgs) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&args.module).web(true)?.typescript(false).omit_default_module_path(false);
    bindgen.remove_name_section(true).remove_producers_section(true).generate(&args.out)
}
