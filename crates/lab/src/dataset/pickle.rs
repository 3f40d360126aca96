//! Boards in Python pickles, such as the test sets of DeepCubeA, read without executing them.
//!
//! A pickle is a program for a stack machine. This reader builds the lists, numbers, strings and bytes that it
//! describes and records function calls symbolically: it imports nothing and runs no Python code. It then looks for
//! boards under the key `states`: lists of numbers, bytes, integer NumPy arrays, or objects with one of these under
//! `tiles`.

use std::borrow::Cow;

use loyd::Size;
use loyd::notation::is_goal_field;

pub use super::pickle_machine::PickleError;
use super::pickle_machine::{self, Id, Value};

/// Maximum size of a pickle in bytes. Reading takes up to about 40 times as much memory.
pub const MAX_BYTES: u64 = 1 << 24;

/// The parts of a pickle that a dataset is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The boards, each as its numbers in reading order, without further checks.
    pub boards: Vec<Vec<u32>>,
    /// The numbers of the goal under a key such as `goal` or `target_state`, if there is one.
    pub goal: Option<Vec<u32>>,
}

/// Returns the boards and the goal in a pickle.
///
/// Cost: time and memory linear in the number of bytes.
///
/// # Errors
/// Returns an error if the bytes are not a pickle of protocol 2 or later, use an unsupported instruction, or contain no
/// boards, if a goal is not a list of numbers, or if two goals differ.
pub fn read(bytes: &[u8]) -> Result<Contents, PickleError> {
    let (values, top) = pickle_machine::run(bytes)?;
    let finder = || Finder::new(bytes, &values);
    let fault = |message: String| PickleError { at: bytes.len(), message: message.into() };
    let boards = finder().boards(top).map_err(fault)?;
    let goal = finder().goal(top).map_err(fault)?;
    Ok(Contents { boards, goal })
}

/// Finds boards among values.
struct Finder<'a> {
    bytes: &'a [u8],
    values: &'a [Value],
    /// Remaining budget of numbers: a short pickle can refer to the same numbers many times.
    left: usize,
}

/// Maximum nesting depth of objects.
const MAX_DEPTH: u32 = 6;

/// Numbers with the shape of their array.
struct Array {
    numbers: Vec<u32>,
    sides: Vec<usize>,
}

impl<'a> Finder<'a> {
    /// Searches `values`, which were read from `bytes`.
    fn new(bytes: &'a [u8], values: &'a [Value]) -> Self {
        Self { bytes, values, left: bytes.len() }
    }

