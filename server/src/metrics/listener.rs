//! The address at which Prometheus asks. It has one call, and no way to any other of the server's.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::http::header::{ALLOW, CONTENT_TYPE};
use actix_web::{App, HttpResponse, HttpServer, web};

use super::exposition::expose;
use super::sources::MetricSources;

/// OpenMetrics, which Prometheus reads like its own older text.
const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// A client that sends no request is gone after this.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// At once; Prometheus needs one.
const MAX_CONNECTIONS: usize = 32;

/// Answers until it is stopped.
pub fn listen(listener: TcpListener, sources: MetricSources) -> io::Result<ServerHandle> {
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::new(sources.clone()))
            .service(
                web::resource("/metrics")
                    .route(web::get().to(metrics))
                    .default_service(web::to(wrong_method)),
            )
    })
    .workers(1)
    .max_connections(MAX_CONNECTIONS)
    .client_request_timeout(REQUEST_TIMEOUT)
    .disable_signals()
    // An answer takes no longer than the database's size.
    .shutdown_timeout(1)
    .listen(listener)?
    .run();
    let handle = server.handle();
    actix::spawn(server);
    Ok(handle)
}

async fn metrics(sources: web::Data<MetricSources>) -> HttpResponse {
    match expose(&sources).await {
        Ok(text) => HttpResponse::Ok()
            .insert_header((CONTENT_TYPE, TEXT))
            .body(text),
        Err(error) => {
            // Writing into memory does not fail.
            tracing::error!(%error, "the metrics could not be written");
            HttpResponse::InternalServerError().finish()
        }
    }
}

async fn wrong_method() -> HttpResponse {
    HttpResponse::MethodNotAllowed()
        .insert_header((ALLOW, "GET"))
        .finish()
}
