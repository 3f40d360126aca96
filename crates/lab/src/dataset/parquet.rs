//! Parquet output of rows, through Arrow.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{
    ArrayRef, FixedSizeListArray, RecordBatch, StringArray, UInt8Array, UInt16Array,
};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::part::{Numbers, Part};

/// Writes `part` as one row group.
pub fn write(part: &Part, out: impl Write + Send) -> io::Result<()> {
    let (schema, arrays) = columns(part).map_err(io::Error::other)?;
    let schema = Arc::new(schema);
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(io::Error::other)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(part.len().max(1)))
        .build();
    let mut writer =
        ArrowWriter::try_new(out, schema, Some(properties)).map_err(io::Error::other)?;
    writer.write(&batch).map_err(io::Error::other)?;
    writer.close().map_err(io::Error::other)?;
    Ok(())
}

fn columns(part: &Part) -> Result<(Schema, Vec<ArrayRef>), arrow_schema::ArrowError> {
    let tile = Arc::new(Field::new("item", DataType::UInt8, false));
    let cells = part.size.cells() as i32;
    let tiles = Arc::new(UInt8Array::from(part.boards.clone()));
    let boards = FixedSizeListArray::try_new(Arc::clone(&tile), cells, tiles, None)?;
    let board = Field::new("board", DataType::FixedSizeList(tile, cells), false);
    let (mut fields, mut arrays): (_, Vec<ArrayRef>) = (vec![board], vec![Arc::new(boards)]);
    for (name, numbers) in part.numbers() {
        let (kind, array): (_, ArrayRef) = match numbers {
            Numbers::Bytes(bytes) => (DataType::UInt8, Arc::new(UInt8Array::from(bytes))),
            Numbers::Words(words) => (DataType::UInt16, Arc::new(UInt16Array::from(words))),
        };
        fields.push(Field::new(name, kind, false));
        arrays.push(array);
    }
    if let Some(moves) = part.moves() {
        fields.push(Field::new("moves", DataType::Utf8, false));
        arrays.push(Arc::new(StringArray::from_iter_values(moves)));
    }
    Ok((Schema::new(fields), arrays))
}
