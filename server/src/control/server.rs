//! The server of the local socket.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpServer, post, web};
use serde::{Deserialize, Serialize};

use super::customers::customer;
use super::imports::import;
use super::users::{user, user_list};
use crate::customers::Customers;
use crate::error::ApiError;
use crate::files::lock::SOCKET;
use crate::hosted_import::{self, HostedImport};
use crate::identity::Identity;
use crate::intake::IntakeState;
use crate::limits;
use crate::technician_names::TechnicianDirectory;
use crate::technicians::Technicians;

/// What the local socket's calls work with, and a command that runs without a server.
#[derive(Clone)]
pub struct ControlState {
    pub identity: Identity,
    pub technicians: Technicians,
    pub directory: TechnicianDirectory,
    pub intake: IntakeState,
    pub hosted_import: HostedImport,
    pub customers: Customers,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TokenKeyRotation {
    /// What the earlier keys have signed is refused at once.
    pub now: bool,
    /// Everybody signs in again.
    pub end_sessions: bool,
}

/// The answer to every call but an import.
#[derive(Debug, Serialize, Deserialize)]
pub struct ControlAnswer<T> {
    pub ok: bool,
    pub result: Option<T>,
    pub error: Option<String>,
}

impl<T> ControlAnswer<T> {
    pub(super) fn success(result: T) -> Self {
        Self {
            ok: true,
            result: Some(result),
            error: None,
        }
    }
}

pub fn socket_path(data_dir: &Path) -> PathBuf {
    data_dir.join(SOCKET)
}

/// Listens until its handle is told to stop. The folder's lock must be held: a socket file that is
/// there is a dead server's.
pub fn listen(data_dir: &Path, state: ControlState) -> io::Result<ServerHandle> {
    let path = socket_path(data_dir);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(&path)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
    let state = web::Data::new(state);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(state.clone())
            .app_data(limits::json())
            .app_data(limits::query())
            .service(import)
            .service(user)
            .service(user_list)
            .service(customer)
            .service(token_key)
            .service(import_staff)
    })
    .workers(1)
    .disable_signals()
    .shutdown_timeout(1)
    .listen_uds(listener)?
    .run();
    let handle = server.handle();
    actix::spawn(server);
    Ok(handle)
}

#[post("/token-key")]
async fn token_key(
    state: web::Data<ControlState>,
    rotation: web::Json<TokenKeyRotation>,
) -> Result<web::Json<ControlAnswer<()>>, ApiError> {
    let TokenKeyRotation { now, end_sessions } = rotation.into_inner();
    state.identity.rotate_token_key(now, end_sessions).await?;
    Ok(web::Json(ControlAnswer::success(())))
}

#[post("/staff")]
async fn import_staff(
    state: web::Data<ControlState>,
    entries: web::Json<Vec<hosted_import::Entry>>,
) -> Result<web::Json<ControlAnswer<Vec<hosted_import::Outcome>>>, ApiError> {
    let outcomes =
        hosted_import::import_entries(&state.hosted_import, entries.into_inner()).await?;
    Ok(web::Json(ControlAnswer::success(outcomes)))
}
