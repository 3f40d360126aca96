//! Every command, every output form and every error, as a user sees them.

/// Nothing is kept: the user's own tables are none of the tests' business.
fn cases() -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases.env("LOYD_CACHE", "none");
    cases
}

#[test]
fn commands_print_what_is_written_down() {
    let cases = cases();
    cases.case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
    if cfg!(feature = "parquet") {
        cases.skip("tests/cmd/without_parquet.trycmd");
    }
    if cfg!(feature = "tui") {
        cases.skip("tests/cmd/without_tui.trycmd");
    }
    if cfg!(feature = "serve") {
        cases.skip("tests/cmd/without_serve.trycmd");
    } else {
        cases.skip("tests/cmd/serve.trycmd");
    }
}

#[test]
fn the_examples_in_the_documents_are_true() {
    cases().case("../../README.md").case("../../docs/*.md");
}
