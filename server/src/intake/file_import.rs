//! The import of a file of repair orders, as its bytes arrive.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use dispatch_actors::broadcaster::CatchUp;
use dispatch_actors::counts::Counter;
use dispatch_actors::store::{Author, Channel};
use dispatch_intake::{FileReader, FormatChoice, ReadError, ReadOutput, Record, Reject};
use futures_util::future::join_all;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::record_import::{RecordOutcome, RecordReport, import_record};
use super::state::IntakeState;
use super::untabbed_statuses::{UntabbedStatuses, untabbed_status};

/// Records that are executed together. A desk's own change waits for the group of them that is being
/// committed: 64 (of three jobs, on SQLite) made one in a hundred wait 142 ms, and a change must
/// be seen within 100; 16 still fill a group well enough that the disk's own time is shared.
const BATCH_SIZE: usize = 16;

/// After so many changed orders the import waits until the open screens have all of them: a quarter of
/// the messages that may wait for one screen.
const CATCH_UP_INTERVAL: usize = 64;

/// Bytes that are read before their records are executed; bounds what is read ahead.
const CHUNK_SIZE: usize = 64 * 1024;

/// The import of one file.
pub struct FileImport {
    state: IntakeState,
    dry_run: bool,
    author: Author,
    reader: FileReader,
    /// Read, and not executed yet.
    parsed: ReadOutput,
    progress: ImportProgress,
    /// How many orders were created and changed when the open screens had all of them.
    caught_up: usize,
    rejects: Vec<Reject>,
    warnings: Vec<String>,
    /// Of orders that this file created or changed.
    untabbed: UntabbedStatuses,
    /// It has been said that the stages in the file are left out.
    stages_left_out: bool,
}

/// Said once for a file, however many of its orders it is about.
const STAGES_LEFT_OUT: &str = "the stages in it are left out: where an order stands is the desk's in this shop. \
    An owner can let files say it, with the stages";

/// How many repair orders an import created, changed and left as they were, and how many rows it
/// refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportProgress {
    pub created: usize,
    pub changed: usize,
    pub unchanged: usize,
    pub refused: usize,
}

/// `3 created, 1 changed, 0 unchanged, 2 refused`
impl fmt::Display for ImportProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            created,
            changed,
            unchanged,
            refused,
        } = self;
        write!(
            f,
            "{created} created, {changed} changed, {unchanged} unchanged, {refused} refused"
        )
    }
}

/// What became of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImportSummary {
    pub created: usize,
    pub changed: usize,
    pub unchanged: usize,
    /// How many rows were refused.
    pub refused: usize,
    /// Without those that were taken out before.
    pub rejects: Vec<Reject>,
    /// In sentences; without those that were taken out before.
    pub warnings: Vec<String>,
}

/// Why a file was not imported to its end. Nothing may be fed afterwards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// No fault of the file: it is to be imported again from its beginning.
    #[error(
        "The database does not answer just now: what was taken stays, and importing the file again is safe"
    )]
    Unavailable,
}

impl FileImport {
    /// With `dry_run` nothing is changed, and the summary says what would become of the file.
    pub fn new(state: &IntakeState, file_name: &str, format: FormatChoice, dry_run: bool) -> Self {
        let zone = state.shop.time_zone();
        Self {
            state: state.clone(),
            dry_run,
            author: Author {
                uid: "import".to_owned(),
                name: "Import".to_owned(),
                channel: Channel::Import,
            },
            reader: FileReader::new(file_name, format, zone, Timestamp::now()),
            parsed: ReadOutput::default(),
            progress: ImportProgress::default(),
            caught_up: 0,
            rejects: Vec::new(),
            warnings: Vec::new(),
            untabbed: UntabbedStatuses::default(),
            stages_left_out: false,
        }
    }

    /// Sets the author of the changes. Without it they are the import's.
    pub fn with_author(mut self, author: Author) -> Self {
        self.author = author;
        self
    }

    /// Imports the records that are whole by now. A file that cannot be read has changed nothing.
    pub async fn feed(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        for piece in bytes.chunks(CHUNK_SIZE) {
            self.reader.feed(piece, &mut self.parsed)?;
            self.execute_ready(BATCH_SIZE).await?;
        }
        Ok(())
    }

    /// What became of the rows so far.
    pub fn progress(&self) -> ImportProgress {
        self.progress
    }

