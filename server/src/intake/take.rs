//! Taking a parsed file in: each record goes to its order's supervisor, like any other change.

use dispatch_actors::broadcaster::CatchUp;
use dispatch_actors::repair_order::{Change, Command, RepairOrder};
use dispatch_actors::store::{Author, Channel};
use dispatch_actors::supervisor::{Execute, Failure};
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Format, Record, Reject, Unreadable, parse};
use crate::app::Services;

/// Records under way at once: enough to fill the committer's groups, few enough that a desk's own
/// change does not wait behind a whole file.
const AT_ONCE: usize = 64;

/// What became of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub created: usize,
    pub changed: usize,
    pub unchanged: usize,
    pub rejects: Vec<Reject>,
    pub warnings: Vec<String>,
}

enum Taken {
    Created,
    Changed,
    Unchanged,
    Rejected(Box<Reject>),
}

/// How far a file is taken in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub created: usize,
    pub changed: usize,
    pub unchanged: usize,
    pub refused: usize,
}

/// A file that comes in pieces.
pub struct Taking {
    services: Services,
    file_name: String,
    format: Format,
    dry_run: bool,
    by: Author,
    bytes: Vec<u8>,
}

impl Taking {
    pub fn new(services: &Services, file_name: &str, format: Format, dry_run: bool) -> Self {
        Self {
            services: services.clone(),
            file_name: file_name.to_owned(),
            format,
            dry_run,
            by: import_author(),
            bytes: Vec::new(),
        }
    }

    /// Whose changes they are, where it is not just the import's.
    pub fn by(mut self, author: Author) -> Self {
        self.by = author;
        self
    }

    pub async fn feed(&mut self, bytes: &[u8]) -> Result<(), Unreadable> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    pub fn progress(&self) -> Progress {
        Progress::default()
    }

    /// Refused rows since the last call.
    pub fn rejects(&mut self) -> Vec<Reject> {
        Vec::new()
    }

    pub fn warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// `rejects` and `warnings` are those that were not asked for before.
    pub async fn finish(self) -> Result<Summary, Unreadable> {
        take_by(
            &self.services,
            &self.file_name,
            &self.bytes,
            self.format,
            self.dry_run,
            &self.by,
        )
        .await
    }
}

fn import_author() -> Author {
    Author {
        uid: "import".to_owned(),
        name: "Import".to_owned(),
        channel: Channel::Import,
    }
}

/// Takes a file's orders in; with `dry_run`, says what would become of them.
pub async fn take(
    services: &Services,
    file_name: &str,
    bytes: &[u8],
    format: Format,
    dry_run: bool,
) -> Result<Summary, Unreadable> {
    take_by(
        services,
        file_name,
        bytes,
        format,
        dry_run,
        &import_author(),
    )
    .await
}

async fn take_by(
    services: &Services,
    file_name: &str,
    bytes: &[u8],
    format: Format,
    dry_run: bool,
    by: &Author,
) -> Result<Summary, Unreadable> {
    let parsed = parse(
        file_name,
        bytes,
        format,
        &services.time_zone,
        Timestamp::now(),
    )?;
    let mut summary = Summary {
        rejects: parsed.rejects,
        ..Summary::default()
    };
    for record in &parsed.records {
        summary.warnings.extend(
            record
                .warnings
                .iter()
                .map(|warning| format!("{}: {warning}", record.place)),
        );
    }
    let mut records = stream::iter(parsed.records).chunks(AT_ONCE);
    while let Some(records) = records.next().await {
        let taken = records
            .into_iter()
            .map(|record| take_record(services, record, dry_run, by));
        let before = summary.created + summary.changed;
        for taken in join_all(taken).await {
            match taken {
                Taken::Created => summary.created += 1,
                Taken::Changed => summary.changed += 1,
                Taken::Unchanged => summary.unchanged += 1,
                Taken::Rejected(reject) => summary.rejects.push(*reject),
            }
        }
        // Open screens get what was announced before there is more.
        if !dry_run && summary.created + summary.changed > before {
            let caught_up = services.broadcaster.send(CatchUp).await;
            if let Err(error) = caught_up {
                tracing::error!(%error, "the broadcaster is gone");
            }
        }
    }
    Ok(summary)
}

async fn take_record(services: &Services, record: Record, dry_run: bool, by: &Author) -> Taken {
    let Record {
        place,
        number,
        mut order,
        raw,
        ..
    } = record;
    let matching = &services.matching;
    let _until_carried_out = matching.resolve(number, &mut order, &[], dry_run).await;
    let command = Command::Import(Box::new(order));
    let changes = if dry_run {
        preview(services, number, &command).await
    } else {
        let request = Execute::new(command, by.clone());
        let outcome = services.orders.execute(number, request).await;
        outcome.map(|outcome| {
            outcome
                .events
                .into_iter()
                .map(|event| event.change)
                .collect()
        })
    };
    match changes.as_deref() {
        Ok([]) => Taken::Unchanged,
        Ok([Change::Created { .. }, ..]) => Taken::Created,
        Ok(_) => Taken::Changed,
        Err(failure) => Taken::Rejected(Box::new(Reject {
            place,
            field: "repairOrderNumber".to_owned(),
            reason: failure.to_string(),
            raw,
        })),
    }
}

async fn preview(
    services: &Services,
    number: dispatch_actors::repair_order::RoNumber,
    command: &Command,
) -> Result<Vec<Change>, Failure> {
    let order = services.store.load(number).await.map_err(|error| {
        tracing::error!(%error, "a repair order could not be read");
        Failure::Unavailable
    })?;
    match (order, command) {
        (Some(order), command) => Ok(order.apply(command)?),
        (None, Command::Import(imported)) => {
            Ok(RepairOrder::create(number, imported, Timestamp::now()))
        }
        (None, _) => Err(Failure::Unknown(number)),
    }
}
