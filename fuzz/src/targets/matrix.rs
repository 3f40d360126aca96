//! Matrices of distances. The first line has the size of the boards.

use loyd::Size;
use loyd::search::DistanceMatrix;

use crate::laws;

pub fn check(bytes: &[u8]) {
    let (size, text) = laws::sized(bytes);
    let read = DistanceMatrix::parse(&text);
    match &read {
        Ok(matrix) => {
            assert!((1..=Size::MAX_CELLS).contains(&matrix.cells()));
            assert_eq!(DistanceMatrix::parse(&matrix.to_string()), read);
            assert_eq!(DistanceMatrix::parse(&format!("\r\n{text}\n\n")), read);
            let size = size.unwrap_or(Size::EIGHT);
            let entries = || size.iter_cells().flat_map(|a| size.iter_cells().map(move |b| (a, b)));
            if matrix.cells() != size.cells() {
                assert!(!matrix.is_admissible(size));
            } else {
                let most = |(a, b)| matrix.entry(a, b) <= DistanceMatrix::MAX_ENTRY;
                assert!(entries().all(most));
                let low = |(a, b)| matrix.entry(a, b) <= size.distance(a, b);
                assert_eq!(matrix.is_admissible(size), entries().all(low));
            }
        }
        Err(error) => {
            let line = text.lines().nth(error.line - 1).unwrap_or_default();
            assert!(error.line == 1 || error.line <= text.lines().count(), "{error:?}");
            assert!((1..=line.chars().count().max(1)).contains(&error.column), "{error:?}");
            assert!(!error.message.is_empty() && error.message.len() < 300, "{error:?}");
        }
    }
}
