//! Who writes for a command: the server that is running on the data folder, else this process.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dispatch_actors::committer::GROUP;
use dispatch_server::app::Assembly;
use dispatch_server::config::Shop;
use dispatch_server::control::{
    self, Answer, ImportRequest, Importing, News, TokenKeyRotation, UserChange,
};
use dispatch_server::hosted_import::{self, Entry, Outcome};
use dispatch_server::intake::{Progress, Stopped};
use dispatch_server::lock::{DataLock, Locked};
use dispatch_server::push::PushOptions;
use dispatch_server::tech_story::StoryOptions;
use futures_util::{StreamExt, stream};
use tokio::sync::mpsc;

use crate::commands::{Sentence, sentence};

/// The one writer: a running server, or this process.
pub enum Writer {
    Server(reqwest::Client),
    Here {
        assembly: Box<Assembly>,
        _lock: DataLock,
    },
}

impl Writer {
    pub async fn find(shop: &Shop) -> Result<Self, Sentence> {
        match DataLock::take(&shop.data_dir) {
            Ok(lock) => {
                let here = "http://127.0.0.1:8080";
                let (push, stories) = (PushOptions::default(), StoryOptions::default());
                let assembly = Assembly::start(shop, GROUP, here, push, &stories).await;
                let assembly = assembly.map_err(sentence)?;
                Ok(Self::Here {
                    assembly: Box::new(assembly),
                    _lock: lock,
                })
            }
            Err(Locked::InUse(_)) => {
                let path = control::socket_path(&shop.data_dir);
                wait_for(&path).await?;
                reqwest::Client::builder()
                    .unix_socket(path.as_path())
                    .build()
                    .map(Self::Server)
                    .map_err(sentence)
            }
            Err(unusable) => Err(sentence(unusable)),
        }
    }

    /// Hands a file over as it is read, and its news on as they come (a `Summary` is what this
    /// gives in the end).
    pub async fn import(
        &self,
        request: &ImportRequest,
        mut file: Pieces,
        mut hear: impl FnMut(News) -> Result<(), Sentence>,
    ) -> Result<Progress, Sentence> {
        let named = |why: Sentence| format!("{}: {why}", request.file_name);
        match self {
            Self::Here { assembly, .. } => {
                let stopped = |why: Stopped| named(why.to_string());
                let mut importing = Importing::new(assembly.control(), request);
                while let Some(piece) = file.next().await? {
                    let news = importing.feed(&piece).await.map_err(stopped)?;
                    news.into_iter().try_for_each(&mut hear)?;
                }
                let mut summary = None;
                for news in importing.finish().await.map_err(stopped)? {
                    match news {
                        News::Summary(all) => summary = Some(all),
                        news => hear(news)?,
                    }
                }
                summary.ok_or_else(|| BROKE_OFF.to_owned())
            }
            Self::Server(client) => {
                let failed = file.failed.clone();
                let imported = import_there(client, request, file, hear).await;
                // A file that could not be read to its end is why the rest went wrong.
                let why = failed.lock().unwrap_or_else(PoisonError::into_inner).take();
                why.map_or(imported.map_err(named), Err)
            }
        }
    }

    /// Gives what is to be warned of.
    pub async fn change_user(&self, change: UserChange) -> Result<Option<Sentence>, Sentence> {
        match self {
            Self::Here { assembly, .. } => control::change_user(assembly.control(), change)
                .await
                .map_err(|error| error.error),
            Self::Server(client) => {
                answered(client.post("http://dispatch/user").json(&change)).await
            }
        }
    }

    pub async fn rotate_token_key(&self, rotation: TokenKeyRotation) -> Result<(), Sentence> {
        match self {
            Self::Here { assembly, .. } => {
                let TokenKeyRotation { now, end_sessions } = rotation;
                let rotated = assembly
                    .control()
                    .identity
                    .rotate_token_key(now, end_sessions)
                    .await;
                rotated.map_err(|error| error.error)
            }
            Self::Server(client) => {
                let call = client.post("http://dispatch/token-key").json(&rotation);
                answered(call).await
            }
        }
    }

    pub async fn import_staff(&self, entries: &[Entry]) -> Result<Vec<Outcome>, Sentence> {
        match self {
            Self::Here { assembly, .. } => {
                hosted_import::import_entries(&assembly.control().hosted_import, entries.to_vec())
                    .await
                    .map_err(|error| error.error)
            }
            Self::Server(client) => {
                answered(client.post("http://dispatch/staff").json(entries)).await
            }
        }
    }