    /// Refused rows since the last call. A caller that never calls it gets all in the summary.
    pub fn take_rejects(&mut self) -> Vec<Reject> {
        std::mem::take(&mut self.rejects)
    }

    /// The parts of records left out since the last call. A caller that never calls it gets all in
    /// the summary.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// The file has ended: imports the rest. To be called once, and last.
    pub async fn finish(&mut self) -> Result<ImportSummary, ImportError> {
        self.reader.finish(&mut self.parsed)?;
        self.execute_ready(1).await?;
        self.warnings.extend(self.untabbed.take_sentences());
        let ImportProgress {
            created,
            changed,
            unchanged,
            refused,
        } = self.progress;
        Ok(ImportSummary {
            created,
            changed,
            unchanged,
            refused,
            rejects: self.take_rejects(),
            warnings: self.take_warnings(),
        })
    }

    /// Executes records in batches, while there are `at_least` so many.
    async fn execute_ready(&mut self, at_least: usize) -> Result<(), ImportError> {
        for reject in std::mem::take(&mut self.parsed.rejects) {
            self.add_reject(reject);
        }
        while self.parsed.records.len() >= at_least {
            // Two records of one order are executed one after the other.
            let mut numbers = HashSet::new();
            let records = &mut self.parsed.records;
            let together = records
                .iter()
                .take(BATCH_SIZE)
                .take_while(|record| numbers.insert(record.number))
                .count();
            let records: Vec<Record> = records.drain(..together).collect();
            self.execute_batch(records).await?;
        }
        Ok(())
    }

    async fn execute_batch(&mut self, records: Vec<Record>) -> Result<(), ImportError> {
        for Record {
            place, warnings, ..
        } in &records
        {
            let warnings = warnings.iter().map(|warning| format!("{place}: {warning}"));
            self.warnings.extend(warnings);
        }
        let state = &self.state;
        let outcomes = join_all(records.into_iter().map(async |record| {
            let continues = record.continues;
            let untabbed = untabbed_status(&record.order).filter(|_| !continues);
            (
                continues,
                untabbed,
                import_record(state, record, &self.author, self.dry_run).await,
            )
        }));
        let mut result = Ok(());
        let counts = Arc::clone(&self.state.counts);
        for (continues, untabbed, report) in outcomes.await {
            let outcome = report.map(|report| self.note_stage(report));
            if let (Ok(RecordOutcome::Created | RecordOutcome::Changed), Some(status)) =
                (&outcome, untabbed)
            {
                self.untabbed.count(status);
            }
            match outcome {
                Err(error) => result = Err(error),
                Ok(RecordOutcome::Rejected(reject)) => self.add_reject(*reject),
                Ok(RecordOutcome::Changed) => {
                    self.progress.changed += 1;
                    self.count(&counts.changed);
                }
                // Its first record was counted.
                Ok(RecordOutcome::Created | RecordOutcome::Unchanged) if continues => {}
                Ok(RecordOutcome::Created) => {
                    self.progress.created += 1;
                    self.count(&counts.created);
                }
                Ok(RecordOutcome::Unchanged) => {
                    self.progress.unchanged += 1;
                    self.count(&counts.unchanged);
                }
            }
        }
        self.catch_up().await;
        result
    }

    /// Warns of a stage that is not taken, and gives the rest of the report.
    fn note_stage(&mut self, report: RecordReport) -> RecordOutcome {
        self.warnings.extend(report.warning);
        if report.leaves_stage_out && !self.stages_left_out {
            self.stages_left_out = true;
            self.warnings.push(STAGES_LEFT_OUT.to_owned());
        }
        report.outcome
    }

    fn count(&self, rows: &Counter) {
        if !self.dry_run {
            rows.increment();
        }
    }

    async fn catch_up(&mut self) {
        let ImportProgress {
            created, changed, ..
        } = self.progress;
        if self.dry_run || created + changed < self.caught_up + CATCH_UP_INTERVAL {
            return;
        }
        self.caught_up = created + changed;
        let caught_up = self.state.broadcaster.send(CatchUp).await;
        if let Err(error) = caught_up {
            tracing::error!(%error, "the broadcaster is gone");
        }
    }

    fn add_reject(&mut self, reject: Reject) {
        self.progress.refused += 1;
        self.count(&self.state.counts.refused);
        self.rejects.push(reject);
    }
}
