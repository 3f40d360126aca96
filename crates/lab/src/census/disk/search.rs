//! A search in files, level by level.

use std::collections::BinaryHeap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use loyd::CancelToken;
use loyd::engine::{Cost, Meter, Stop};
use loyd::notation::slashes;
use loyd_kernels::{BlockCensus, Slice, Window, packed_room};

use crate::census::files::{BlockReader, BlockWriter};
use crate::census::spec::CensusSpec;
use crate::census::survey::ResumeError;

/// Start of the names of files of blocks.
const BLOCK: &str = "search-";

/// The names and first lines of the files of a search.
pub struct FileNames {
    folder: PathBuf,
    /// What a first line says about the census.
    census: String,
    number: usize,
    cells: usize,
}

/// A search whose levels are in files.
pub struct DiskSearch {
    census: BlockCensus,
    names: FileNames,
    /// By distance: the number of states of the complete levels.
    counts: Vec<u64>,
    workers: Vec<Worker>,
}

/// The memory of a thread.
struct Worker {
    window: Window,
    words: Vec<u64>,
    /// A packed slice.
    packed: Vec<u8>,
}

/// A level that is being computed.
struct Level<'a> {
    census: &'a BlockCensus,
    names: &'a FileNames,
    level: usize,
    /// The next block to compute.
    next: AtomicUsize,
    /// Whether the search ends because of an error.
    is_stopped: AtomicBool,
    cancel: CancelToken,
}

impl FileNames {
    /// Returns the names of the files of a search, the one with this number in a survey.
    pub fn new(folder: &Path, spec: &CensusSpec, number: usize, anchors: usize) -> Self {
        let (goal, metric) = (spec.goal(), spec.metric().name());
        let census =
            format!("loyd census 1: {goal} in {metric}, search {number}, anchors {anchors}");
        Self { folder: folder.to_owned(), census, number, cells: goal.size().cells() }
    }

    /// Returns whether a file has the name of a block of any search.
    pub fn is_block(name: &str) -> bool {
        name.starts_with(BLOCK)
    }

    /// Returns the level of the file with this name, or `None` if it is not a complete one of this search.
    fn level(&self, name: &str) -> Option<usize> {
        let rest = name.strip_prefix(BLOCK)?.strip_prefix(&format!("{}-level-", self.number))?;
        let (level, block) = rest.split_once("-block-")?;
        block.parse::<usize>().ok().and_then(|_| level.parse().ok())
    }

    fn path(&self, level: usize, block: usize) -> PathBuf {
        self.folder.join(format!("{BLOCK}{}-level-{level}-block-{block}", self.number))
    }

    fn title(&self, level: usize, block: usize) -> String {
        format!("{}, level {level}, block {block}\n", self.census)
    }

    fn open(&self, level: usize, block: usize) -> io::Result<BlockReader> {
        BlockReader::open(&self.path(level, block), &self.title(level, block), self.cells)
    }
}

impl DiskSearch {
    /// Creates a search with these complete levels.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the system cannot allocate the memory.
    pub fn new(
        census: BlockCensus,
        names: FileNames,
        threads: usize,
        counts: Vec<u64>,
    ) -> Result<Self, Stop> {
        let workers = (0..threads).map(|_| Worker::new(&census)).collect::<Result<_, _>>()?;
        Ok(Self { census, names, counts, workers })
    }

    /// Returns the number of states of each complete level.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the number of states at each distance.
    pub fn into_counts(self) -> Vec<u64> {
        self.counts
    }

    /// Returns the distance of the last level.
    pub fn depth(&self) -> Option<Cost> {
        self.counts.len().checked_sub(1).map(|depth| depth as Cost)
    }

    /// Checks that the files of the last level are there and have as many states as were counted.
    ///
    /// # Errors
    /// Returns the file that is missing or damaged.
    pub fn check_files(&self) -> Result<(), ResumeError> {
        let Some(last) = self.counts.len().checked_sub(1) else { return Ok(()) };
        let states =
            (0..self.census.blocks()).map(|block| Ok(self.names.open(last, block)?.states()));
        if states.sum::<io::Result<u64>>()? == self.counts[last] {
            Ok(())
        } else {
            Err(ResumeError::Counts)
        }
    }

    /// Returns whether the file with this name belongs to the last two levels or to the next one.
    pub fn needs(&self, name: &str) -> bool {
        let next = self.counts.len();
        let is_near = |level: &usize| (next.saturating_sub(2)..=next).contains(level);
        self.names.level(name).as_ref().is_some_and(is_near)
    }

