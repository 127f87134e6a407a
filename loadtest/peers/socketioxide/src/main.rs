//! A small shop in Rust: the same job that Dispatch does, as it is usually done with axum,
//! socketioxide and rusqlite.
//!
//! ```text
//! dispatch-peer-socketioxide PORT ROWS.json DATABASE
//! ```

mod api_types;
mod broadcaster;
mod http;
mod shop;
mod writer;

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use api_types::List;
use shop::Shop;
use writer::Writer;

/// What a sign-in gives, whoever signs in; compared as text on every call.
const TOKEN: &str = "peer-token-of-the-load-test";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, rows, database] = arguments.as_slice() else {
        eprintln!("usage: dispatch-peer-socketioxide PORT ROWS.json DATABASE");
        return ExitCode::from(2);
    };
    match serve(port, rows, database).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(port: &str, rows: &str, database: &str) -> Result<(), Box<dyn Error>> {
    let mut shop = Shop::open(database)?;
    if shop.is_empty()? {
        let List { result, .. } = serde_json::from_reader(BufReader::new(File::open(rows)?))?;
        shop.take(&result)?;
    }

    let (announcer, announcements) = broadcaster::announcer();
    let (layer, io) = broadcaster::layer(announcer.clone());
    let broadcaster = broadcaster::Broadcaster::new(io.clone(), shop.seq());
    tokio::spawn(broadcaster.run(announcements));

    let (writer, thread) = Writer::start(shop, announcer)?;
    let router = http::router(writer.clone()).layer(layer);
    let listener = TcpListener::bind(("127.0.0.1", port.parse()?)).await?;
    println!("ready at http://{}", listener.local_addr()?);
    let listener = listener.tap_io(|connection| {
        // Only slower where it fails.
        let _ = connection.set_nodelay(true);
    });

    let mut terminate = signal(SignalKind::terminate())?;
    let until_closed = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        // Sessions first: the server waits for its connections.
        io.close().await;
    };
    axum::serve(listener, router)
        .with_graceful_shutdown(until_closed)
        .await?;
    writer.close();
    thread
        .join()
        .map_err(|_| "the writer's thread broke down")?;
    Ok(())
}
