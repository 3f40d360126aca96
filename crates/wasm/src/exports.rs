//! What JavaScript sees.

use std::sync::LazyLock;
use std::time::Duration;

use loyd::engine::Clock;
use wasm_bindgen::prelude::*;

use crate::Engine;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;

    /// A function.
    #[derive(Debug)]
    pub type OnEvent;

    #[wasm_bindgen(method, js_name = call)]
    fn tell(this: &OnEvent, receiver: &JsValue, event: &str, data: &str);
}

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let clock = Clock::new(|| Duration::from_secs_f64(now() / 1000.0));
    Engine::new(clock).expect("the configuration is sound")
});

/// Answers a call, as [`Engine::call`] does. `onEvent(event, data)` is called while it works; both are strings, the
/// second one JSON.
///
/// # Errors
/// Throws a fault as a string of JSON.
#[wasm_bindgen]
pub fn call(name: &str, request: &str, #[wasm_bindgen(js_name = onEvent)] on_event: &OnEvent) -> Result<String, String> {
    ENGINE.call(name, request, |event, data| on_event.tell(&JsValue::NULL, event, data))
}
