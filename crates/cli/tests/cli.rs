//! Every command, every output form and every error, as a user sees them.

#[test]
fn commands_print_what_is_written_down() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
}

#[test]
fn the_examples_in_readme_are_true() {
    trycmd::TestCases::new().case("../../README.md");
}
