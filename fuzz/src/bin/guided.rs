//! libFuzzer for the target named by `LOYD_FUZZ_TARGET`; `cargo xtask fuzz` builds and runs it.
#![forbid(unsafe_code)]
#![no_main]

use std::sync::LazyLock;

use loyd_fuzz::Target;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("LOYD_FUZZ_TARGET").unwrap_or_default();
    Target::named(&name).unwrap_or_else(|error| panic!("LOYD_FUZZ_TARGET: {error}"))
});

libfuzzer_sys::fuzz_target!(init: { LazyLock::force(&TARGET); }, |bytes: &[u8]| {
    (TARGET.check)(bytes);
});
