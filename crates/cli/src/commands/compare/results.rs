//! The results of a comparison, which are written as runs end.

use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use loyd_lab::compare::{self, Comparison, Header, ReadError, Record};

use crate::args::{CompareArgs, CompareOutput};
use crate::failure::Failure;

/// The results so far: in memory, and if requested in a file or on standard output.
pub struct Results {
    /// The header of this comparison, or of the resumed one.
    pub header: Header,
    /// The results, starting with the runs of the resumed comparison.
    pub records: Vec<Record>,
    file: Option<(PathBuf, File)>,
    prints: bool,
}

impl Results {
    /// Starts a comparison, or resumes a saved one.
    ///
    /// # Errors
    /// Fails if the file has other content or a different comparison, or cannot be written.
    pub fn open(
        args: &CompareArgs,
        header: Header,
        comparison: &Comparison,
    ) -> Result<Self, Failure> {
        let prints = args.output == CompareOutput::Json;
        let mut results = Self { header, records: Vec::new(), file: None, prints };
        if let Some(path) = &args.save {
            let file = results.open_file(path, args.resume, comparison);
            results.file = Some((path.clone(), file.with_context(|| path.display().to_string())?));
        }
        if prints {
            print_records(&mut io::stdout().lock(), &results.header, &results.records)?;
        }
        Ok(results)
    }

    fn open_file(
        &mut self,
        path: &Path,
        resume: bool,
        comparison: &Comparison,
    ) -> anyhow::Result<File> {
        let mut options = File::options();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => bail!("another process is writing to it"),
            // Some file systems do not support locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if file.metadata()?.len() == 0 {
            return self.start_file(file);
        }
        if !resume {
            bail!("the file is not empty: resume it with --resume, or remove it");
        }
        let (header, records, bytes) = match compare::read(BufReader::new(&file)) {
            // The process was killed while it wrote the header.
            Err(ReadError::Torn(text)) if self.header.matches_prefix(&text) => {
                return self.start_file(file);
            }
            read => read?,
        };
        if let Some(field) = header.difference(&self.header) {
            bail!(
                "the file has a different comparison: `{field}` differs; repeat its command, or save to another file"
            );
        }
        if let Err((place, error)) = comparison.check(&records) {
            // The header is line 1.
            bail!("line {}: {error}; remove the line to repeat its run", place + 2);
        }
        file.set_len(bytes)?;
        file.seek(SeekFrom::Start(bytes))?;
        (self.header, self.records) = (header, records);
        Ok(file)
    }

    /// Replaces the content of the file by the header.
    fn start_file(&self, mut file: File) -> anyhow::Result<File> {
        file.set_len(0)?;
        file.rewind()?;
        file.write_all((self.header.to_line() + "\n").as_bytes())?;
        Ok(file)
    }

    /// Adds the result of a run.
    ///
    /// # Errors
    /// Fails if the result cannot be written.
    pub fn add(&mut self, record: Record) -> Result<(), Failure> {
        let line = serde_json::to_string(&record)? + "\n";
        if let Some((path, file)) = &mut self.file {
            file.write_all(line.as_bytes()).with_context(|| path.display().to_string())?;
        }
        if self.prints {
            io::stdout().lock().write_all(line.as_bytes())?;
        }
        self.records.push(record);
        Ok(())
    }

    /// Returns the note on a comparison without some of its runs, because it was interrupted or because they failed: where
    /// the results are and how to continue.
    pub fn interruption_note(&self, is_interrupted: bool) -> String {
        let runs = self.records.len();
        let what = if is_interrupted { "interrupted" } else { "some runs failed" };
        match &self.file {
            Some((path, _)) => format!(
                "{what}: {runs} runs are in {}; run the same command with --resume to continue",
                path.display()
            ),
            None => format!("{what} after {runs} runs"),
        }
    }
}

/// Prints the results as JSON Lines, with their header.
pub fn print_records(
    out: &mut impl Write,
    header: &Header,
    records: &[Record],
) -> Result<(), Failure> {
    writeln!(out, "{}", header.to_line())?;
    for record in records {
        writeln!(out, "{}", serde_json::to_string(record)?)?;
    }
    Ok(())
}
