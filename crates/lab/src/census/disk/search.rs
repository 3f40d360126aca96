//! A search in files, level by level.

use std::collections::BinaryHeap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender, SyncSender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use loyd::CancelToken;
use loyd::engine::{Cost, Meter, Stop};
use loyd::notation::slashes;
use loyd_kernels::{BlockCensus, PackedSlice, Slice, Window};

use crate::census::files::{BlockReader, BlockWriter};
use crate::census::spec::CensusSpec;
use crate::census::survey::ResumeError;

/// Start of the names of files of blocks.
const BLOCK: &str = "search-";

/// Start of the names of spare files.
const SPARE: &str = "search-spare-";

/// The names and first lines of the files of a search.
pub struct FileNames {
    folder: PathBuf,
    /// Description of the census in the first line of each file.
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
    spares: SpareFiles,
}

/// Files that are no longer needed. New blocks overwrite them.
#[derive(Default)]
struct SpareFiles {
    /// Number of files that have ever become spare.
    count: AtomicUsize,
    /// Numbers of the files that have not been overwritten.
    left: Mutex<Vec<usize>>,
}

/// A complete file of a block that is not yet flushed to the disk.
struct Written {
    block: usize,
    file: BlockWriter,
    states: u64,
}

/// The memory of a thread.
struct Worker {
    window: Window,
    /// A slice that is read.
    packed: PackedSlice,
    /// The slice that is computed.
    next: PackedSlice,
}

