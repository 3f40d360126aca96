//! Records: a line of JSON. The first line has a size or is empty.

use loyd::notation::slashes;
use serde_json::json;

use crate::laws;
use crate::records::{Record, starts_record, status_word};

pub fn check(bytes: &[u8]) {
    // A decision made from the first bytes must not change when more bytes arrive.
    let decision = starts_record(bytes);
    for end in 0..bytes.len().min(64) {
        assert!(starts_record(&bytes[..end]).is_none_or(|early| Some(early) == decision));
    }
    let (size, text) = laws::sized(bytes);
    let record = match Record::read(&text) {
        Err(error) => return assert!(!error.to_string().is_empty()),
        Ok(record) => record,
    };
    assert_eq!(starts_record(text.as_bytes()), Some(true), "{text}");
    let _ = (record.id(), record.goal(None));
    for text in record.solutions().unwrap_or_default() {
        assert!(status_word(&text).is_none_or(|word| word == text.trim()));
    }
    match record.board(size) {
        None => {}
        Some(Err(error)) => laws::is_shown(&error),
        Some(Ok(board)) => {
            let line = json!({"board": slashes(&board).to_string()}).to_string();
            let again = Record::read(&line).expect("it was just written");
            assert_eq!(again.board(size), Some(Ok(board)));
        }
    }
}
