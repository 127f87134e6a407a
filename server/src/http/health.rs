//! For monitors: is the process alive, is it ready to work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix::Addr;
use actix_web::{get, web};
use dispatch_actors::broadcaster::Broadcaster;
use dispatch_actors::store::Store;
use serde::Serialize;
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::error::ApiError;

/// The database is asked for this long: the answer is there within two seconds.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Whether the server was told to stop. Clones are the same.
#[derive(Clone, Default)]
pub struct Leaving(Arc<AtomicBool>);

impl Leaving {
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn not_ready(sentence: String) -> ApiError {
    ApiError {
        error: sentence,
        ..ApiError::unavailable()
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = WellAnswer)]
struct Well {
    /// Always true.
    ok: bool,
    /// `alive` or `ready`.
    result: &'static str,
}

/// The process answers.
#[utoipa::path(tag = "health", security(()), responses((status = 200, body = Well)))]
#[get("/healthz")]
pub async fn alive() -> web::Json<impl Serialize> {
    web::Json(Well {
        ok: true,
        result: "alive",
    })
}

/// The database answers, changes are saved and announced; migrations ran before the server listened. 503
/// otherwise, and says since when not; and once the server was told to stop.
#[utoipa::path(tag = "health", security(()), responses((status = 200, body = Well)))]
#[get("/readyz")]
pub async fn ready(
    store: web::Data<Store>,
    broadcaster: web::Data<Addr<Broadcaster>>,
    leaving: web::Data<Leaving>,
) -> Result<web::Json<impl Serialize>, ApiError> {
    if leaving.is_set() {
        return Err(not_ready("The server is being stopped".to_owned()));
    }
    let outage = store.status().outage();
    if let Some(since) = outage.not_saving_since {
        return Err(not_ready(format!("Changes cannot be saved since {since}")));
    }
    if let Some(since) = outage.not_read_since {
        return Err(not_ready(format!(
            "The database cannot be read since {since}"
        )));
    }
    // The database may have stopped answering since; the caller does not wait long to find out.
    match timeout(ANSWER_TIMEOUT, store.top()).await {
        Ok(answered) => answered?,
        Err(_late) => return Err(not_ready("The database does not answer".to_owned())),
    };
    if !broadcaster.connected() {
        tracing::error!("the broadcaster is gone");
        return Err(ApiError::unavailable());
    }
    Ok(web::Json(Well {
        ok: true,
        result: "ready",
    }))
}
