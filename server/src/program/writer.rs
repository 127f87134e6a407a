//! Who writes for a command: the server that is running on the data folder, else this process.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::Duration;

use dispatch_actors::committer::GROUP;
use dispatch_actors::store::DatabaseUrl;
use dispatch_server::app::Assembly;
use dispatch_server::control::{
    self, ControlAnswer, ImportEvent, ImportRequest, ImportStream, ListedUser, TokenKeyRotation,
    UserChange,
};
use dispatch_server::customers::api_types::{CustomerAnswer, CustomerRequest};
use dispatch_server::database;
use dispatch_server::files::lock::{DataLock, Holder, LockError, holder_name};
use dispatch_server::hosted_import::{self, Entry, Outcome};
use dispatch_server::intake::{ImportError, ImportProgress};
use dispatch_server::options::config::Shop;
use dispatch_server::push::PushOptions;
use dispatch_server::server_status;
use dispatch_server::tech_story::StoryOptions;
use futures_util::{StreamExt, stream};

use crate::program::commands::{Sentence, sentence, warn};
use crate::program::file_chunks::FileChunks;

/// The one writer.
pub struct Writer {
    program: Program,
    /// Where it writes.
    folders: Vec<PathBuf>,
}

/// Whoever writes: a running server, or this process.
enum Program {
    Server(reqwest::Client),
    Here {
        assembly: Box<Assembly>,
        _lock: DataLock,
    },
}

impl Writer {
    /// For commands that may be the first of a new shop.
    pub async fn find(shop: &Shop) -> Result<Self, Sentence> {
        let folders = written_folders(shop);
        match Program::find(shop).await {
            Ok(program) => Ok(Self { program, folders }),
            Err(why) => Err(with_full_disk(why, &folders)),
        }
    }

    /// For commands about what a shop has. One without a database is refused, and none is made.
    pub async fn find_existing(shop: &Shop) -> Result<Self, Sentence> {
        database::refuse_missing(shop).map_err(sentence)?;
        if is_new(shop) {
            return Err(format!(
                "there is no database {}; if the server's is in another folder, name that with --data-dir",
                shop.database
            ));
        }
        Self::find(shop).await
    }

    /// To be called at the end, so that the database is left as one file. What failed on a full disk says so.
    pub async fn finish<T>(self, done: Result<T, Sentence>) -> Result<T, Sentence> {
        if let Program::Here { assembly, .. } = self.program {
            assembly.close().await;
        }
        done.map_err(|why| with_full_disk(why, &self.folders))
    }

    /// Hands a file over as it is read, and its events to `on_event`. Gives the summary.
    pub async fn import(
        &self,
        request: &ImportRequest,
        mut file: FileChunks,
        mut on_event: impl FnMut(ImportEvent) -> Result<(), Sentence>,
    ) -> Result<ImportProgress, Sentence> {
        let named = |why: Sentence| format!("{}: {why}", request.file_name);
        match &self.program {
            Program::Here { assembly, .. } => {
                let named_error = |why: ImportError| named(why.to_string());
                let mut import = ImportStream::new(assembly.control(), request);
                while let Some(chunk) = file.next().await? {
                    let event = import.feed(&chunk).await.map_err(named_error)?;
                    event.into_iter().try_for_each(&mut on_event)?;
                }
                let mut summary = None;
                for event in import.finish().await.map_err(named_error)? {
                    match event {
                        ImportEvent::Summary(all) => summary = Some(all),
                        event => on_event(event)?,
                    }
                }
                summary.ok_or_else(|| BROKE_OFF.to_owned())
            }
            Program::Server(client) => {
                let failed = file.failed.clone();
                let imported = import_at_server(client, request, file, on_event).await;
                // A file that could not be read to its end is why the rest went wrong.
                let why = failed.lock().unwrap_or_else(PoisonError::into_inner).take();
                why.map_or(imported.map_err(named), Err)
            }
        }
    }

    /// Gives what is to be warned of.
    pub async fn change_user(&self, change: UserChange) -> Result<Option<Sentence>, Sentence> {
        match &self.program {
            Program::Here { assembly, .. } => control::change_user(assembly.control(), change)
                .await
                .map_err(|error| error.error),
            Program::Server(client) => {
                call_server(client.post("http://dispatch/user").json(&change)).await
            }
        }
    }

    pub async fn users(&self) -> Result<Vec<ListedUser>, Sentence> {
        match &self.program {
            Program::Here { assembly, .. } => control::list_users(assembly.control())
                .await
                .map_err(|error| error.error),
            Program::Server(client) => call_server(client.get("http://dispatch/users")).await,
        }
    }

    /// What there is of a customer, and what became of it.
    pub async fn customer(&self, request: &CustomerRequest) -> Result<CustomerAnswer, Sentence> {
        match &self.program {
            Program::Here { assembly, .. } => {
                let customers = &assembly.control().customers;
                let answer = customers.answer(request.clone()).await;
                answer.map_err(|error| error.error)
            }
            Program::Server(client) => {
                call_server(client.post("http://dispatch/customer").json(request)).await
            }
        }
    }

    pub async fn rotate_token_key(&self, rotation: TokenKeyRotation) -> Result<(), Sentence> {
        match &self.program {
            Program::Here { assembly, .. } => {
                let TokenKeyRotation { now, end_sessions } = rotation;
                let rotated = assembly
                    .control()
                    .identity
                    .rotate_token_key(now, end_sessions)
                    .await;
                rotated.map_err(|error| error.error)
            }
            Program::Server(client) => {
                let call = client.post("http://dispatch/token-key").json(&rotation);
                call_server(call).await
            }
        }
    }

