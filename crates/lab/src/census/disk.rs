//! Surveys whose levels are in files, for boards whose states exceed the memory.
//!
//! A census [in blocks](BlockCensus) reads the last two levels of a block, and of the last level also a few slices of
//! other blocks; it writes one file. Each thread takes the next block of the level, and another thread flushes the files
//! to the disk. When the file of a block is complete, that of the level before the last is overwritten by the next one
//! that is written, so no more than two levels are on the disk.
//!
//! A survey resumes from its [`Checkpoint`], which has the counts of the complete levels, and from the files: blocks of
//! the next level that are complete are not computed again.

mod search;

use std::fs;
use std::io;
use std::path::PathBuf;

use loyd::engine::{Event, Meter};
use loyd::judge::Cpu;
use loyd_kernels::BlockCensus;

use super::survey::{Checkpoint, ResumeError, Survey};
use search::{DiskSearch, FileNames};

/// Minimum number of blocks per thread, so that all threads end a level at about the same time.
const BLOCKS_PER_THREAD: usize = 4;

/// Maximum memory of a thread, if the board can be divided so far, in bytes: about what the last cache holds. On 2x7 in
/// 14 blocks, whose threads take 300 MB each, the census took a sixth longer than in 182 blocks.
const THREAD_MEMORY: u64 = 32 << 20;

/// Memory of the tables that all threads use, in bytes.
const TABLES: u64 = 3 << 20;

/// Size of the unit in which disks are allocated, in bytes.
const DISK_PAGE: u64 = 1 << 12;

/// How a survey is divided, and what that takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskPlan {
    /// Number of tiles whose cells determine a block.
    pub anchors: usize,
    /// Number of blocks.
    pub blocks: usize,
    /// Number of threads.
    pub threads: usize,
    /// Upper bound on the memory in bytes.
    pub memory: u64,
    /// Upper bound on the size of the files in bytes.
    pub disk: u64,
}

impl DiskPlan {
    /// Divides `survey` into as few blocks as keep up to `threads` threads busy, each in its cache, in `max_memory` bytes,
    /// or into those given by `anchors`. Uses fewer threads if necessary.
    ///
    /// # Errors
    /// Returns the least memory that suffices, in bytes, if that is more.
    pub fn new(
        survey: &Survey,
        anchors: Option<usize>,
        threads: usize,
        max_memory: Option<u64>,
    ) -> Result<Self, u64> {
        let goals = || survey.specs().iter().map(|spec| spec.goal());
        let most = goals().map(|goal| BlockCensus::most_anchors(goal.size())).max().unwrap_or(0);
        let blocks = |anchors| {
            goals().map(|goal| BlockCensus::block_count(goal, anchors)).max().unwrap_or(0)
        };
        let bytes =
            |anchors| goals().map(|goal| BlockCensus::bytes(goal, anchors)).max().unwrap_or(0);
        let memory = |anchors, threads: usize| TABLES + bytes(anchors) * threads as u64;
        let choices = anchors.map_or(0..=most, |anchors| anchors..=anchors);
        let fits = |&(anchors, threads): &(usize, usize)| {
            let is_even = blocks(anchors) >= BLOCKS_PER_THREAD * threads;
            (is_even && bytes(anchors) <= THREAD_MEMORY || anchors == *choices.end())
                && max_memory.is_none_or(|most| memory(anchors, threads) <= most)
        };
        let mut all = (1..=threads.max(1))
            .rev()
            .flat_map(|threads| choices.clone().map(move |anchors| (anchors, threads)));
        let (anchors, threads) = all.find(fits).ok_or_else(|| memory(*choices.end(), 1))?;
        let (blocks, memory) = (blocks(anchors), memory(anchors, threads));
        let packed = goals().map(BlockCensus::packed_bytes).max().unwrap_or(0);
        // While a file is written or flushed, that of the level before the last is still there.
        let written = (packed / blocks as u64).saturating_mul(threads as u64 + 1);
        let headers = (2 * blocks + threads + 1) as u64 * DISK_PAGE;
        Ok(Self { anchors, blocks, threads, memory, disk: packed + written + headers })
    }
}

