//! Boards in pickles.

use loyd_lab::dataset::pickle::boards;

pub fn check(bytes: &[u8]) {
    match boards(bytes) {
        Ok(boards) => {
            let tiles: usize = boards.iter().map(Vec::len).sum();
            assert!(tiles <= bytes.len() && boards.iter().all(|board| !board.is_empty()));
        }
        Err(error) => {
            assert!(error.at <= bytes.len(), "{error:?}");
            assert!(!error.message.is_empty() && error.message.len() < 300, "{error:?}");
        }
    }
}
