//! The call of whoever looks after the server.

use actix_web::{get, web};

use super::api_types::{BackupStatus, ConfigurationNotice, ServerStatus};
use super::{DiskWatch, OwnBackups, RunningServer};
use crate::answer::Answer;
use crate::error::{ApiError, ErrorBody};
use crate::http::proxy_notices::ProxyNotices;
use crate::identity::Caller;
use crate::staff::Permission;

/// What the server runs on and who hears it, what the shop's other servers say of themselves, how full the disks are that it writes to, measured once a minute, how its own backups
/// and the watched folder go, what the configuration does not say of the way here, and whether mails reach anybody.
#[utoipa::path(
    operation_id = "server_status",
    tag = "health",
    responses(
        (status = 200, body = Answer<ServerStatus>),
        (status = 403, body = ErrorBody, description = "The caller is neither Owner nor Admin"),
    )
)]
#[get("/api/server-status")]
pub async fn server_status(
    caller: Caller,
    server: web::Data<RunningServer>,
    disks: web::Data<DiskWatch>,
    backups: web::Data<OwnBackups>,
    proxies: web::Data<ProxyNotices>,
) -> Result<web::Json<Answer<ServerStatus>>, ApiError> {
    caller.require(Permission::SeeServerStatus)?;
    let disk = disks.measured();
    let notices = proxies.list().into_iter().map(ConfigurationNotice::from);
    let result = ServerStatus {
        server: server.status().await,
        other_servers: server.others(),
        disk,
        backups: backups.0.as_ref().map(BackupStatus::from),
        intake: server.intake(),
        configuration: notices.chain(server.notice_of_mailed_links()).collect(),
        mail_folder: server.mail_folder(),
    };
    Ok(web::Json(Answer::new(result)))
}
