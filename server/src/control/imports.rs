//! An import of repair orders by the command line.

use std::io;
use std::time::{Duration, Instant};

use actix_web::{HttpResponse, post, web};
use bytes::Bytes;
use dispatch_intake::{FormatChoice, Reject};
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::ControlState;
use crate::intake::{FileImport, ImportError, ImportProgress, ImportSummary};
use crate::log_lines;

/// How often an import says how far it is.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Lines of an import's answer that wait for their reader. When there are more, the import waits.
const MAX_WAITING_LINES: usize = 256;

#[derive(Debug, Serialize, Deserialize)]
pub struct ImportRequest {
    pub file_name: String,
    pub format: FormatChoice,
    pub dry_run: bool,
}

/// A line of the answer to an import.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImportEvent {
    /// About once a second.
    Progress(ImportProgress),
    Reject(Reject),
    Warning(String),
    /// The whole file was read; the last line.
    Summary(ImportProgress),
    /// The file cannot be read, or not be imported to its end; the last line.
    Error(String),
}

/// Imports a file as it arrives, and reports what becomes of it.
pub struct ImportStream {
    file: FileImport,
    /// As the log has it; none where nothing is changed.
    name: Option<String>,
    reported_at: Instant,
}

impl ImportStream {
    pub fn new(state: &ControlState, request: &ImportRequest) -> Self {
        let ImportRequest {
            file_name,
            format,
            dry_run,
        } = request;
        Self {
            file: FileImport::new(&state.intake, file_name, *format, *dry_run),
            name: (!dry_run).then(|| log_lines::name(file_name)),
            reported_at: Instant::now(),
        }
    }

    pub async fn feed(&mut self, bytes: &[u8]) -> Result<Vec<ImportEvent>, ImportError> {
        self.file.feed(bytes).await?;
        let mut events = events(self.file.take_rejects(), self.file.take_warnings());
        if self.reported_at.elapsed() >= PROGRESS_INTERVAL {
            self.reported_at = Instant::now();
            events.push(ImportEvent::Progress(self.file.progress()));
        }
        Ok(events)
    }

    pub async fn finish(mut self) -> Result<Vec<ImportEvent>, ImportError> {
        let ImportSummary {
            created,
            changed,
            unchanged,
            refused,
            rejects,
            warnings,
        } = self.file.finish().await?;
        let progress = ImportProgress {
            created,
            changed,
            unchanged,
            refused,
        };
        if let Some(name) = self.name {
            tracing::info!("{name}: {progress}; by dispatch import");
        }
        let mut events = events(rejects, warnings);
        events.push(ImportEvent::Summary(progress));
        Ok(events)
    }
}

fn events(rejects: Vec<Reject>, warnings: Vec<String>) -> Vec<ImportEvent> {
    let rejects = rejects.into_iter().map(ImportEvent::Reject);
    rejects
        .chain(warnings.into_iter().map(ImportEvent::Warning))
        .collect()
}

/// The request's body is the file, and the answer has an event on each line while the file is read.
#[post("/import")]
pub(super) async fn import(
    state: web::Data<ControlState>,
    request: web::Query<ImportRequest>,
    file: web::Payload,
) -> HttpResponse {
    let (lines, answer) = mpsc::channel(MAX_WAITING_LINES);
    actix_web::rt::spawn(async move {
        // The client may be gone. What was imported stays.
        let _ = import_file(ImportStream::new(&state, &request), file, &lines).await;
    });
    let answer = stream::unfold(answer, async |mut answer| {
        let line: Bytes = answer.recv().await?;
        Some((Ok::<_, io::Error>(line), answer))
    });
    HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .streaming(Box::pin(answer))
}

/// Nobody reads the answer any more, or the upload broke off.
struct ClientGone;

async fn import_file(
    mut upload: ImportStream,
    mut file: web::Payload,
    lines: &mpsc::Sender<Bytes>,
) -> Result<(), ClientGone> {
    let error = loop {
        let Some(bytes) = file.next().await else {
            match upload.finish().await {
                Ok(events) => return send_events(lines, events).await,
                Err(error) => break error,
            }
        };
        match upload.feed(&bytes.map_err(|_| ClientGone)?).await {
            Ok(events) => send_events(lines, events).await?,
            Err(error) => break error,
        }
    };
    send_events(lines, vec![ImportEvent::Error(error.to_string())]).await?;
    // Closing before the sender has read the answer could lose it.
    while let Some(Ok(_)) = file.next().await {}
    Ok(())
}

async fn send_events(
    lines: &mpsc::Sender<Bytes>,
    events: Vec<ImportEvent>,
) -> Result<(), ClientGone> {
    for event in events {
        let mut line = serde_json::to_vec(&event).map_err(|_| ClientGone)?;
        line.push(b'\n');
        lines
            .send(Bytes::from(line))
            .await
            .map_err(|_| ClientGone)?;
    }
    Ok(())
}
