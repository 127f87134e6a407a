//! The local socket: `dispatch import`, `dispatch user` and `dispatch token-key` beside a running server hand their work
//! to it, so that it stays the one writer and everything is announced.
//!
//! It is HTTP on a Unix socket in the data folder that only the folder's owner can open.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpResponse, HttpServer, post, web};
use bytes::Bytes;
use dispatch_intake::{FormatChoice, Reject};
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::audit;
use crate::error::ApiError;
use crate::hosted_import::{self, HostedImport};
use crate::identity::Identity;
use crate::intake::{IntakeState, Progress, Stopped, Summary, Taking};
use crate::limits;
use crate::lock::SOCKET;
use crate::staff::Role;
use crate::technician_names::TechnicianDirectory;
use crate::technicians::Technicians;

/// How often an import says how far it is.
const PROGRESS: Duration = Duration::from_secs(1);

/// Lines of an import's answer that wait for their reader; the import waits beyond it.
const LINES: usize = 256;

/// What the local socket's calls work with, and a command that runs without a server.
#[derive(Clone)]
pub struct ControlState {
    pub identity: Identity,
    pub technicians: Technicians,
    pub directory: TechnicianDirectory,
    pub intake: IntakeState,
    pub hosted_import: HostedImport,
}

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
    SignOut {
        email: String,
    },
    ResetTwoFactor {
        email: String,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TokenKeyRotation {
    /// What the earlier keys have signed is refused at once.
    pub now: bool,
    /// Everybody signs in again.
    pub end_sessions: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ImportRequest {
    pub file_name: String,
    pub format: FormatChoice,
    pub dry_run: bool,
}

/// The answer to a change of users.
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

/// A line of the answer to an import.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum News {
    /// About once a second.
    Progress(Progress),
    Reject(Reject),
    Warning(String),
    /// All went through; the last line.
    Summary(Progress),
    /// The file cannot be read, or not be taken to its end; the last line.
    Error(String),
}

/// Takes a file in as it arrives, and tells what becomes of it while it does.
pub struct Importing {
    taking: Taking,
    told: Instant,
}

impl Importing {
    pub fn new(state: &ControlState, request: &ImportRequest) -> Self {
        let ImportRequest {
            file_name,
            format,
            dry_run,
        } = request;
        Self {
            taking: Taking::new(&state.intake, file_name, *format, *dry_run),
            told: Instant::now(),
        }
    }

    pub async fn feed(&mut self, bytes: &[u8]) -> Result<Vec<News>, Stopped> {
        self.taking.feed(bytes).await?;
        let mut news = news(self.taking.rejects(), self.taking.warnings());
        if self.told.elapsed() >= PROGRESS {
            self.told = Instant::now();
            news.push(News::Progress(self.taking.progress()));
        }
        Ok(news)
    }

    pub async fn finish(mut self) -> Result<Vec<News>, Stopped> {
        let Summary {
            created,
            changed,
            unchanged,
            refused,
            rejects,
            warnings,
        } = self.taking.finish().await?;
        let mut news = news(rejects, warnings);
        news.push(News::Summary(Progress {
            created,
            changed,
            unchanged,
            refused,
        }));
        Ok(news)
    }
}

fn news(rejects: Vec<Reject>, warnings: Vec<String>) -> Vec<News> {
    let rejects = rejects.into_iter().map(News::Reject);
    rejects
        .chain(warnings.into_iter().map(News::Warning))
        .collect()
}

/// The file goes in as the request's body while its news come out as the answer's, one a line.
#[post("/import")]
async fn import(
    state: web::Data<ControlState>,
    request: web::Query<ImportRequest>,
    file: web::Payload,
) -> HttpResponse {
    let (lines, answer) = mpsc::channel(LINES);
    actix_web::rt::spawn(async move {
        // Whoever asked may be gone; what was taken stays.
        let _ = import_file(Importing::new(&state, &request), file, &lines).await;
    });
    let answer = stream::unfold(answer, async |mut answer| {
        let line: Bytes = answer.recv().await?;
        Some((Ok::<_, io::Error>(line), answer))
    });
    HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .streaming(Box::pin(answer))
}

/// Nobody reads the answer any more, or the file broke off.
struct Gone;

async fn import_file(
    mut importing: Importing,
    mut file: web::Payload,
    lines: &mpsc::Sender<Bytes>,
) -> Result<(), Gone> {
    let stopped = loop {
        let Some(bytes) = file.next().await else {
            match importing.finish().await {
                Ok(news) => return tell(lines, news).await,
                Err(stopped) => break stopped,
            }
        };
        match importing.feed(&bytes.map_err(|_| Gone)?).await {
            Ok(news) => tell(lines, news).await?,
            Err(stopped) => break stopped,
        }
    };
    tell(lines, vec![News::Error(stopped.to_string())]).await?;
    // Closing before the sender has read the answer could lose it.
    while let Some(Ok(_)) = file.next().await {}
    Ok(())
}

async fn tell(lines: &mpsc::Sender<Bytes>, news: Vec<News>) -> Result<(), Gone> {
    for news in news {
        let mut line = serde_json::to_vec(&news).map_err(|_| Gone)?;
        line.push(b'\n');
        lines.send(Bytes::from(line)).await.map_err(|_| Gone)?;
    }
    Ok(())
}

#[post("/user")]
async fn user(
    state: web::Data<ControlState>,
    change: web::Json<UserChange>,
) -> Result<web::Json<Answer<Option<String>>>, ApiError> {
    let warning = change_user(&state, change.into_inner()).await?;
    Ok(web::Json(Answer::well(warning)))
}

#[post("/token-key")]
async fn token_key(
    state: web::Data<ControlState>,
    rotation: web::Json<TokenKeyRotation>,
) -> Result<web::Json<Answer<()>>, ApiError> {
    let TokenKeyRotation { now, end_sessions } = rotation.into_inner();
    state.identity.rotate_token_key(now, end_sessions).await?;
    Ok(web::Json(Answer::well(())))
}

#[post("/staff")]
async fn import_staff(
    state: web::Data<ControlState>,
    entries: web::Json<Vec<hosted_import::Entry>>,
) -> Result<web::Json<Answer<Vec<hosted_import::Outcome>>>, ApiError> {
    let outcomes =
        hosted_import::import_entries(&state.hosted_import, entries.into_inner()).await?;
    Ok(web::Json(Answer::well(outcomes)))
}

/// Nobody is locked out of the command line, so it refuses nothing.
const NO_OWNER: &str = "no owner is left who can sign in, so nobody can manage users on the \
    screens: make one with dispatch user add or dispatch user role";

/// Carries out a change of a user, here or for somebody at the local socket. Gives what its owner
/// is to be warned of.
pub async fn change_user(
    state: &ControlState,
    change: UserChange,
) -> Result<Option<String>, ApiError> {
    audit::act_within(audit::Origin::command_line(), execute(state, change)).await
}

async fn execute(state: &ControlState, change: UserChange) -> Result<Option<String>, ApiError> {
    let identity = &state.identity;
    let took_last_owner = match change {
        UserChange::Add {
            email,
            name,
            roles,
            technician_id,
            password,
        } => {
            // First, because it may be repeated and the account may not.
            if let Some(id) = technician_id {
                state.technicians.know(id, &name).await?;
            }
            identity
                .add_user(&email, &name, &roles, technician_id, &password)
                .await?;
            false
        }
        UserChange::SetRoles { email, roles } => identity.set_roles(&email, &roles).await?,
        UserChange::Remove { email } => identity.remove_user(&email).await?,
        UserChange::SignOut { email } => {
            identity.sign_out_user(&email).await?;
            false
        }
        UserChange::ResetTwoFactor { email } => {
            identity.reset_two_factor(&email).await?;
            false
        }
    };
    state.directory.reload().await?;
    Ok(took_last_owner.then(|| NO_OWNER.to_owned()))
}
