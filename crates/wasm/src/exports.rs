//! The JavaScript interface.

use std::cell::RefCell;
use std::panic;
use std::time::Duration;

use loyd::engine::Clock;
use wasm_bindgen::prelude::*;

use crate::Engine;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;

    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn fill(bytes: &mut [u8]);

    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn log_error(text: &str);

    /// A JavaScript function.
    #[derive(Debug)]
    pub type OnEvent;

    #[wasm_bindgen(method, js_name = call)]
    fn invoke(this: &OnEvent, receiver: &JsValue, event: &str, data: &str);
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(engine());
}

fn engine() -> Engine {
    // Without the hook, a panic would end the module without a message.
    panic::set_hook(Box::new(|panic| log_error(&panic.to_string())));
    let clock = Clock::new(|| Duration::from_secs_f64(now() / 1000.0));
    Engine::new(clock, || {
        let mut bytes = [0; 8];
        fill(&mut bytes);
        u64::from_le_bytes(bytes)
    })
}

/// Answers a call; see [`Engine::call`]. While it runs, `onEvent(event, data)` is called with two strings, the second
/// one JSON.
///
/// # Errors
/// Throws a fault as a string of JSON.
#[wasm_bindgen]
pub fn call(
    name: &str,
    request: &str,
    #[wasm_bindgen(js_name = onEvent)] on_event: &OnEvent,
) -> Result<String, String> {
    let report = |event: &str, data: &str| on_event.invoke(&JsValue::NULL, event, data);
    ENGINE.with_borrow_mut(|engine| engine.call(name, request, report))
}
