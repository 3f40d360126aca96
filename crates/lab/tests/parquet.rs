//! Parquet files are read back as written.
#![cfg(feature = "parquet")]

use std::fs::File;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt8Type, UInt16Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema};
use loyd::notation::parse_board;
use loyd::{CancelToken, Config, Goal};
use loyd_lab::compare::{self, Record};
use loyd_lab::dataset::{Format, LabelOptions, Labeller, WorkLayout, label_all};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Map, Value, json};

/// Writes a file called `name` with `write` and returns its schema and its rows as objects keyed by column.
fn read_back(name: &str, write: impl FnOnce(File)) -> (Arc<Schema>, Vec<Value>) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    write(File::create(&path).unwrap());
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let schema = Arc::clone(reader.schema());
    (schema, reader.build().unwrap().flat_map(|batch| rows(&batch.unwrap())).collect())
}

fn value(column: &dyn Array, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Boolean => column.as_boolean().value(row).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into(),
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(row).into(),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(row).into(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).into(),
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        DataType::FixedSizeList(..) => {
            let list = column.as_fixed_size_list().value(row);
            (0..list.len()).map(|item| value(&list, item)).collect()
        }
        other => panic!("{other}"),
    }
}

fn rows(batch: &RecordBatch) -> Vec<Value> {
    let schema = batch.schema();
    let columns = || schema.fields().iter().zip(batch.columns());
    let row = |row| {
        let values = columns().map(|(field, column)| (field.name().clone(), value(column, row)));
        values.collect::<Map<_, _>>().into()
    };
    (0..batch.num_rows()).map(row).collect()
}

#[test]
fn labelled_boards_are_read_back() {
    let goal = Goal::BlankLast.board("3x2".parse().unwrap()).unwrap();
    let boards = [parse_board("1 2 3/4 0 5", None).unwrap(), goal.clone()];
    let wanted = LabelOptions { first_moves: true, solutions: true, heuristics: vec!["manhattan"] };
    let cancel = CancelToken::new();
    let labels = Labeller::new(&goal, wanted, Config::default(), &cancel, None).unwrap();
    let mut part = labels.part();
    let shape = WorkLayout { threads: NonZeroUsize::MIN, part_rows: 10 };
    label_all(&labels, boards.into_iter(), shape, &cancel, |labelled| {
        part.append(labelled.part);
        ControlFlow::Continue(())
    });
    let (schema, rows) =
        read_back("boards.parquet", |file| part.write(Format::Parquet, file).unwrap());
    assert_eq!(
        rows,
        [
            json!({"board": [1, 2, 3, 4, 0, 5], "distance": 1, "first_moves": 4, "h_manhattan": 1, "moves": "r"}),
            json!({"board": [1, 2, 3, 4, 5, 0], "distance": 0, "first_moves": 0, "h_manhattan": 0, "moves": ""}),
        ]
    );
    let kind = |name| schema.field_with_name(name).unwrap().data_type().clone();
    let DataType::FixedSizeList(tile, 6) = kind("board") else { panic!("{}", kind("board")) };
    assert_eq!(*tile.data_type(), DataType::UInt8);
    assert_eq!([kind("distance"), kind("first_moves")], [DataType::UInt16, DataType::UInt8]);
    let none = read_back("no-boards.parquet", |file| {
        labels.part().write(Format::Parquet, file).unwrap();
    });
    assert_eq!(none, (schema.clone(), Vec::new()));
}

/// All numbers are distinct, so that swapped columns are detected.
#[test]
fn compared_runs_are_read_back() {
    let solved = json!({
        "row": "astar/manhattan/hashed/w1.5", "algorithm": "astar", "heuristic": "manhattan", "closed": "hashed",
        "weight": 1.5, "metric": "stm", "board": "1 2 3/4 0 5", "goal": "1 2 3/4 5 0", "board_id": 1,
        "status": "solved", "stop": null, "length": 2, "optimal": true, "optimal_length": 3, "h": 4, "expanded": 5,
        "generated": 6, "duplicates": 7, "reopened": 8, "peak_bytes": 9, "elapsed_ns": 10, "tables_ns": 11,
        "iterations": [{"bound": 12, "expanded": 13, "generated": 14}],
    });
    let stopped = Record { stop: Some("time".to_owned()), ..Record::default() };
    let records: [Record; 2] = [serde_json::from_value(solved).unwrap(), stopped];
    let (_, rows) = read_back("runs.parquet", |file| compare::parquet(&records, file).unwrap());
    let expected = records.map(|record| {
        let mut fields = serde_json::to_value(record).unwrap();
        fields["iterations"] = fields["iterations"].to_string().into();
        fields
    });
    assert_eq!(rows, expected);
}
