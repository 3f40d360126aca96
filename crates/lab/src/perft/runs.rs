//! States in order, however many there are: what memory does not hold waits in files as sorted runs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::packed::Packed;

/// What runs are written to and read from.
pub trait Scratch: Read + Write + Seek {}

impl<S: Read + Write + Seek> Scratch for S {}

/// The least states that are read or written at once.
pub const PORTION: usize = 1 << 9;

/// A sorted run: states of a file, the next of which are in memory.
pub struct Run<const N: usize> {
    /// Where the next states begin in the file, and how many there are.
    at: u64,
    left: u64,
    read: Vec<Packed<N>>,
    taken: usize,
    portion: usize,
}

impl<const N: usize> Run<N> {
    /// A run that is in memory.
    pub fn of(states: Vec<Packed<N>>) -> Self {
        Self { at: 0, left: 0, read: states, taken: 0, portion: 0 }
    }

    /// The next state, and the rest of the run in the file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn next(&mut self, file: Option<&mut impl Scratch>) -> io::Result<Option<Packed<N>>> {
        if self.taken == self.read.len()
            && let Some(file) = file
        {
            self.fill(file)?;
        }
        let next = self.read.get(self.taken).copied();
        self.taken += 1;
        Ok(next)
    }

    fn fill(&mut self, file: &mut impl Scratch) -> io::Result<()> {
        let states = self.left.min(self.portion as u64);
        let mut bytes = vec![0; states as usize * Packed::<N>::BYTES];
        file.seek(SeekFrom::Start(self.at))?;
        file.read_exact(&mut bytes)?;
        self.read.clear();
        self.read.extend(bytes.chunks_exact(Packed::<N>::BYTES).map(|bytes| {
            let word = |i: usize| bytes[8 * i..8 * i + 8].try_into().expect("eight bytes");
            Packed(std::array::from_fn(|i| u64::from_le_bytes(word(i))))
        }));
        (self.taken, self.left) = (0, self.left - states);
        self.at += bytes.len() as u64;
        Ok(())
    }
}

/// States that are written, one run after the other.
pub struct Writer<const N: usize, S> {
    file: Option<S>,
    end: u64,
    /// The offsets and lengths of the runs.
    runs: Vec<(u64, u64)>,
}

impl<const N: usize, S: Scratch> Writer<N, S> {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { file: None, end: 0, runs: Vec::new() }
    }

    /// Writes `states` as a new run, or as more of the last one.
    pub fn write(
        &mut self,
        states: &[Packed<N>],
        is_new: bool,
        make: impl FnOnce() -> io::Result<S>,
    ) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(make()?),
        };
        for portion in states.chunks(PORTION) {
            let bytes: Vec<u8> =
                portion.iter().flat_map(|state| state.0).flat_map(u64::to_le_bytes).collect();
            file.write_all(&bytes)?;
        }
        match self.runs.last_mut().filter(|_| !is_new) {
            Some((_, length)) => *length += states.len() as u64,
            None => self.runs.push((self.end, states.len() as u64)),
        }
        self.end += (states.len() * Packed::<N>::BYTES) as u64;
        Ok(())
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// The runs, to be read by so many states at once, and their file.
    pub fn into_runs(self, portion: usize) -> (Vec<Run<N>>, Option<S>) {
        let run = |(at, left)| Run { at, left, read: Vec::new(), taken: 0, portion };
        (self.runs.into_iter().map(run).collect(), self.file)
    }
}

/// Sorts states and merges equal ones.
pub fn sort_and_merge<const N: usize>(states: &mut Vec<Packed<N>>) {
    states.sort_unstable();
    states.dedup_by(|next, kept| {
        let is_same = kept.is(next);
        if is_same {
            kept.add_moves(next);
        }
        is_same
    });
}

/// Several runs as one, in which no state comes twice.
pub struct Merge<const N: usize, S> {
    runs: Vec<Run<N>>,
    file: Option<S>,
    /// The next state of each run.
    next: BinaryHeap<Reverse<(Packed<N>, usize)>>,
}

impl<const N: usize, S: Scratch> Merge<N, S> {
    /// Merges `runs`, which are in `file` as far as they are not in memory.
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

    /// The next state.
    pub fn next(&mut self) -> io::Result<Option<Packed<N>>> {
        let Some(Reverse((mut state, run))) = self.next.pop() else { return Ok(None) };
        self.advance(run)?;
        while let Some(Reverse((same, run))) = self.next.peek()
            && state.is(same)
        {
            state.add_moves(same);
            let run = *run;
            self.next.pop();
            self.advance(run)?;
        }
        Ok(Some(state))
    }
}
