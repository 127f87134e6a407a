//! A shop that is watched while something is refused.

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fixture::{Answer, Desk, Server, Socket, plain_orders};

/// The calls that change a repair order, each with a body that would.
pub fn changes() -> [(&'static str, Value); 4] {
    let assignment = json!({ "repairOrderNumber": "1", "idTechnician": 23 });
    [
        (
            "/api/repair-orders/update-status",
            json!({ "data": [{ "repairOrderNumber": "1", "idStatus": "12" }] }),
        ),
        (
            "/api/repair-orders/update-priority",
            json!({ "data": [{ "roNumber": 1, "priorityLevel": "2" }] }),
        ),
        ("/api/repair-orders/technicians/assign", assignment.clone()),
        ("/api/repair-orders/technicians/unassign", assignment),
    ]
}

/// A shop of three orders that is watched: its list, and what a socket receives.
pub struct Watched {
    pub server: Server,
    pub owner: Desk,
    pub list: Value,
    pub socket: Socket,
}

impl Watched {
    pub async fn shop() -> Self {
        let (server, owner) = Server::with_owner().await;
        server.shop.import(&plain_orders(3)).await;
        Self {
            list: owner.list().await,
            socket: owner.listen(&server).await,
            server,
            owner,
        }
    }

    /// The list is what it was, and the next that is announced is the next that happens.
    pub async fn nothing_happened(&mut self, what: &str) {
        assert_eq!(self.owner.list().await, self.list, "{what}");
        let next = self.owner.make_one_change(3).await;
        assert_eq!(next, self.list["seq"].as_i64().unwrap() + 1, "{what}");
        let heard = self.socket.modified().await;
        assert_eq!(heard["seq"], next, "{what}: {heard}");
        self.list = self.owner.list().await;
    }
}

/// Sends a request as it stands, where an HTTP client would tidy it, and reads the answer.
pub async fn raw(server: &Server, request: &str) -> Answer {
    let mut tcp = TcpStream::connect(server.address).await.unwrap();
    // The server may answer, and close, before it has read everything.
    let _ = tcp.write_all(request.as_bytes()).await;
    let mut text = Vec::new();
    let _ = tcp.read_to_end(&mut text).await;
    let text = String::from_utf8(text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    Answer {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        headers: HeaderMap::new(),
        body: serde_json::from_str(body).unwrap_or_else(|_| panic!("{request}: {text}")),
    }
}