/// A level that is being computed.
struct Level<'a> {
    census: &'a BlockCensus,
    names: &'a FileNames,
    spares: &'a SpareFiles,
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

    fn spare(&self, number: usize) -> PathBuf {
        self.folder.join(format!("{SPARE}{number}"))
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
        Ok(Self { census, names, counts, workers, spares: SpareFiles::default() })
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

    /// Checks that the files of the last level exist and have as many states as were counted.
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

    /// Returns whether the file with this name belongs to the last two levels or to the next one, or is spare.
    pub fn needs(&self, name: &str) -> bool {
        if let Some(number) = name.strip_prefix(SPARE) {
            return self.spares.left().iter().any(|spare| spare.to_string() == number);
        }
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
            spares: &self.spares,
            level: self.counts.len(),
            next: AtomicUsize::new(0),
            is_stopped: AtomicBool::new(false),
            cancel: meter.cancel_token(),
        };
        let workers = &mut self.workers;
        let reached = thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            // A worker waits while the file before is flushed, so that few files wait at a time.
            let (written, flushed) = mpsc::sync_channel(0);
            for worker in workers {
                let (sender, written) = (sender.clone(), written.clone());
                let work = move || level.compute_blocks(worker, &written, &sender);
                thread::Builder::new().spawn_scoped(scope, work)?;
            }
            drop(written);
            let flush = move || {
                for file in flushed {
                    if let Err(error) = level.flush(file) {
                        let _ = sender.send(Err(error.into()));
                    }
                }
            };
            thread::Builder::new().spawn_scoped(scope, flush)?;
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
        let Worker { window, packed, .. } = &mut self.workers[0];
        for block in 0..self.census.blocks() {
            let reader = self.names.open(self.counts.len() - 1, block)?;
            for slice in
                self.census.slices(block).filter(|slice| limit > 0 && reader.has(slice.blank))
            {
                load(&self.census, &reader, slice.blank, packed, window)?;
                for (order, board) in self.census.boards(slice, window) {
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

impl SpareFiles {
    fn left(&self) -> MutexGuard<'_, Vec<usize>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the path of a spare file, which the caller renames.
    fn take(&self, names: &FileNames) -> Option<PathBuf> {
        self.left().pop().map(|number| names.spare(number))
    }

    /// Makes a file spare.
    fn add(&self, path: &Path, names: &FileNames) -> io::Result<()> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        fs::rename(path, names.spare(number))?;
        self.left().push(number);
        Ok(())
    }
}

impl Worker {
    fn new(census: &BlockCensus) -> Result<Self, Stop> {
        let (packed, next) = (census.packed_slice()?, census.packed_slice()?);
        Ok(Self { window: census.window()?, packed, next })
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
            load(census, &last, blank, &mut self.packed, &mut self.window)?;
        }
        Ok(Some(last))
    }
}

/// Adds a slice of a file to a window, by way of `packed`.
fn load(
    census: &BlockCensus,
    reader: &BlockReader,
    blank: u8,
    packed: &mut PackedSlice,
    window: &mut Window,
) -> io::Result<()> {
    reader.read(blank, packed)?;
    if census.insert(window, blank, packed) { Ok(()) } else { Err(reader.malformed()) }
}

impl Level<'_> {
    /// Computes one block after the other. Sends the number of states of each slice to `sender`, and the files to `files`.
    fn compute_blocks(
        &self,
        worker: &mut Worker,
        files: &SyncSender<Written>,
        sender: &Sender<Result<u64, ResumeError>>,
    ) {
        while !self.is_stopped.load(Ordering::Relaxed) {
            let block = self.next.fetch_add(1, Ordering::Relaxed);
            if block >= self.census.blocks() {
                return;
            }
            // After another error there is no receiver.
            match self.compute(block, worker, |states| drop(sender.send(Ok(states)))) {
                Ok(None) => {}
                Ok(Some(written)) => drop(files.send(written)),
                Err(error) => {
                    let _ = sender.send(Err(error));
                    return;
                }
            }
        }
    }

    /// Flushes the file of a block to the disk, gives it its name, and makes that of the level before the last spare.
    fn flush(&self, Written { block, file, states }: Written) -> io::Result<()> {
        file.finish(states)?;
        self.level
            .checked_sub(2)
            .map_or(Ok(()), |before| self.spares.add(&self.names.path(before, block), self.names))
    }

    /// Writes the file of a block, if it is not there yet, and returns it.
    fn compute(
        &self,
        block: usize,
        worker: &mut Worker,
        mut counted: impl FnMut(u64),
    ) -> Result<Option<Written>, ResumeError> {
        let Self { census, names, level, .. } = *self;
        let path = names.path(level, block);
        if path.exists() {
            counted(names.open(level, block)?.states());
            // The file of the level before the last is removed with that level.
            return Ok(None);
        }
        let (title, spare) = (names.title(level, block), self.spares.take(names));
        let mut file = BlockWriter::create(&path, spare.as_deref(), &title, names.cells)?;
        let earlier = |levels| level.checked_sub(levels).map(|level| names.open(level, block));
        let (last, previous) = (earlier(1).transpose()?, earlier(2).transpose()?);
        let last = worker.load_block(census, last, block)?;
        let mut states = 0;
        for slice in census.slices(block) {
            if self.is_stopped.load(Ordering::Relaxed) || self.cancel.is_cancelled() {
                return Err(Stop::Cancelled.into());
            }
            let new = match &last {
                None => census.insert_goals(slice, &mut worker.next),
                Some(last) => self.compute_slice(slice, worker, last, previous.as_ref())?,
            };
            if new > 0 {
                file.write(slice.blank, &worker.next)?;
            }
            states += new;
            counted(new);
        }
        Ok(Some(Written { block, file, states }))
    }

    /// Computes the next level of a slice in `next` of `worker`, whose window has the last level of the block, and returns
    /// its number of states.
    fn compute_slice(
        &self,
        slice: Slice,
        Worker { window, packed, next, .. }: &mut Worker,
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
                load(census, &reader, source.blank, packed, window)?;
                foreign.push(source.blank);
            }
        }
        if !has_own && foreign.is_empty() {
            return Ok(0);
        }
        let previous = previous.filter(|previous| previous.has(slice.blank));
        let states = match previous {
            None => census.advance(slice, window, last.has(slice.blank), None, next),
            Some(previous) => {
                previous.read(slice.blank, packed)?;
                census.advance(slice, window, last.has(slice.blank), Some(packed), next)
            }
        };
        foreign.into_iter().for_each(|blank| census.remove(window, blank));
        match (states, previous) {
            (Some(states), _) => Ok(states),
            (None, Some(previous)) => Err(previous.malformed()),
            (None, None) => unreachable!("nothing else is read"),
        }
    }
}
