//! Answers on their way out.

use std::io::{self, Write};

use super::fault::Fault;
use super::letters::{self, LONGEST};
use super::tally::Tally;
use crate::cpu::Level;
use crate::tables::UNSOLVABLE;

/// Bytes gathered before they are written.
const WRITE_BYTES: usize = 64 << 10;

/// Gathers answers, counts them and writes them in large pieces.
pub struct Output<'a> {
    writer: &'a mut dyn Write,
    buffer: Vec<u8>,
    used: usize,
    level: Level,
    on_fault: &'a mut dyn FnMut(&Fault),
    tally: Tally,
}

impl<'a> Output<'a> {
    /// Nothing answered yet.
    pub fn new(
        writer: &'a mut dyn Write,
        level: Level,
        on_fault: &'a mut dyn FnMut(&Fault),
    ) -> Self {
        let buffer = vec![0; WRITE_BYTES];
        Self { writer, buffer, used: 0, level, on_fault, tally: Tally::default() }
    }

    /// Answers boards by the indices of their path words: a batch, or a single one.
    pub fn answer(&mut self, indices: &[u32]) -> io::Result<()> {
        self.make_room(LONGEST * indices.len())?;
        self.used += letters::write(self.level, indices, &mut self.buffer[self.used..]);
        let unsolvable = indices.iter().filter(|&&index| index == UNSOLVABLE).count() as u64;
        self.tally.cases += indices.len() as u64;
        self.tally.unsolvable += unsolvable;
        self.tally.solved += indices.len() as u64 - unsolvable;
        Ok(())
    }

    /// Answers an invalid case.
    pub fn invalid(&mut self, fault: &Fault) -> io::Result<()> {
        const ANSWER: &[u8] = b"invalid\n";
        self.make_room(ANSWER.len())?;
        self.buffer[self.used..][..ANSWER.len()].copy_from_slice(ANSWER);
        self.used += ANSWER.len();
        self.tally.cases += 1;
        self.tally.invalid += 1;
        (self.on_fault)(fault);
        Ok(())
    }

    /// Writes out all that was answered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.writer.flush()
    }

    /// The counts so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    fn make_room(&mut self, bytes: usize) -> io::Result<()> {
        if self.buffer.len() - self.used < bytes { self.write_out() } else { Ok(()) }
    }

    fn write_out(&mut self) -> io::Result<()> {
        let used = std::mem::take(&mut self.used);
        self.writer.write_all(&self.buffer[..used])
    }
}
