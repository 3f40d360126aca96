//! Export of comparisons to Parquet.

use std::io::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt64Array};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;

use super::record::Record;

/// Writes the records as Parquet, one row per record and one column per field; iterations are JSON.
///
/// # Errors
/// Returns an error if the output fails.
pub fn parquet(records: &[Record], to: impl Write + Send) -> Result<()> {
    let batch = RecordBatch::try_from_iter_with_nullable(columns(records))?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(to, batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(())
}

fn columns(records: &[Record]) -> Vec<(&'static str, ArrayRef, bool)> {
    let text = |value: fn(&Record) -> &String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(records.iter().map(value)))
    };
    let maybe_text = |value: fn(&Record) -> Option<&str>| -> ArrayRef {
        Arc::new(StringArray::from_iter(records.iter().map(value)))
    };
    let number = |value: fn(&Record) -> u64| -> ArrayRef {
        Arc::new(UInt64Array::from_iter_values(records.iter().map(value)))
    };
    let maybe_number = |value: fn(&Record) -> Option<u64>| -> ArrayRef {
        Arc::new(UInt64Array::from_iter(records.iter().map(value)))
    };
    let weights: ArrayRef = Arc::new(Float64Array::from_iter(records.iter().map(|r| r.weight)));
    let optimal: Vec<bool> = records.iter().map(|record| record.optimal).collect();
    let optimal: ArrayRef = Arc::new(BooleanArray::from(optimal));
    let iterations = records.iter().map(|record| {
        serde_json::to_string(&record.iterations).expect("iterations are valid JSON")
    });
    let iterations: ArrayRef = Arc::new(StringArray::from_iter_values(iterations));
    vec![
        ("row", text(|r| &r.row), false),
        ("algorithm", text(|r| &r.algorithm), false),
        ("heuristic", maybe_text(|r| r.heuristic.as_deref()), true),
        ("closed", maybe_text(|r| r.closed.as_deref()), true),
        ("weight", weights, true),
        ("prune", maybe_text(|r| r.prune.as_deref()), true),
        ("metric", text(|r| &r.metric), false),
        ("board", text(|r| &r.board), false),
        ("goal", text(|r| &r.goal), false),
        ("board_id", number(|r| r.board_id), false),
        ("status", text(|r| &r.status), false),
        ("stop", maybe_text(|r| r.stop.as_deref()), true),
        ("length", maybe_number(|r| r.length), true),
        ("optimal", optimal, false),
        ("optimal_length", maybe_number(|r| r.optimal_length), true),
        ("h", maybe_number(|r| r.h), true),
        ("expanded", number(|r| r.expanded), false),
        ("generated", number(|r| r.generated), false),
        ("duplicates", number(|r| r.duplicates), false),
        ("reopened", number(|r| r.reopened), false),
        ("peak_bytes", number(|r| r.peak_bytes), false),
        ("elapsed_ns", number(|r| r.elapsed_ns), false),
        ("tables_ns", number(|r| r.tables_ns), false),
        ("iterations", iterations, false),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_match_record_fields() {
        let mut columns: Vec<_> = columns(&[]).into_iter().map(|column| column.0).collect();
        columns.sort_unstable();
        let record = serde_json::to_value(Record::default()).unwrap();
        let mut names: Vec<_> = record.as_object().unwrap().keys().cloned().collect();
        names.sort_unstable();
        assert_eq!(columns, names);
    }
}