    fn value(&self, id: Id) -> &'a Value {
        &self.values[id as usize]
    }

    fn text(&self, id: Id) -> Option<&'a [u8]> {
        match self.value(id) {
            Value::Bytes(text) => Some(&self.bytes[text.clone()]),
            _ => None,
        }
    }

    /// Returns the entry of a dictionary under `key`; the last one if there are several.
    fn entry(&self, id: Id, key: &[u8]) -> Option<Id> {
        let Value::Dict(entries) = self.value(id) else { return None };
        let found = entries.iter().rev().find(|entry| self.text(entry.0) == Some(key));
        found.map(|entry| entry.1)
    }

    /// Returns all boards under the key `states` of `top`, or in `top` itself if it has no such key.
    fn boards(mut self, top: Id) -> Result<Vec<Vec<u32>>, String> {
        let states = self.entry(top, b"states").unwrap_or(top);
        let Value::List(items) = self.value(states) else {
            let array = self.array(states, MAX_DEPTH)?;
            let [rows, sides @ ..] = &array.sides[..] else {
                return Err("no boards found".to_owned());
            };
            let cells = sides.iter().product::<usize>();
            if sides.is_empty() || array.numbers.len() != rows * cells {
                return Err(
                    "an array of boards needs one axis for the boards and others for the cells"
                        .into(),
                );
            }
            return Ok(array.numbers.chunks_exact(cells.max(1)).map(<[u32]>::to_vec).collect());
        };
        let board = |item: &Id| Ok(self.array(*item, MAX_DEPTH)?.numbers);
        items.iter().map(board).collect()
    }

    /// Returns the goal under a key of `top`.
    fn goal(mut self, top: Id) -> Result<Option<Vec<u32>>, String> {
        let Value::Dict(entries) = self.value(top) else { return Ok(None) };
        let mut found: Option<Vec<u32>> = None;
        for &(key, value) in entries {
            let key = self.text(key).and_then(|key| std::str::from_utf8(key).ok());
            let Some(key) = key.filter(|key| is_goal_field(key)) else { continue };
            let is_label = |text: &[u8]| text.iter().all(|byte| matches!(byte, b' '..=b'~'));
            let numbers = match self.value(value) {
                Value::Other => continue,
                Value::Bytes(text) if is_label(&self.bytes[text.clone()]) => {
                    match key.to_ascii_lowercase().contains("goal") {
                        true => {
                            return Err(format!("`{key}` is a text: give the goal with --goal"));
                        }
                        false => continue,
                    }
                }
                _ => {
                    self.array(value, MAX_DEPTH)
                        .map_err(|error| format!("`{key}`: {error}"))?
                        .numbers
                }
            };
            match &found {
                Some(other) if *other != numbers => {
                    return Err("it has goals that differ".to_owned());
                }
                _ => found = Some(numbers),
            }
        }
        Ok(found)
    }

    /// Returns the numbers of a value.
    fn array(&mut self, id: Id, depth: u32) -> Result<Array, String> {
        let no_board = || "a board is not a list of integers".to_owned();
        let inner = depth.checked_sub(1).ok_or_else(no_board)?;
        match self.value(id) {
            Value::List(items) => {
                self.spend(items.len())?;
                let numbers: Option<Vec<u32>> = items.iter().map(|&id| self.number(id)).collect();
                Ok(Array { sides: vec![items.len()], numbers: numbers.ok_or_else(no_board)? })
            }
            Value::Bytes(bytes) => {
                self.spend(bytes.len())?;
                let numbers = self.bytes[bytes.clone()].iter().map(|&byte| byte.into()).collect();
                Ok(Array { sides: vec![bytes.len()], numbers })
            }
            Value::Dict(_) => {
                let tiles = self.entry(id, b"tiles").ok_or("a state has no key `tiles`")?;
                self.array(tiles, inner)
            }
            Value::Call { state: Some(state), .. } => self.of_object(*state, inner),
            _ => Err(no_board()),
        }
    }

    /// Returns the numbers of an object with this state: that of a NumPy array, a dictionary or a pair of dictionaries.
    fn of_object(&mut self, state: Id, depth: u32) -> Result<Array, String> {
        match self.value(state) {
            Value::List(parts) => match parts[..] {
                [_, shape, kind, _, data] => self.numpy(shape, kind, data),
                [_, slots] => self.array(slots, depth),
                _ => Err("a state is an object of unknown type".to_owned()),
            },
            _ => self.array(state, depth),
        }
    }

    /// Returns the numbers of a NumPy array.
    fn numpy(&mut self, shape: Id, kind: Id, data: Id) -> Result<Array, String> {
        let wrong = || "a NumPy array is not of little-endian integers".to_owned();
        let Value::List(sides) = self.value(shape) else { return Err(wrong()) };
        let side = |&id: &Id| usize::try_from(self.number(id)?).ok();
        let sides: Vec<usize> = sides.iter().map(side).collect::<Option<_>>().ok_or_else(wrong)?;
        let bytes = self.item_bytes(kind).ok_or_else(wrong)?;
        let data = self.data(data).ok_or_else(wrong)?;
        let length = sides.iter().try_fold(bytes, |product, &side| product.checked_mul(side));
        if length != Some(data.len()) {
            return Err("the size of a NumPy array does not match its shape".to_owned());
        }
        self.spend(data.len() / bytes)?;
        let number = |item: &[u8]| {
            let number = item.iter().rev().fold(0, |n: u64, &byte| n << 8 | u64::from(byte));
            u32::try_from(number).map_err(|_| "a tile number is negative or too large".to_owned())
        };
        let numbers = data.chunks_exact(bytes).map(number).collect::<Result<_, _>>()?;
        Ok(Array { numbers, sides })
    }

    /// Returns the size of an item of a NumPy type in bytes; `None` unless it is a little-endian integer.
    fn item_bytes(&self, kind: Id) -> Option<usize> {
        let Value::Call { function, arguments, state } = self.value(kind) else { return None };
        let (Value::Global { name }, Value::List(arguments)) =
            (self.value(*function), self.value(*arguments))
        else {
            return None;
        };
        if &self.bytes[name.clone()] != b"dtype" {
            return None;
        }
        // Index 1 of the state is the byte order.
        if let Some(Value::List(state)) = state.map(|state| self.value(state))
            && state.get(1).and_then(|&order| self.text(order)) == Some(b">")
        {
            return None;
        }
        match self.text(*arguments.first()?)? {
            [b'u' | b'i', digit @ (b'1' | b'2' | b'4' | b'8')] => Some(usize::from(digit - b'0')),
            _ => None,
        }
    }

    /// Returns the bytes of an array. Protocol 2 stores them as a string to be encoded as Latin-1.
    fn data(&self, id: Id) -> Option<Cow<'a, [u8]>> {
        match self.value(id) {
            Value::Bytes(data) => Some(Cow::Borrowed(&self.bytes[data.clone()])),
            Value::Call { function, arguments, .. } => {
                let (Value::Global { name }, Value::List(arguments)) =
                    (self.value(*function), self.value(*arguments))
                else {
                    return None;
                };
                let text = std::str::from_utf8(self.text(*arguments.first()?)?).ok()?;
                let bytes = text.chars().map(|letter| u8::try_from(u32::from(letter)).ok());
                let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
                (&self.bytes[name.clone()] == b"encode").then_some(Cow::Owned(bytes))
            }
            _ => None,
        }
    }

    fn number(&self, id: Id) -> Option<u32> {
        match self.value(id) {
            Value::Number(number) => u32::try_from(*number).ok(),
            _ => None,
        }
    }

    fn spend(&mut self, numbers: usize) -> Result<(), String> {
        self.left =
            self.left.checked_sub(numbers).ok_or("it refers to more tiles than it has bytes")?;
        match numbers {
            0 => Err(format!("a board has no tiles; 1 to {} are allowed", Size::MAX_SEARCH_CELLS)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards(bytes: &[u8]) -> Result<Vec<Vec<u32>>, PickleError> {
        read(bytes).map(|contents| contents.boards)
    }

    fn goal(bytes: &[u8]) -> Result<Option<Vec<u32>>, PickleError> {
        read(bytes).map(|contents| contents.goal)
    }

    /// `pickle.dumps({"states": [[1, 2, 0], (2, 1, 0), b"\x00\x01\x02"]}, protocol=2)`, with the short bytes of protocol 3.
    const LISTS: &[u8] = b"\x80\x02}q\x00U\x06statesq\x01]q\x02(]q\x03(K\x01K\x02K\x00eK\x02K\x01K\x00\x87C\x03\x00\x01\x02es.";

    /// An object with slots that holds a NumPy array, as in DeepCubeA's files.
    const OBJECT: &[u8] = b"\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00}\x8c\x06states](\x8c\x01m\x8c\x0cNPuzzleState\x93)\
        \x81}\x8c\x04hashNs}\x8c\x05tiles\x8c\x15numpy.core.multiarray\x8c\x0c_reconstruct\x93\x8c\x05numpy\x8c\x07ndarray\
        \x93K\x00\x85C\x01b\x87R(K\x01K\x04\x85\x8c\x05numpy\x8c\x05dtype\x93\x8c\x02i2\x89\x88\x87R(K\x03\x8c\x01<NNNJ\xff\
        \xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89C\x08\x03\x00\x01\x00\x00\x00\x02\x00tbs\x86bes.";

    fn message(bytes: &[u8]) -> String {
        boards(bytes).unwrap_err().to_string()
    }

    #[test]
    fn boards_are_read_from_lists_tuples_and_bytes() {
        assert_eq!(boards(LISTS).unwrap(), [[1, 2, 0], [2, 1, 0], [0, 1, 2]]);
    }

    /// `pickle.dumps({"states": [[1, 2, 0]], KEY: [2, 1, 0]}, protocol=2)`, without memos.
    #[test]
    fn goals_are_read_by_their_keys() {
        let with = |entry: &[u8]| {
            [&b"\x80\x02}(U\x06states](](K\x01K\x02K\x00ee"[..], entry, b"u."].concat()
        };
        let numbers = b"](K\x02K\x01K\x00e";
        for (key, wanted) in [("goal", true), ("target_state", true), ("times", false)] {
            let key = [&[b'U', key.len() as u8], key.as_bytes()].concat();
            let read = goal(&with(&[&key[..], numbers].concat())).unwrap();
            assert_eq!(read, wanted.then(|| vec![2, 1, 0]));
        }
        assert_eq!(goal(&with(b"U\x06targetU\x04easy")).unwrap(), None);
        assert_eq!(goal(&with(b"U\x04goalN")).unwrap(), None);
        for entry in [&b"U\x04goalU\x06spiral"[..], b"U\x04goalK\x05", b"U\x04goal](U\x01ae"] {
            assert!(goal(&with(entry)).is_err());
        }
        assert_eq!(goal(LISTS).unwrap(), None);
    }

    #[test]
    fn boards_are_read_from_objects_with_numpy_arrays() {
        assert_eq!(boards(OBJECT).unwrap(), [[3, 1, 0, 2]]);
    }

    /// Files written by Python that contain the same two boards in all supported forms.
    #[test]
    fn boards_are_read_from_files_of_every_protocol() {
        let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/pickle");
        let boards_of =
            |file: &std::fs::DirEntry| boards(&std::fs::read(file.path()).unwrap()).unwrap();
        let files: Vec<_> = std::fs::read_dir(seeds).unwrap().map(|file| file.unwrap()).collect();
        assert!(files.len() >= 9);
        for file in files {
            let expected = [[1, 2, 3, 4, 5, 6, 7, 0, 8], [8, 1, 3, 4, 0, 2, 7, 6, 5]];
            assert_eq!(boards_of(&file), expected, "{}", file.path().display());
        }
    }

    #[test]
    fn errors_name_the_byte_and_the_reason() {
        assert_eq!(message(b""), "byte 0 of the pickle: the file ends here");
        assert_eq!(message(&LISTS[..20]), "byte 20 of the pickle: the file ends here");
        assert!(message(b"\x80\x02i").ends_with("unsupported instruction 0x69"));
        assert!(message(b"\x80\x02K\x01.").contains("not a list of integers"));
        let unsigned = OBJECT.iter().position(|&byte| byte == b'<').unwrap();
        let mut big = OBJECT.to_vec();
        big[unsigned] = b'>';
        assert!(message(&big).contains("little-endian"));
    }

    #[test]
    fn repeated_references_are_limited() {
        // A list of 100 numbers, to which another list refers 100 times.
        let mut bytes = b"\x80\x02](".to_vec();
        bytes.extend(b"](");
        bytes.extend(b"K\x01".repeat(100));
        bytes.extend(b"eq\x00");
        bytes.extend(b"h\x00".repeat(100));
        bytes.extend(b"e.");
        assert!(message(&bytes).ends_with("it refers to more tiles than it has bytes"));
    }
}
