//! External merge sort of states: sorted runs that do not fit in memory are stored in files.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::packed::PackedState;

/// Storage for runs.
pub trait Scratch: Read + Write + Seek {}

impl<S: Read + Write + Seek> Scratch for S {}

/// Minimum number of states read or written at once.
pub const MIN_CHUNK: usize = 1 << 9;

/// A sorted run, partly in memory and partly in a file.
pub struct Run<const N: usize> {
    /// Byte offset of the next states in the file, and their number.
    at: u64,
    left: u64,
    read: Vec<PackedState<N>>,
    position: usize,
    chunk: usize,
}

impl<const N: usize> Run<N> {
    /// Creates a run that is entirely in memory.
    pub fn in_memory(states: Vec<PackedState<N>>) -> Self {
        Self { at: 0, left: 0, read: states, position: 0, chunk: 0 }
    }

    /// Returns the next state, reading from `file` if the states in memory are used up.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn next(&mut self, file: Option<&mut impl Scratch>) -> io::Result<Option<PackedState<N>>> {
        if self.position == self.read.len()
            && let Some(file) = file
        {
            self.fill(file)?;
        }
        let next = self.read.get(self.position).copied();
        self.position += 1;
        Ok(next)
    }

    fn fill(&mut self, file: &mut impl Scratch) -> io::Result<()> {
        let states = self.left.min(self.chunk as u64);
        let mut bytes = vec![0; states as usize * PackedState::<N>::BYTES];
        file.seek(SeekFrom::Start(self.at))?;
        file.read_exact(&mut bytes)?;
        self.read.clear();
        self.read.extend(bytes.chunks_exact(PackedState::<N>::BYTES).map(|bytes| {
            let word = |i: usize| bytes[8 * i..8 * i + 8].try_into().expect("eight bytes");
            PackedState(std::array::from_fn(|i| u64::from_le_bytes(word(i))))
        }));
        (self.position, self.left) = (0, self.left - states);
        self.at += bytes.len() as u64;
        Ok(())
    }
}

/// Writes runs to a file, one after the other.
pub struct RunWriter<const N: usize, S> {
    file: Option<S>,
    end: u64,
    /// Offset and length of each run.
    runs: Vec<(u64, u64)>,
}

impl<const N: usize, S: Scratch> RunWriter<N, S> {
    /// Creates a writer without runs.
    pub fn new() -> Self {
        Self { file: None, end: 0, runs: Vec::new() }
    }

    /// Writes `states` as a new run or appends them to the last one. `make` creates the file on first use.
    pub fn write(
        &mut self,
        states: &[PackedState<N>],
        is_new: bool,
        make: impl FnOnce() -> io::Result<S>,
    ) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(make()?),
        };
        for chunk in states.chunks(MIN_CHUNK) {
            let bytes: Vec<u8> =
                chunk.iter().flat_map(|state| state.0).flat_map(u64::to_le_bytes).collect();
            file.write_all(&bytes)?;
        }
        match self.runs.last_mut().filter(|_| !is_new) {
            Some((_, length)) => *length += states.len() as u64,
            None => self.runs.push((self.end, states.len() as u64)),
        }
        self.end += (states.len() * PackedState::<N>::BYTES) as u64;
        Ok(())
    }

    /// Returns the number of runs.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Returns the runs, to be read `chunk` states at a time, and their file.
    pub fn into_runs(self, chunk: usize) -> (Vec<Run<N>>, Option<S>) {
        let run = |(at, left)| Run { at, left, read: Vec::new(), position: 0, chunk };
        (self.runs.into_iter().map(run).collect(), self.file)
    }
}

/// Sorts states and merges equal ones, combining their move bits.
pub fn sort_and_merge<const N: usize>(states: &mut Vec<PackedState<N>>) {
    states.sort_unstable();
    states.dedup_by(|next, kept| {
        let is_same = kept.is_same_state(next);
        if is_same {
            kept.add_moves(next);
        }
        is_same
    });
}

/// Merges several runs into one without duplicates.
pub struct Merge<const N: usize, S> {
    runs: Vec<Run<N>>,
    file: Option<S>,
    /// The next state of each run.
    next: BinaryHeap<Reverse<(PackedState<N>, usize)>>,
}

impl<const N: usize, S: Scratch> Merge<N, S> {
    /// Merges `runs`, whose states are in memory or in `file`.
    pub fn new((runs, file): (Vec<Run<N>>, Option<S>)) -> io::Result<Self> {
        let mut merge = Self { runs, file, next: BinaryHeap::new() };
        for run in 0..merge.runs.len() {
            merge.advance(run)?;
        }
        Ok(merge)
    }

    fn advance(&mut self, run: usize) -> io::Result<()> {
        if let Some(state) = self.runs[run].next(self.file.as_mut())? {
            self.next.push(Reverse((state, run)));
        }
        Ok(())
    }

    /// Returns the next state.
    pub fn next(&mut self) -> io::Result<Option<PackedState<N>>> {
        let Some(Reverse((mut state, run))) = self.next.pop() else { return Ok(None) };
        self.advance(run)?;
        while let Some(Reverse((same, run))) = self.next.peek()
            && state.is_same_state(same)
        {
            state.add_moves(same);
            let run = *run;
            self.next.pop();
            self.advance(run)?;
        }
        Ok(Some(state))
    }
}
