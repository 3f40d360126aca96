//! Where the results of a comparison go as runs end.

use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use loyd_lab::compare::{self, Header, ReadError, Record};

use crate::args::{CompareArgs, Output};
use crate::failure::Failure;

/// The results so far, in memory, and in a file or on standard output where that is wanted.
pub struct Results {
    /// The header of this comparison, or of the one that is continued.
    pub header: Header,
    /// The results, those of the runs that are continued first.
    pub records: Vec<Record>,
    file: Option<(PathBuf, File)>,
    prints: bool,
}

impl Results {
    /// Begins, or continues what was saved.
    ///
    /// # Errors
    /// When the file holds something else, or another comparison, and when it cannot be written.
    pub fn open(args: &CompareArgs, header: Header) -> Result<Self, Failure> {
        let prints = args.output == Output::Json && args.export.is_none();
        let mut results = Self { header, records: Vec::new(), file: None, prints };
        if let Some(path) = &args.save {
            let file = results.open_file(path, args.resume);
            results.file = Some((path.clone(), file.with_context(|| path.display().to_string())?));
        }
        if prints {
            let mut out = io::stdout().lock();
            writeln!(out, "{}", results.header.to_line())?;
            for record in &results.records {
                writeln!(out, "{}", serde_json::to_string(record)?)?;
            }
        }
        Ok(results)
    }

    fn open_file(&mut self, path: &Path, resume: bool) -> anyhow::Result<File> {
        let mut options = File::options();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => bail!("another process is writing to it"),
            // Some file systems know no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if file.metadata()?.len() == 0 {
            return self.begin(file);
        }
        if !resume {
            bail!("it is not empty: continue it with --resume, or remove it");
        }
        let (header, records, bytes) = match compare::read(BufReader::new(&file)) {
            // It was killed while it wrote the header.
            Err(ReadError::Torn(text)) if self.header.begins_as(&text) => return self.begin(file),
            read => read?,
        };
        if let Some(field) = header.difference(&self.header) {
            bail!(
                "it is another comparison: `{field}` differs; repeat its command, or save to another file"
            );
        }
        file.set_len(bytes)?;
        file.seek(SeekFrom::Start(bytes))?;
        (self.header, self.records) = (header, records);
        Ok(file)
    }

    /// Begins the file with the header, in place of what it has.
    fn begin(&self, mut file: File) -> anyhow::Result<File> {
        file.set_len(0)?;
        file.rewind()?;
        file.write_all((self.header.to_line() + "\n").as_bytes())?;
        Ok(file)
    }

    /// Adds the result of a run.
    ///
    /// # Errors
    /// When it cannot be written.
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

    /// What to tell whoever has interrupted the comparison.
    pub fn how_to_continue(&self) -> String {
        let runs = self.records.len();
        match &self.file {
            Some((path, _)) => format!(
                "interrupted: {runs} runs are in {}; the same command with --resume goes on",
                path.display()
            ),
            None => format!("interrupted after {runs} runs"),
        }
    }
}
