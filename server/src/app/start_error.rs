//! Why a server does not start.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use dispatch_actors::store::{StoreError, Unreachable};

use crate::capacity::open_files::TooFewFiles;
use crate::database::DatabaseError;
use crate::demo::DemoError;
use crate::error::ApiError;
use crate::files::lock::LockError;
use crate::hosted::HostedError;
use crate::http;
use crate::identity::IdentityError;
use crate::intake::watched_folder::IntakeFolderError;
use crate::options::config::ConfigError;
use crate::push::PushSetupError;
use crate::staff::StaffError;

/// Why the server did not start; each is one line for the person at the keyboard.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    TooFewFiles(#[from] TooFewFiles),
    #[error(transparent)]
    DataFolder(#[from] LockError),
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Intake(#[from] IntakeFolderError),
    #[error(
        "cannot listen on {address}: {why}; {}",
        http::bind_advice(why, "--listen")
    )]
    Listen { address: SocketAddr, why: io::Error },
    #[error(
        "cannot listen on {address} for metrics (--metrics-listen): {why}; {}",
        http::bind_advice(why, "--metrics-listen")
    )]
    ListenForMetrics { address: SocketAddr, why: io::Error },
    #[error("cannot listen on the local socket {}: {why}", path.display())]
    LocalSocket { path: PathBuf, why: io::Error },
    #[error(transparent)]
    DemoMode(#[from] DemoError),
    #[error("{0}")]
    Service(#[from] ApiError),
    #[error(transparent)]
    Staff(#[from] StaffError),
    #[error(transparent)]
    Hosted(#[from] HostedError),
    #[error(transparent)]
    Push(#[from] PushSetupError),
    #[error(
        "no HTTPS connection can be made ({0}): see that the certificates of authorities are there, by the package \
         ca-certificates or a file that SSL_CERT_FILE names"
    )]
    Http(#[from] reqwest::Error),
}

impl StartError {
    /// Whether what the database answered stopped the start, and no sentence says yet what its file has.
    pub fn may_be_damage(&self) -> bool {
        match self {
            Self::Database(DatabaseError::Unreachable(unreachable)) => !matches!(
                unreachable,
                Unreachable::Damaged(_)
                    | Unreachable::NotSqlite(_)
                    | Unreachable::EmptyFile(_)
                    | Unreachable::WithoutLog(_)
            ),
            Self::Database(DatabaseError::Store(_) | DatabaseError::NotCopied(_))
            | Self::Store(_)
            | Self::Identity(_)
            | Self::Service(_)
            | Self::Staff(_)
            | Self::DemoMode(_)
            | Self::Push(_) => true,
            _ => false,
        }
    }
}

impl From<sea_orm::DbErr> for StartError {
    fn from(error: sea_orm::DbErr) -> Self {
        StoreError::from(error).into()
    }
}
