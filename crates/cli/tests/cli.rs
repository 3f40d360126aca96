//! Snapshots of commands, output formats and errors.

/// Returns test cases without a table cache, so that the tables of the user are neither read nor written.
fn cases() -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases.env("LOYD_CACHE", "none");
    cases
}

#[test]
fn commands_match_their_snapshots() {
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
fn examples_in_the_documents_are_true() {
    cases().case("../../README.md").case("../../docs/*.md");
}
