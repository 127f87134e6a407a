//! What a client says it did (`RO_MODIFIED`, sent to its server) is heard at every server.

use serde_json::{Value, json};

use super::two_servers;
use crate::fixture::{Event, Socket};
use crate::notices::{notice, say};

/// The next event that is about an order.
async fn about_an_order(socket: &mut Socket) -> Event {
    loop {
        let event = socket.event().await;
        if event.name == "RO_MODIFIED" {
            return event;
        }
    }
}

#[tokio::test]
async fn what_a_client_says_it_did_is_heard_once_at_every_server() {
    let (_database, first, second, owner) = two_servers().await;
    let bea = first.hire("bea@shop.example", "Advisor").await;
    let mut sender = owner.listen(&first).await;
    let mut sockets = [bea.listen(&first).await, bea.listen(&second).await];
    let answer = say(&mut sender, &notice(1, "JOB_CHANGED", Some(11))).await;
    assert_eq!(answer, json!({ "ok": true }));
    for socket in &mut sockets {
        let mut heard = about_an_order(socket).await;
        assert!(heard.payload["timestamp"].take().is_string());
        assert_eq!(heard.offset, "", "it is no event of the log");
        let expected = json!({
            "type": "RO_MODIFIED", "roNumber": 1, "action": "JOB_CHANGED", "techId": 11, "timestamp": null,
            "by": { "uid": owner.uid, "name": owner.name },
        });
        assert_eq!(heard.payload, expected);
    }
    // Nothing comes twice, nor after the change that it is about.
    let assigned = owner.assign(2, 11).await.result()["seq"].clone();
    for socket in &mut sockets {
        assert_eq!(about_an_order(socket).await.payload["seq"], assigned);
    }
    say(&mut sender, &notice(2, "TECH_ASSIGNED", Some(11))).await;
    say(&mut sender, &notice(3, "JOB_CHANGED", None)).await;
    for socket in &mut sockets {
        let heard = about_an_order(socket).await.payload;
        assert_eq!(
            (&heard["roNumber"], &heard["seq"]),
            (&json!(3), &Value::Null)
        );
    }
}
