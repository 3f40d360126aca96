//! The pickle machine, restricted to the instructions that files of boards use.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Reason why a pickle cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at} of the pickle: {message}")]
pub struct PickleError {
    /// Byte offset, from 0.
    pub at: usize,
    /// Description.
    pub message: Cow<'static, str>,
}

/// Index of a value.
pub type Id = u32;

/// A value. Values refer to each other by index, so cycles are harmless.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer.
    Number(i64),
    /// Bytes or a string, as a range of the file.
    Bytes(Range<usize>),
    /// A list or a tuple.
    List(Vec<Id>),
    /// A dictionary.
    Dict(Vec<(Id, Id)>),
    /// An imported name.
    Global {
        /// The name within its module.
        name: Range<usize>,
    },
    /// Result of a call that is not executed.
    Call {
        /// The function.
        function: Id,
        /// Tuple of its arguments.
        arguments: Id,
        /// State to be set afterwards.
        state: Option<Id>,
    },
    /// A value that boards do not use: None, a boolean, a float, a long integer.
    Other,
}

struct Machine<'a> {
    bytes: &'a [u8],
    at: usize,
    values: Vec<Value>,
    stack: Vec<Id>,
    /// Height of the stack at each mark.
    marks: Vec<usize>,
    memo: HashMap<u32, Id>,
}

/// Reads a pickle and returns all values and the index of the result.
pub fn run(bytes: &[u8]) -> Result<(Vec<Value>, Id), PickleError> {
    let mut machine = Machine {
        bytes,
        at: 0,
        values: Vec::new(),
        stack: Vec::new(),
        marks: Vec::new(),
        memo: HashMap::new(),
    };
    loop {
        let start = machine.at;
        match machine.step() {
            Ok(None) => {}
            Ok(Some(result)) => return Ok((machine.values, result)),
            Err(message) => return Err(PickleError { at: start, message: message.into() }),
        }
    }
}