    /// Computes the blocks of the next level that are not there yet, and returns its number of states.
    ///
    /// # Errors
    /// Returns the file that cannot be read or written, or the limit that was reached.
    pub fn advance(&mut self, meter: &mut Meter<'_>) -> Result<u64, ResumeError> {
        let met = self.counts.iter().sum::<u64>();
        let all = self.census.state_count();
        let level = &Level {
            census: &self.census,
            names: &self.names,
            level: self.counts.len(),
            next: AtomicUsize::new(0),
            is_stopped: AtomicBool::new(false),
            cancel: meter.cancel_token(),
        };
        let workers = &mut self.workers;
        let reached = thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for worker in workers {
                let sender = sender.clone();
                let work = move || level.compute_blocks(worker, &sender);
                thread::Builder::new().spawn_scoped(scope, work)?;
            }
            drop(sender);
            let mut reached = 0;
            for states in receiver {
                let watched = states.and_then(|states| {
                    reached += states;
                    Ok(meter.progress(met + reached, all)?)
                });
                watched.inspect_err(|_| level.is_stopped.store(true, Ordering::Relaxed))?;
            }
            Ok::<_, ResumeError>(reached)
        })?;
        if reached > 0 {
            self.counts.push(reached);
        }
        Ok(reached)
    }

    /// Returns up to `limit` boards of the last level: the same ones as a census in memory.
    ///
    /// # Errors
    /// Returns the file that cannot be read.
    pub fn farthest(&mut self, limit: usize) -> io::Result<Vec<String>> {
        let mut first = BinaryHeap::new();
        let Worker { words, packed, .. } = &mut self.workers[0];
        for block in 0..self.census.blocks() {
            let reader = self.names.open(self.counts.len() - 1, block)?;
            for slice in
                self.census.slices(block).filter(|slice| limit > 0 && reader.has(slice.blank))
            {
                reader.read(slice.blank, words, packed)?;
                for (order, board) in self.census.boards(slice, words) {
                    if first.len() < limit || first.peek().is_some_and(|(last, _)| order < *last) {
                        first.push((order, slashes(&board).to_string()));
                    }
                    if first.len() > limit {
                        first.pop();
                    }
                }
            }
        }
        Ok(first.into_sorted_vec().into_iter().map(|(_, board)| board).collect())
    }
}

impl Worker {
    fn new(census: &BlockCensus) -> Result<Self, Stop> {
        let len = census.slice_words();
        let (mut words, mut packed) = (Vec::new(), Vec::new());
        words.try_reserve_exact(len).map_err(|_| Stop::Memory)?;
        words.resize(len, 0);
        packed.try_reserve_exact(packed_room(len)).map_err(|_| Stop::Memory)?;
        packed.resize(packed_room(len), 0);
        Ok(Self { window: census.window()?, words, packed })
    }

    /// Loads the last level of a block, if there is one, into the window, and returns it.
    fn load_block(
        &mut self,
        census: &BlockCensus,
        last: Option<BlockReader>,
        block: usize,
    ) -> io::Result<Option<BlockReader>> {
        let Some(last) = last else { return Ok(None) };
        self.window.clear();
        for Slice { blank, .. } in census.slices(block).filter(|slice| last.has(slice.blank)) {
            last.read(blank, census.words(&mut self.window, blank), &mut self.packed)?;
            census.filled(&mut self.window, blank);
        }
        Ok(Some(last))
    }
}

impl Level<'_> {
    /// Computes one block after the other, and sends the number of states of each slice.
    fn compute_blocks(&self, worker: &mut Worker, sender: &Sender<Result<u64, ResumeError>>) {
        while !self.is_stopped.load(Ordering::Relaxed) {
            let block = self.next.fetch_add(1, Ordering::Relaxed);
            if block >= self.census.blocks() {
                return;
            }
            // Nobody receives what is sent after another error.
            let done = self.compute(block, worker, |states| drop(sender.send(Ok(states))));
            if let Err(error) = done {
                let _ = sender.send(Err(error));
                return;
            }
        }
    }

    /// Writes the file of a block, if it is not there yet, and removes that of the level before the last.
    fn compute(
        &self,
        block: usize,
        worker: &mut Worker,
        mut counted: impl FnMut(u64),
    ) -> Result<(), ResumeError> {
        let Self { census, names, level, .. } = *self;
        let path = names.path(level, block);
        let before = level.checked_sub(2);
        if path.exists() {
            counted(names.open(level, block)?.states());
        } else {
            let mut out = BlockWriter::create(&path, &names.title(level, block), names.cells)?;
            let previous = before.map(|before| names.open(before, block)).transpose()?;
            let last = level.checked_sub(1).map(|last| names.open(last, block)).transpose()?;
            let last = worker.load_block(census, last, block)?;
            let mut sum = 0;
            for slice in census.slices(block) {
                if self.is_stopped.load(Ordering::Relaxed) || self.cancel.is_cancelled() {
                    return Err(Stop::Cancelled.into());
                }
                let states = match &last {
                    None => census.insert_goals(slice, &mut worker.words),
                    Some(last) => self.compute_slice(slice, worker, last, previous.as_ref())?,
                };
                if states > 0 {
                    out.write(slice.blank, &worker.words, &mut worker.packed)?;
                }
                sum += states;
                counted(states);
            }
            out.finish(sum)?;
        }
        if let Some(before) = before
            && let Err(error) = fs::remove_file(names.path(before, block))
            // The file may have been removed before the search was interrupted.
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(error.into());
        }
        Ok(())
    }

    /// Computes the next level of a slice in the words of `worker`, whose window has the last level of the block, and
    /// returns its number of states.
    fn compute_slice(
        &self,
        slice: Slice,
        Worker { window, words, packed }: &mut Worker,
        last: &BlockReader,
        previous: Option<&BlockReader>,
    ) -> io::Result<u64> {
        let Self { census, names, level, .. } = *self;
        let mut has_own = false;
        let mut foreign = Vec::new();
        for source in census.sources(slice) {
            if source.block == slice.block {
                has_own |= last.has(source.blank);
                continue;
            }
            let reader = names.open(level - 1, source.block)?;
            if reader.has(source.blank) {
                reader.read(source.blank, census.words(window, source.blank), packed)?;
                census.filled(window, source.blank);
                foreign.push(source.blank);
            }
        }
        if !has_own && foreign.is_empty() {
            return Ok(0);
        }
        match previous.filter(|previous| previous.has(slice.blank)) {
            Some(previous) => previous.read(slice.blank, words, packed)?,
            None => words.fill(0),
        }
        let states = census.advance(slice, window, last.has(slice.blank), words);
        foreign.into_iter().for_each(|blank| census.remove(window, blank));
        Ok(states)
    }
}
