//! Boards among the values of a pickle.

use std::borrow::Cow;

use loyd::Size;

use super::machine::{Id, Value};

/// Looks for boards.
pub struct Finder<'a> {
    bytes: &'a [u8],
    values: &'a [Value],
    /// The numbers that may still be found: a pickle of few bytes can name the same ones again and again.
    left: usize,
}

/// How deep objects may lie in others.
const DEPTH: u32 = 6;

/// Numbers, and the lengths of the sides of an array of them.
struct Array {
    numbers: Vec<u32>,
    sides: Vec<usize>,
}

impl<'a> Finder<'a> {
    /// Looks among `values`, which are those of `bytes`.
    pub fn new(bytes: &'a [u8], values: &'a [Value]) -> Self {
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

    /// What a dictionary has under `key`; what was set last counts.
    fn entry(&self, id: Id, key: &[u8]) -> Option<Id> {
        let Value::Dict(entries) = self.value(id) else { return None };
        let found = entries.iter().rev().find(|entry| self.text(entry.0) == Some(key));
        found.map(|entry| entry.1)
    }

    /// All boards of `top`: under `states`, or else in `top` itself.
    pub fn boards(mut self, top: Id) -> Result<Vec<Vec<u32>>, String> {
        let states = self.entry(top, b"states").unwrap_or(top);
        let Value::List(items) = self.value(states) else {
            let array = self.array(states, DEPTH)?;
            let [rows, sides @ ..] = &array.sides[..] else {
                return Err("there are no boards in it".to_owned());
            };
            let cells = sides.iter().product::<usize>();
            if sides.is_empty() || array.numbers.len() != rows * cells {
                return Err(
                    "an array of boards has one side for the boards and others for cells".into()
                );
            }
            return Ok(array.numbers.chunks_exact(cells.max(1)).map(<[u32]>::to_vec).collect());
        };
        let board = |item: &Id| Ok(self.array(*item, DEPTH)?.numbers);
        items.iter().map(board).collect()
    }

    /// The numbers of a value.
    fn array(&mut self, id: Id, depth: u32) -> Result<Array, String> {
        let no_board = || "what stands for a board is no list of whole numbers".to_owned();
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
                let tiles = self.entry(id, b"tiles").ok_or("a state has no `tiles`")?;
                self.array(tiles, inner)
            }
            Value::Made { state: Some(state), .. } => self.of_object(*state, inner),
            _ => Err(no_board()),
        }
    }

    /// The numbers of an object with this state: that of a NumPy array, a dictionary, or a pair of dictionaries.
    fn of_object(&mut self, state: Id, depth: u32) -> Result<Array, String> {
        match self.value(state) {
            Value::List(parts) => match parts[..] {
                [_, shape, kind, _, data] => self.numpy(shape, kind, data),
                [_, slots] => self.array(slots, depth),
                _ => Err("a state is an object of an unknown kind".to_owned()),
            },
            _ => self.array(state, depth),
        }
    }

    /// The numbers of a NumPy array.
    fn numpy(&mut self, shape: Id, kind: Id, data: Id) -> Result<Array, String> {
        let wrong =
            || "a NumPy array is not one of whole numbers, the lowest byte first".to_owned();
        let Value::List(sides) = self.value(shape) else { return Err(wrong()) };
        let side = |&id: &Id| usize::try_from(self.number(id)?).ok();
        let sides: Vec<usize> = sides.iter().map(side).collect::<Option<_>>().ok_or_else(wrong)?;
        let bytes = self.item_bytes(kind).ok_or_else(wrong)?;
        let data = self.data(data).ok_or_else(wrong)?;
        let length = sides.iter().try_fold(bytes, |product, &side| product.checked_mul(side));
        if length != Some(data.len()) {
            return Err("a NumPy array has not as many bytes as its shape says".to_owned());
        }
        self.spend(data.len() / bytes)?;
        let number = |item: &[u8]| {
            let number = item.iter().rev().fold(0, |n: u64, &byte| n << 8 | u64::from(byte));
            u32::try_from(number).map_err(|_| "a tile has a negative or huge number".to_owned())
        };
        let numbers = data.chunks_exact(bytes).map(number).collect::<Result<_, _>>()?;
        Ok(Array { numbers, sides })
    }

    /// The bytes of an item of a NumPy type.
    fn item_bytes(&self, kind: Id) -> Option<usize> {
        let Value::Made { by, with, state } = self.value(kind) else { return None };
        let (Value::Global { name }, Value::List(arguments)) = (self.value(*by), self.value(*with))
        else {
            return None;
        };
        if &self.bytes[name.clone()] != b"dtype" {
            return None;
        }
        // The second part of the state is the order of bytes.
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

    /// The bytes of an array; protocol 2 has them as a text to be encoded as Latin-1.
    fn data(&self, id: Id) -> Option<Cow<'a, [u8]>> {
        match self.value(id) {
            Value::Bytes(data) => Some(Cow::Borrowed(&self.bytes[data.clone()])),
            Value::Made { by, with, .. } => {
                let (Value::Global { name }, Value::List(arguments)) =
                    (self.value(*by), self.value(*with))
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
            self.left.checked_sub(numbers).ok_or("it names more tiles than it has bytes")?;
        match numbers {
            0 => Err(format!("a board has no tiles; it has {} at most", Size::MAX_CELLS)),
            _ => Ok(()),
        }
    }
}
