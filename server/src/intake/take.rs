//! Taking a file in as it arrives: each record goes to its order's supervisor, like any other change.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use dispatch_actors::broadcaster::CatchUp;
use dispatch_actors::repair_order::{Change, Command, ImportedOrder, RepairOrder, RoNumber};
use dispatch_actors::store::{Author, Channel};
use dispatch_actors::supervisor::{Execute, Failure, Outcome};
use dispatch_intake::{FileReader, FormatChoice, ReadError, ReadOutput, Record, Reject};
use futures_util::future::join_all;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::state::IntakeState;

/// Records under way at once. A desk's own change waits for the group of them that is being
/// committed: 64 (of three jobs, on SQLite) made one in a hundred wait 142 ms, and a change must
/// be seen within 100; 16 still fill a group well enough that the disk's own time is shared.
const AT_ONCE: usize = 16;

/// Changed orders after which open screens get what was announced before there is more: a quarter
/// of what may wait for one of them.
const CATCH_UP: usize = 64;

/// Bytes that are read before their records are handed on; it bounds what is read ahead of them.
const PIECE: usize = 64 * 1024;

/// Between the attempts to save a record while the database does not answer.
const PAUSES: [Duration; 3] = [
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
];

/// Takes one file in as its bytes arrive.
pub struct Taking {
    state: IntakeState,
    dry_run: bool,
    by: Author,
    reading: FileReader,
    /// Read, and not handed on.
    parsed: ReadOutput,
    progress: Progress,
    /// How many orders were created and changed when the open screens had all of them.
    caught_up: usize,
    rejects: Vec<Reject>,
    warnings: Vec<String>,
}

/// How many repair orders an import created, changed and left as they were, and how many rows it
/// refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub created: usize,
    pub changed: usize,
    pub unchanged: usize,
    pub refused: usize,
}

/// What became of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub created: usize,
    pub changed: usize,
    pub unchanged: usize,
    /// How many rows were refused.
    pub refused: usize,
    /// Those of them that nobody took out before.
    pub rejects: Vec<Reject>,
    /// In sentences; those that nobody took out before.
    pub warnings: Vec<String>,
}

/// Why a file was not taken to its end; nothing may be fed afterwards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// No fault of the file: it is to be taken again from its beginning.
    #[error(
        "The database does not answer just now: what was taken stays, and importing the file again is safe"
    )]
    Unavailable,
}

enum Taken {
    Created,
    Changed,
    Unchanged,
    Rejected(Box<Reject>),
}

