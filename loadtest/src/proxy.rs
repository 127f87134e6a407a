//! The way from a server to its database, which can be interrupted.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::spawn_local;

use crate::error::LoadTestError;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Passage {
    Open,
    /// Connections stay and new ones are accepted, but not a byte comes through.
    Silent,
    /// Connections are reset, new ones at once.
    Cut,
}

#[derive(Clone, Debug)]
pub struct Proxy {
    pub address: SocketAddr,
    passage: watch::Sender<Passage>,
}

impl Proxy {
    pub async fn to(database: SocketAddr) -> Result<Self, LoadTestError> {
        let failed = |error: std::io::Error| LoadTestError::Machine(format!("a proxy: {error}"));
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let (passage, changes) = watch::channel(Passage::Open);
        spawn_local(async move {
            while let Ok((client, _)) = listener.accept().await {
                spawn_local(connect(client, database, changes.clone()));
            }
        });
        Ok(Self { address, passage })
    }

    pub fn set(&self, passage: Passage) {
        self.passage.send_replace(passage);
    }
}

async fn connect(
    mut client: TcpStream,
    database: SocketAddr,
    mut passage: watch::Receiver<Passage>,
) {
    let Ok(mut database) = TcpStream::connect(database).await else {
        return;
    };
    {
        let (from_client, to_client) = client.split();
        let (from_database, to_database) = database.split();
        let both_ways = async {
            tokio::join!(
                copy(from_client, to_database, passage.clone()),
                copy(from_database, to_client, passage.clone())
            )
        };
        let mut changes = passage.clone();
        tokio::select! {
            _ = both_ways => {}
            _ = changes.wait_for(|passage| *passage == Passage::Cut) => {}
        }
    }
    if *passage.borrow_and_update() == Passage::Cut {
        for stream in [&client, &database] {
            // Where it cannot be reset it is closed.
            let _ = socket2::SockRef::from(stream).set_linger(Some(Duration::ZERO));
        }
    }
}

async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut passage: watch::Receiver<Passage>,
) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let read = from.read(&mut bytes).await.unwrap_or(0);
        // An error says that the run is over.
        let _ = passage
            .wait_for(|passage| *passage != Passage::Silent)
            .await;
        if read == 0 || to.write_all(&bytes[..read]).await.is_err() {
            // The other end may be gone, too.
            let _ = to.shutdown().await;
            return;
        }
    }
}