/// Runs the censuses of a survey in sequence, one level at a time, in the files of a folder.
pub struct DiskSurvey {
    survey: Survey,
    plan: DiskPlan,
    folder: PathBuf,
    running: Option<DiskSearch>,
}

impl DiskSurvey {
    /// Creates a survey that starts from the beginning, in a folder that belongs to it.
    pub fn new(survey: Survey, plan: DiskPlan, folder: PathBuf) -> Self {
        Self { survey, plan, folder, running: None }
    }

    /// Returns the survey, with the results so far.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Returns the survey, with the results so far. The files are left as they are.
    pub fn into_survey(self) -> Survey {
        self.survey
    }

    /// Computes the next level and returns whether the survey is incomplete. The meter's observer receives the same
    /// events as that of [`Survey::advance`]. Call [`remove_old_files`](Self::remove_old_files) when the new
    /// [`checkpoint`](Self::checkpoint) is saved.
    ///
    /// # Errors
    /// Returns the file that cannot be read or written, or the limit that was reached. The survey can be resumed from
    /// its files afterwards.
    pub fn advance(&mut self, meter: &mut Meter<'_>) -> Result<bool, ResumeError> {
        if self.survey.is_complete() {
            return Ok(false);
        }
        let mut search = match self.running.take() {
            Some(search) => search,
            None => self.start_search(Vec::new(), meter)?,
        };
        if search.advance(meter)? > 0 {
            if let Some(depth) = search.depth().filter(|&depth| depth > 0) {
                meter.end_iteration(depth)?;
            }
            self.running = Some(search);
            return Ok(true);
        }
        let farthest = search.farthest(self.survey.limit())?;
        self.survey.end_search(search.into_counts(), farthest);
        meter.release();
        Ok(!self.survey.is_complete())
    }

    fn start_search(
        &self,
        counts: Vec<u64>,
        meter: &mut Meter<'_>,
    ) -> Result<DiskSearch, ResumeError> {
        let (number, spec, example) = self.survey.next_search().ok_or(ResumeError::Counts)?;
        meter.notify(Event::Board { number: number as u64 + 1 })?;
        meter.reserve(self.plan.memory)?;
        let DiskPlan { anchors, threads, .. } = self.plan;
        let census = BlockCensus::new(spec.goal(), example, anchors, Cpu::from_env_or_detect());
        let names = FileNames::new(&self.folder, spec, number, anchors);
        Ok(DiskSearch::new(census, names, threads, counts)?)
    }

    /// Returns the progress of the survey.
    pub fn checkpoint(&self) -> Checkpoint {
        let counts = self.running.as_ref().map(|search| search.counts().to_vec());
        self.survey.checkpoint_at(counts.unwrap_or_default())
    }

    /// Resumes from a checkpoint.
    ///
    /// # Errors
    /// Returns an error if a file of the last level is missing or damaged, or if the files do not match the checkpoint.
    pub fn resume(
        &mut self,
        checkpoint: Checkpoint,
        meter: &mut Meter<'_>,
    ) -> Result<(), ResumeError> {
        let counts = self.survey.restore(checkpoint)?;
        if !counts.is_empty() {
            let search = self.start_search(counts, meter)?;
            search.check_files()?;
            self.running = Some(search);
        }
        Ok(self.remove_old_files()?)
    }

    /// Removes files that are no longer needed.
    ///
    /// # Errors
    /// Returns an error if a file cannot be removed.
    pub fn remove_old_files(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name().into_string().unwrap_or_default();
            let is_needed = self.running.as_ref().is_some_and(|search| search.needs(&name));
            if FileNames::is_block(&name) && !is_needed {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}
