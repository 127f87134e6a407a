//! The local socket: `dispatch import` and `dispatch user` beside a running server hand their work
//! to it, so that it stays the one writer and everything is announced.
//!
//! It is HTTP on a Unix socket in the data folder that only the folder's owner can open.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::{App, HttpResponse, HttpServer, post, web};
use serde::{Deserialize, Serialize};

use crate::app::{Services, StartError};
use crate::error::ApiError;
use crate::intake::{self, Format, Summary};
use crate::limits;
use crate::staff::Role;
use crate::technicians::NewTechnician;

/// The largest file that is handed over whole.
const FILE: usize = 512 * 1024 * 1024;

/// What can be done to a user.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum UserChange {
    Add {
        email: String,
        name: String,
        roles: Vec<Role>,
        technician_id: Option<i64>,
        password: String,
    },
    SetRoles {
        email: String,
        roles: Vec<Role>,
    },
    Remove {
        email: String,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ImportRequest {
    pub file_name: String,
    pub format: Format,
    pub dry_run: bool,
}

/// The answer to either.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answer<T> {
    pub ok: bool,
    pub result: Option<T>,
    pub error: Option<String>,
}

impl<T> Answer<T> {
    fn well(result: T) -> Self {
        Self {
            ok: true,
            result: Some(result),
            error: None,
        }
    }
}

pub fn socket_path(data_dir: &Path) -> PathBuf {
    data_dir.join("dispatch.sock")
}

/// Listens until its handle is told to stop. The folder's lock must be held: a socket file that is
/// there is a dead server's.
pub fn listen(data_dir: &Path, services: Services) -> Result<ServerHandle, StartError> {
    let path = socket_path(data_dir);
    let failed = |why| StartError::Listen {
        address: path.display().to_string(),
        why,
    };
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    let listener = UnixListener::bind(&path).map_err(failed)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).map_err(failed)?;
    let services = web::Data::new(services);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(services.clone())
            .app_data(limits::json())
            .app_data(limits::query())
            .app_data(web::PayloadConfig::new(FILE))
            .service(import)
            .service(user)
    })
    .workers(1)
    .disable_signals()
    .shutdown_timeout(1)
    .listen_uds(listener)
    .map_err(failed)?
    .run();
    let handle = server.handle();
    actix::spawn(server);
    Ok(handle)
}

#[post("/import")]
async fn import(
    services: web::Data<Services>,
    request: web::Query<ImportRequest>,
    file: Result<web::Bytes, actix_web::Error>,
) -> HttpResponse {
    let Ok(file) = file else {
        let limit = FILE / 1024 / 1024;
        return HttpResponse::from_error(ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            format!("The file is larger than {limit} MB: split it"),
        ));
    };
    let ImportRequest {
        file_name,
        format,
        dry_run,
    } = request.into_inner();
    match intake::take(&services, &file_name, &file, format, dry_run).await {
        Ok(summary) => HttpResponse::Ok().json(Answer::<Summary>::well(summary)),
        Err(unreadable) => HttpResponse::from_error(ApiError::invalid(unreadable.to_string())),
    }
}

#[post("/user")]
async fn user(
    services: web::Data<Services>,
    change: web::Json<UserChange>,
) -> Result<web::Json<Answer<()>>, ApiError> {
    change_user(&services, change.into_inner()).await?;
    Ok(web::Json(Answer::well(())))
}

/// Carries out a change of a user, here or for somebody at the local socket.
pub async fn change_user(services: &Services, change: UserChange) -> Result<(), ApiError> {
    let identity = &services.identity;
    match change {
        UserChange::Add {
            email,
            name,
            roles,
            technician_id,
            password,
        } => {
            // Whoever is given a technician's number is a technician, also one the shop's list
            // does not have yet. First, because it may be repeated and the account may not.
            if let Some(id) = technician_id {
                let technician = NewTechnician {
                    id,
                    display_name: name.clone(),
                    specialty: String::new(),
                    skills: vec![],
                };
                services
                    .technicians
                    .set_up(vec![], vec![technician])
                    .await?;
            }
            identity
                .add_user(&email, &name, &roles, technician_id, &password)
                .await?;
        }
        UserChange::SetRoles { email, roles } => identity.set_roles(&email, &roles).await?,
        UserChange::Remove { email } => identity.remove_user(&email).await?,
    }
    services
        .names
        .reload(&services.store, &services.staff)
        .await?;
    Ok(())
}