    /// To be called at the end, so that the database is left as one file.
    pub async fn finish(self) {
        if let Self::Here { assembly, .. } = self {
            assembly.close().await;
        }
    }
}

/// A server that is just starting holds the lock before it listens.
async fn wait_for(socket: &Path) -> Result<(), Sentence> {
    for _ in 0..100 {
        if tokio::net::UnixStream::connect(socket).await.is_ok() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!(
        "the data folder is in use, but no server answers at {}; try again when it has started or stopped",
        socket.display()
    ))
}

/// What was taken until then is there, and what is there already is not taken twice.
const BROKE_OFF: &str = "the running server did not answer to the end of the file: \
    what it had taken stays, and importing the file again is safe";

async fn import_there(
    client: &reqwest::Client,
    request: &ImportRequest,
    file: Pieces,
    mut hear: impl FnMut(News) -> Result<(), Sentence>,
) -> Result<Progress, Sentence> {
    let body = stream::unfold(file, |mut file| async {
        let piece = file.next().await.transpose()?;
        Some((piece.map_err(io::Error::other), file))
    });
    let call = client
        .post("http://dispatch/import")
        .query(request)
        .body(reqwest::Body::wrap_stream(body));
    let answer = call.send().await.map_err(|_| BROKE_OFF)?;
    if !answer.status().is_success() {
        let refused: Answer<()> = answer.json().await.map_err(lost)?;
        return Err(refused.error.unwrap_or_else(|| REFUSED.to_owned()));
    }
    let mut pieces = answer.bytes_stream();
    let mut lines = Vec::new();
    while let Some(piece) = pieces.next().await {
        lines.extend_from_slice(&piece.map_err(|_| BROKE_OFF)?);
        let whole = lines
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        for line in lines[..whole]
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            match serde_json::from_slice(line).map_err(lost)? {
                News::Summary(all) => return Ok(all),
                News::Error(why) => return Err(why),
                news => hear(news)?,
            }
        }
        lines.drain(..whole);
    }
    Err(BROKE_OFF.to_owned())
}

/// Bytes of a file that are read at once.
const PIECE: usize = 64 * 1024;

/// A file, or standard input, as it is read.
pub struct Pieces {
    pieces: mpsc::Receiver<io::Result<Vec<u8>>>,
    name: String,
    /// Why it could not be read to its end, for who gave the pieces away.
    failed: Arc<Mutex<Option<Sentence>>>,
}

impl Pieces {
    /// `-` is standard input.
    pub fn of(path: &Path) -> Result<Self, Sentence> {
        let name = path.display().to_string();
        let cannot_read = |error: io::Error| format!("cannot read {name}: {error}");
        let mut file: Box<dyn Read + Send> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path).map_err(cannot_read)?)
        };
        let (sender, pieces) = mpsc::channel(2);
        // A thread of its own, which nobody waits for: standard input may have nothing to say for
        // hours after the import has failed.
        std::thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let piece = match file.read(&mut piece) {
                    Ok(0) => return,
                    Ok(length) => {
                        piece.truncate(length);
                        Ok(piece)
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                if piece.is_err() | sender.blocking_send(piece).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            pieces,
            name,
            failed: Arc::default(),
        })
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, Sentence> {
        let Some(piece) = self.pieces.recv().await else {
            return Ok(None);
        };
        piece.map(Some).map_err(|error| {
            let why = format!("cannot read {}: {error}", self.name);
            let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
            failed.insert(why).clone()
        })
    }
}

const REFUSED: &str = "the running server refused";

async fn answered<T: serde::de::DeserializeOwned>(
    call: reqwest::RequestBuilder,
) -> Result<T, Sentence> {
    let answer: Answer<serde_json::Value> = call
        .send()
        .await
        .map_err(lost)?
        .json()
        .await
        .map_err(lost)?;
    match answer {
        // What is done without a result has null for one.
        Answer {
            ok: true, result, ..
        } => serde_json::from_value(result.unwrap_or_default()).map_err(lost),
        Answer { error, .. } => Err(error.unwrap_or_else(|| REFUSED.to_owned())),
    }
}

fn lost(error: impl std::fmt::Display) -> Sentence {
    format!("the running server did not answer: {error}")
}