impl Taking {
    /// With `dry_run`, nothing is changed: it says what would become of the file.
    pub fn new(state: &IntakeState, file_name: &str, format: FormatChoice, dry_run: bool) -> Self {
        let zone = state.time_zone.clone();
        Self {
            state: state.clone(),
            dry_run,
            by: Author {
                uid: "import".to_owned(),
                name: "Import".to_owned(),
                channel: Channel::Import,
            },
            reading: FileReader::new(file_name, format, zone, Timestamp::now()),
            parsed: ReadOutput::default(),
            progress: Progress::default(),
            caught_up: 0,
            rejects: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Whose changes they are, where it is not just the import's.
    pub fn by(mut self, author: Author) -> Self {
        self.by = author;
        self
    }

    /// Takes what is whole by now. A file that cannot be read has changed nothing.
    pub async fn feed(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        for piece in bytes.chunks(PIECE) {
            self.reading.feed(piece, &mut self.parsed)?;
            self.hand_on(AT_ONCE).await?;
        }
        Ok(())
    }

    /// What became of the rows so far.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Refused rows since the last call; whoever never calls it keeps them all until the end.
    pub fn rejects(&mut self) -> Vec<Reject> {
        std::mem::take(&mut self.rejects)
    }

    /// What was left out of records since the last call; likewise.
    pub fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// The file has ended: takes what is left. To be called once, and last.
    pub async fn finish(&mut self) -> Result<Summary, Stopped> {
        self.reading.finish(&mut self.parsed)?;
        self.hand_on(1).await?;
        let Progress {
            created,
            changed,
            unchanged,
            refused,
        } = self.progress;
        Ok(Summary {
            created,
            changed,
            unchanged,
            refused,
            rejects: self.rejects(),
            warnings: self.warnings(),
        })
    }

    /// Hands records on, a few at a time, while there are `at_least` so many.
    async fn hand_on(&mut self, at_least: usize) -> Result<(), Stopped> {
        for reject in std::mem::take(&mut self.parsed.rejects) {
            self.refuse(reject);
        }
        while self.parsed.records.len() >= at_least {
            // Two records of one order come one after the other.
            let mut numbers = HashSet::new();
            let records = &mut self.parsed.records;
            let together = records
                .iter()
                .take(AT_ONCE)
                .take_while(|record| numbers.insert(record.number))
                .count();
            let records: Vec<Record> = records.drain(..together).collect();
            self.take(records).await?;
        }
        Ok(())
    }

    async fn take(&mut self, records: Vec<Record>) -> Result<(), Stopped> {
        for Record {
            place, warnings, ..
        } in &records
        {
            let warnings = warnings.iter().map(|warning| format!("{place}: {warning}"));
            self.warnings.extend(warnings);
        }
        let state = &self.state;
        let taken = join_all(records.into_iter().map(async |record| {
            let continues = record.continues;
            (
                continues,
                take_record(state, record, &self.by, self.dry_run).await,
            )
        }));
        let mut stopped = Ok(());
        for (continues, taken) in taken.await {
            match taken {
                Err(why) => stopped = Err(why),
                Ok(Taken::Rejected(reject)) => self.refuse(*reject),
                Ok(Taken::Changed) => self.progress.changed += 1,
                // Its first record was counted.
                Ok(Taken::Created | Taken::Unchanged) if continues => {}
                Ok(Taken::Created) => self.progress.created += 1,
                Ok(Taken::Unchanged) => self.progress.unchanged += 1,
            }
        }
        self.catch_up().await;
        stopped
    }

    async fn catch_up(&mut self) {
        let Progress {
            created, changed, ..
        } = self.progress;
        if self.dry_run || created + changed < self.caught_up + CATCH_UP {
            return;
        }
        self.caught_up = created + changed;
        let caught_up = self.state.broadcaster.send(CatchUp).await;
        if let Err(error) = caught_up {
            tracing::error!(%error, "the broadcaster is gone");
        }
    }

    fn refuse(&mut self, reject: Reject) {
        self.progress.refused += 1;
        self.rejects.push(reject);
    }
}

async fn take_record(
    state: &IntakeState,
    record: Record,
    by: &Author,
    dry_run: bool,
) -> Result<Taken, Stopped> {
    let Record {
        place,
        number,
        mut order,
        continues,
        technicians_without_number: said,
        raw,
        ..
    } = record;
    // Until the order is carried out, no new match of a number comes in between.
    let resolved = state.matching.resolve(number, &mut order, &said).await;
    let mut pauses = PAUSES.into_iter();
    let carried_out = loop {
        let carried_out = carry_out(state, number, &mut order, continues, by, dry_run).await;
        let Err(Failure::Unavailable) = carried_out else {
            break carried_out;
        };
        match pauses.next() {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return Err(Stopped::Unavailable),
        }
    };
    let (changes, order) = match carried_out {
        Ok(done) => done,
        Err(failure) => {
            return Ok(Taken::Rejected(Box::new(Reject {
                place,
                field: "repairOrderNumber".to_owned(),
                reason: failure.to_string(),
                raw,
            })));
        }
    };
    let taken = match &changes[..] {
        [] => Taken::Unchanged,
        [Change::Created { .. }, ..] => Taken::Created,
        _ => Taken::Changed,
    };
    if let Some(order) = order {
        let is_new = matches!(taken, Taken::Created);
        resolved.carried_out(&order, is_new, continues).await;
    }
    Ok(taken)
}

/// What it changes, and, but in a dry run, the order as it is then.
async fn carry_out(
    state: &IntakeState,
    number: RoNumber,
    order: &mut ImportedOrder,
    continues: bool,
    by: &Author,
    dry_run: bool,
) -> Result<(Vec<Change>, Option<Arc<RepairOrder>>), Failure> {
    if continues {
        keep_what_came_before(state, number, order).await?;
    }
    let command = Command::Import(Box::new(order.clone()));
    if dry_run {
        return Ok((preview(state, number, &command).await?, None));
    }
    let request = Execute::new(command, by.clone());
    let outcome = state.orders.execute(number, request).await;
    state.orders.release(number);
    let Outcome { order, events } = outcome?;
    let changes = events.into_iter().map(|event| event.change).collect();
    Ok((changes, Some(order)))
}

/// An import's lists replace those of the order. A record that continues an earlier one has only
/// the rest of them, so what the earlier one brought is put before it.
async fn keep_what_came_before(
    state: &IntakeState,
    number: RoNumber,
    imported: &mut ImportedOrder,
) -> Result<(), Failure> {
    let Some(order) = load(state, number).await? else {
        return Ok(());
    };
    if let Some(technicians) = &mut imported.etl_technicians {
        let mut all = order.etl_technicians;
        for technician in technicians.drain(..) {
            match all
                .iter_mut()
                .find(|known| known.technician == technician.technician)
            {
                Some(known) => known.name = technician.name.or(known.name.take()),
                None => all.push(technician),
            }
        }
        *technicians = all;
    }
    for job in &mut imported.jobs {
        let known = order
            .jobs
            .iter()
            .find(|known| known.job_number == job.job_number);
        let Some(known) = known else { continue };
        before(&mut job.operations, &known.operations);
        before(&mut job.assignments, &known.assignments);
    }
    Ok(())
}

fn before<T: Clone + PartialEq>(list: &mut Option<Vec<T>>, known: &[T]) {
    if let Some(list) = list {
        let mut all = known.to_vec();
        let new = list.drain(..).filter(|new| !known.contains(new));
        all.extend(new);
        *list = all;
    }
}

async fn load(state: &IntakeState, number: RoNumber) -> Result<Option<RepairOrder>, Failure> {
    state.store.load(number).await.map_err(|error| {
        tracing::error!(%error, "a repair order could not be read");
        Failure::Unavailable
    })
}

async fn preview(
    state: &IntakeState,
    number: RoNumber,
    command: &Command,
) -> Result<Vec<Change>, Failure> {
    match (load(state, number).await?, command) {
        (Some(order), command) => Ok(order.apply(command)?),
        (None, Command::Import(imported)) => {
            Ok(RepairOrder::create(number, imported, Timestamp::now()))
        }
        (None, _) => Err(Failure::Unknown(number)),
    }
}