    pub async fn import_staff(&self, entries: &[Entry]) -> Result<Vec<Outcome>, Sentence> {
        match &self.program {
            Program::Here { assembly, .. } => {
                hosted_import::import_entries(&assembly.control().hosted_import, entries.to_vec())
                    .await
                    .map_err(|error| error.error)
            }
            Program::Server(client) => {
                call_server(client.post("http://dispatch/staff").json(entries)).await
            }
        }
    }
}

impl Program {
    async fn find(shop: &Shop) -> Result<Self, Sentence> {
        match DataLock::take(&shop.data_dir) {
            Ok(lock) => {
                let is_new = is_new(shop);
                let here = "http://127.0.0.1:8080";
                let (push, stories) = (PushOptions::default(), StoryOptions::default());
                let assembly = Assembly::start(shop, GROUP, here, push, &stories).await;
                let assembly = assembly.map_err(sentence)?;
                if is_new {
                    warn(format!(
                        "there was no database {}, so this is a new shop; if the server's is in another folder, name \
                         that with --data-dir",
                        shop.database
                    ));
                }
                Ok(Self::Here {
                    assembly: Box::new(assembly),
                    _lock: lock,
                })
            }
            Err(LockError::InUse { holder, .. }) => {
                let path = control::socket_path(&shop.data_dir);
                wait_for(&path, holder.as_ref()).await?;
                reqwest::Client::builder()
                    .unix_socket(path.as_path())
                    .build()
                    .map(Self::Server)
                    .map_err(sentence)
            }
            Err(unusable) => Err(sentence(unusable)),
        }
    }
}

fn is_new(shop: &Shop) -> bool {
    matches!(&shop.database, DatabaseUrl::Sqlite(file) if !file.exists())
}

fn written_folders(shop: &Shop) -> Vec<PathBuf> {
    let mut folders = vec![shop.data_dir.clone()];
    if let DatabaseUrl::Sqlite(file) = &shop.database {
        folders.extend(file.parent().map(Path::to_owned));
    }
    folders
}

/// A change that could not be saved does not know why; trying again does not help where there is no room.
fn with_full_disk(why: Sentence, folders: &[PathBuf]) -> Sentence {
    match folders.iter().find(|folder| server_status::is_full(folder)) {
        Some(full) => format!(
            "{why} (the disk of {} is full: make room first)",
            full.display()
        ),
        None => why,
    }
}

/// A server that is just starting holds the lock before it listens.
async fn wait_for(socket: &Path, holder: Option<&Holder>) -> Result<(), Sentence> {
    for _ in 0..100 {
        if tokio::net::UnixStream::connect(socket).await.is_ok() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!(
        "the data folder is in use by {}, and no server answers at {}; try again when that has started or ended",
        holder_name(holder),
        socket.display()
    ))
}

/// Records imported until then stay, and existing ones are not imported twice.
const BROKE_OFF: &str = "the running server did not answer to the end of the file: \
    what it had taken stays, and importing the file again is safe";

async fn import_at_server(
    client: &reqwest::Client,
    request: &ImportRequest,
    file: FileChunks,
    mut on_event: impl FnMut(ImportEvent) -> Result<(), Sentence>,
) -> Result<ImportProgress, Sentence> {
    let body = stream::unfold(file, |mut file| async {
        let chunk = file.next().await.transpose()?;
        Some((chunk.map_err(io::Error::other), file))
    });
    let call = client
        .post("http://dispatch/import")
        .query(request)
        .body(reqwest::Body::wrap_stream(body));
    let answer = call.send().await.map_err(|_| BROKE_OFF)?;
    if !answer.status().is_success() {
        let refused: ControlAnswer<()> = answer.json().await.map_err(connection_error)?;
        return Err(refused.error.unwrap_or_else(|| SERVER_REFUSED.to_owned()));
    }
    let mut chunks = answer.bytes_stream();
    let mut lines = Vec::new();
    while let Some(chunk) = chunks.next().await {
        lines.extend_from_slice(&chunk.map_err(|_| BROKE_OFF)?);
        let whole = lines
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        for line in lines[..whole]
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            match serde_json::from_slice(line).map_err(connection_error)? {
                ImportEvent::Summary(all) => return Ok(all),
                ImportEvent::Error(why) => return Err(why),
                event => on_event(event)?,
            }
        }
        lines.drain(..whole);
    }
    Err(BROKE_OFF.to_owned())
}

const SERVER_REFUSED: &str = "the running server refused";

async fn call_server<T: serde::de::DeserializeOwned>(
    call: reqwest::RequestBuilder,
) -> Result<T, Sentence> {
    let answer: ControlAnswer<serde_json::Value> = call
        .send()
        .await
        .map_err(connection_error)?
        .json()
        .await
        .map_err(connection_error)?;
    match answer {
        // A call without a result has null for one.
        ControlAnswer {
            ok: true, result, ..
        } => serde_json::from_value(result.unwrap_or_default()).map_err(connection_error),
        ControlAnswer { error, .. } => Err(error.unwrap_or_else(|| SERVER_REFUSED.to_owned())),
    }
}

fn connection_error(error: impl std::fmt::Display) -> Sentence {
    format!("the running server did not answer: {error}")
}
