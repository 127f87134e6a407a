//! Who writes for a command: the server that is running on the data folder, else this process.

use std::path::Path;
use std::time::Duration;

use dispatch_actors::committer::GROUP;
use dispatch_server::app::Services;
use dispatch_server::config::Shop;
use dispatch_server::control::{self, Answer, ImportRequest, UserChange};
use dispatch_server::intake::{self, Summary};
use dispatch_server::lock::{DataLock, Locked};

use crate::commands::{Sentence, sentence};

/// The one writer: a running server, or this process.
pub enum Writer {
    Server(reqwest::Client),
    Here {
        services: Box<Services>,
        _lock: DataLock,
    },
}

impl Writer {
    pub async fn find(shop: &Shop) -> Result<Self, Sentence> {
        match DataLock::take(&shop.data_dir) {
            Ok(lock) => {
                let services = Services::start(shop, GROUP).await.map_err(sentence)?;
                Ok(Self::Here {
                    services: Box::new(services),
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

    pub async fn import(
        &self,
        request: &ImportRequest,
        file: Vec<u8>,
    ) -> Result<Summary, Sentence> {
        match self {
            Self::Here { services, .. } => intake::take(
                services,
                &request.file_name,
                &file,
                request.format,
                request.dry_run,
            )
            .await
            .map_err(sentence),
            Self::Server(client) => {
                let call = client
                    .post("http://dispatch/import")
                    .query(request)
                    .body(file);
                answered(call).await
            }
        }
    }

    pub async fn change_user(&self, change: UserChange) -> Result<(), Sentence> {
        match self {
            Self::Here { services, .. } => control::change_user(services, change)
                .await
                .map_err(|error| error.error),
            Self::Server(client) => {
                answered(client.post("http://dispatch/user").json(&change)).await
            }
        }
    }

    /// To be called at the end, so that the database is left as one file.
    pub async fn finish(self) {
        if let Self::Here { services, .. } = self {
            services.store.close().await;
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
        Answer { error, .. } => {
            Err(error.unwrap_or_else(|| "the running server refused".to_owned()))
        }
    }
}

fn lost(error: impl std::fmt::Display) -> Sentence {
    format!("the running server did not answer: {error}")
}
