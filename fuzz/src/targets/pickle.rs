//! Boards in pickles.

use loyd_lab::dataset::pickle::{Contents, read};

pub fn check(bytes: &[u8]) {
    match read(bytes) {
        Ok(Contents { boards, goal: _ }) => {
            let tiles: usize = boards.iter().map(Vec::len).sum();
            assert!(tiles <= bytes.len() && boards.iter().all(|board| !board.is_empty()));
        }
        Err(error) => {
            assert!(error.at <= bytes.len(), "{error:?}");
            assert!(!error.message.is_empty() && error.message.len() < 300, "{error:?}");
        }
    }
}