impl Machine<'_> {
    fn take(&mut self, bytes: u64) -> Result<Range<usize>, String> {
        let left = self.bytes.len() - self.at;
        let length = usize::try_from(bytes).ok().filter(|&bytes| bytes <= left);
        let start = self.at;
        self.at += length.ok_or("the file ends here")?;
        Ok(start..self.at)
    }

    /// Reads a little-endian number of `bytes` bytes.
    fn number(&mut self, bytes: u64) -> Result<u64, String> {
        let range = self.take(bytes)?;
        Ok(self.bytes[range].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    /// Reads bytes preceded by their count, a number of `bytes` bytes.
    fn prefixed_bytes(&mut self, bytes: u64) -> Result<Range<usize>, String> {
        let length = self.number(bytes)?;
        self.take(length)
    }

    fn line(&mut self) -> Result<Range<usize>, String> {
        let length = self.bytes[self.at..].iter().position(|&byte| byte == b'\n');
        let line = self.take(length.ok_or("the file ends here")? as u64)?;
        self.at += 1;
        Ok(line)
    }

    fn push(&mut self, value: Value) -> Result<(), String> {
        let id = self.values.len() as Id;
        self.values.push(value);
        self.stack.push(id);
        Ok(())
    }

    fn pop(&mut self) -> Result<Id, String> {
        let bottom = self.marks.last().copied().unwrap_or(0);
        let top = if self.stack.len() > bottom { self.stack.pop() } else { None };
        top.ok_or_else(|| "the stack is empty".to_owned())
    }

    /// Returns the value on top of the stack without removing it.
    fn top(&mut self) -> Result<&mut Value, String> {
        let top = self.stack.last().ok_or("the stack is empty")?;
        Ok(&mut self.values[*top as usize])
    }

    /// Pops all values above the last mark, and the mark.
    fn pop_to_mark(&mut self) -> Result<Vec<Id>, String> {
        let mark = self.marks.pop().ok_or("the stack has no mark")?;
        Ok(self.stack.split_off(mark))
    }

    fn tuple(&mut self, length: usize) -> Result<(), String> {
        let mut items = (0..length).map(|_| self.pop()).collect::<Result<Vec<_>, _>>()?;
        items.reverse();
        self.push(Value::List(items))
    }

    fn append(&mut self, items: Vec<Id>) -> Result<(), String> {
        let Value::List(list) = self.top()? else {
            return Err("the value is not a list".to_owned());
        };
        list.extend(items);
        Ok(())
    }

    fn set(&mut self, items: &[Id]) -> Result<(), String> {
        let Value::Dict(dict) = self.top()? else {
            return Err("the value is not a dictionary".to_owned());
        };
        dict.extend(items.chunks_exact(2).map(|pair| (pair[0], pair[1])));
        Ok(())
    }

    fn memo_get(&mut self, key: u32) -> Result<(), String> {
        let id = self.memo.get(&key).ok_or("the memo has no such entry")?;
        self.stack.push(*id);
        Ok(())
    }

    fn memo_put(&mut self, key: u32) -> Result<(), String> {
        let id = *self.stack.last().ok_or("the stack is empty")?;
        self.memo.insert(key, id);
        Ok(())
    }

    /// Pushes the symbolic result of calling the second value from the top with the top.
    fn call(&mut self) -> Result<(), String> {
        let (arguments, function) = (self.pop()?, self.pop()?);
        self.push(Value::Call { function, arguments, state: None })
    }

    fn build(&mut self) -> Result<(), String> {
        let set = self.pop()?;
        match self.top()? {
            Value::Call { state, .. } => *state = Some(set),
            _ => return Err("the value is not an object".to_owned()),
        }
        Ok(())
    }

    /// Pops a string.
    fn text(&mut self) -> Result<Range<usize>, String> {
        let id = self.pop()?;
        match &self.values[id as usize] {
            Value::Bytes(text) => Ok(text.clone()),
            _ => Err("the value is not a string".to_owned()),
        }
    }

    /// Executes one instruction; returns the result after the last.
    fn step(&mut self) -> Result<Option<Id>, String> {
        let code = self.number(1)? as u8;
        match code {
            b'.' => return self.pop().map(Some),
            b'(' => self.marks.push(self.stack.len()),
            b'0' => {
                self.pop()?;
            }
            b'2' => {
                let top = self.pop()?;
                self.stack.extend([top, top]);
            }
            // Protocol version and frame length are not needed.
            0x80 | 0x95 => {
                self.take(if code == 0x80 { 1 } else { 8 })?;
            }
            b'K' | b'M' | b'J' | 0x8a | b'G' | b'N' | 0x88 | 0x89 => self.scalar(code)?,
            b'U' | b'C' | 0x8c | b'T' | b'B' | b'X' | 0x8d | 0x8e | 0x96 => self.bytes(code)?,
            b'}' => self.push(Value::Dict(Vec::new()))?,
            b']' | b')' => self.push(Value::List(Vec::new()))?,
            b't' | b'l' => {
                let items = self.pop_to_mark()?;
                self.push(Value::List(items))?;
            }
            0x85..=0x87 => self.tuple(usize::from(code - 0x84))?,
            b'a' => {
                let item = self.pop()?;
                self.append(vec![item])?;
            }
            b'e' => {
                let items = self.pop_to_mark()?;
                self.append(items)?;
            }
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.set(&[key, value])?;
            }
            b'u' => {
                let items = self.pop_to_mark()?;
                self.set(&items)?;
            }
            b'h' | b'j' | b'q' | b'r' | 0x94 => self.memory(code)?,
            b'c' => {
                self.line()?;
                let name = self.line()?;
                self.push(Value::Global { name })?;
            }
            0x93 => {
                let name = self.text()?;
                self.text()?;
                self.push(Value::Global { name })?;
            }
            b'R' | 0x81 => self.call()?,
            b'b' => self.build()?,
            _ => return Err(format!("unsupported instruction {code:#04x}")),
        }
        Ok(None)
    }

    fn scalar(&mut self, code: u8) -> Result<(), String> {
        let value = match code {
            b'K' => Value::Number(self.number(1)? as i64),
            b'M' => Value::Number(self.number(2)? as i64),
            b'J' => Value::Number((self.number(4)? as i32).into()),
            b'G' => {
                self.take(8)?;
                Value::Other
            }
            0x8a => {
                self.prefixed_bytes(1)?;
                Value::Other
            }
            _ => Value::Other,
        };
        self.push(value)
    }

    fn bytes(&mut self, code: u8) -> Result<(), String> {
        let bytes = match code {
            b'U' | b'C' | 0x8c => self.prefixed_bytes(1)?,
            b'T' | b'B' | b'X' => self.prefixed_bytes(4)?,
            _ => self.prefixed_bytes(8)?,
        };
        self.push(Value::Bytes(bytes))
    }

    fn memory(&mut self, code: u8) -> Result<(), String> {
        match code {
            b'h' | b'q' => {
                let key = self.number(1)? as u32;
                if code == b'h' { self.memo_get(key) } else { self.memo_put(key) }
            }
            b'j' | b'r' => {
                let key = self.number(4)? as u32;
                if code == b'j' { self.memo_get(key) } else { self.memo_put(key) }
            }
            _ => self.memo_put(self.memo.len() as u32),
        }
    }
}
