//! Which clients may resume the stream and from where, and what they receive then.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::store::Store;
use dispatch_server::identity::{Embedded, Identity, MailQueue, PasswordPolicy};
use dispatch_server::socket::Pids;
use dispatch_server::staff::StaffDocuments;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::fixture::{Client, Desk, Server, Socket, plain_orders};

async fn small_shop() -> (Server, Desk) {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(3)).await;
    (server, owner)
}

#[tokio::test]
async fn a_resumed_client_receives_missed_events_then_hello_then_new_events() {
    let (mut server, owner) = small_shop().await;
    let client = Client::join(&server, &owner).await;
    drop(client.socket);
    let mut last = 0;
    for number in [1, 2, 1] {
        last = owner.make_one_change(number).await;
    }
    let mut back = Socket::resume(&server, &owner, &client.pid, &client.offset).await;
    back.hears_what_was_missed(4, last).await;
    assert_eq!(back.modified_by(&owner, 2).await, last + 1);

    server.sigkill().await;
    server.restart().await;
    let mut back = Socket::resume(&server, &owner, &client.pid, &server.shop.offset(5).await).await;
    back.hears_what_was_missed(6, last + 1).await;
    assert_eq!(back.modified_by(&owner, 3).await, last + 2);

    let mut nothing_missed = Socket::resume(
        &server,
        &owner,
        &client.pid,
        &server.shop.offset(last + 2).await,
    )
    .await;
    nothing_missed
        .hears_what_was_missed(last + 3, last + 2)
        .await;
}

/// Another process's, on the same database.
async fn identity_on(store: Store) -> Identity {
    let policy = PasswordPolicy {
        min_length: 6,
        max_length: 1_000,
        refuses_common: false,
    };
    let provider = Embedded::new(store.clone(), policy, MailQueue::new(store.clone()));
    let staff = StaffDocuments::new(store.clone());
    Identity::open(store, Arc::new(provider), Arc::new(staff), false)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_client_that_cannot_be_resumed_gets_a_new_pid_and_hello() {
    let (server, owner) = small_shop().await;
    let good = Client::join(&server, &owner).await.pid;

    let store = server.shop.store().await;
    let pids = Pids::open(&store).await.unwrap();
    let identity = identity_on(store).await;
    let caller = identity.authenticate(&owner.token).await.unwrap();
    let now = jiff::Timestamp::now().as_second();
    let (_, expired) = pids.issue_until(&caller, now - 1);
    let (_, expires) = pids.issue_until(&caller, now + 3_600);

    let bea = server.hire("bea@example.com", "Owner").await;
    let beas = Client::join(&server, &bea).await.pid;
    let ended = server.sign_in("owner@example.com").await;
    let of_ended = Client::join(&server, &ended).await.pid;
    let elsewhere = server.sign_in("owner@example.com").await;
    let of_another_tab = Client::join(&server, &elsewhere).await.pid;
    ended.sign_out().await.good();
    let (stranger, their_owner) = small_shop().await;
    let foreign = Client::join(&stranger, &their_owner).await.pid;
    let mut forged = URL_SAFE_NO_PAD.decode(&good).unwrap();
    forged[30] ^= 1;
    let forged = URL_SAFE_NO_PAD.encode(forged);

    let second = server.shop.offset(2).await;
    let mut hopeless: Vec<(Value, Value)> = Vec::new();
    for pid in [
        forged.as_str(),
        &expired,
        &beas,
        &of_ended,
        &of_another_tab,
        &foreign,
        "",
        "nonsense",
        "ü",
        &"A".repeat(50_000),
    ] {
        hopeless.push((json!(pid), json!(second)));
    }
    for pid in [json!(null), json!(7), json!([good]), json!({ "pid": good })] {
        hopeless.push((pid, json!(second)));
    }
    for offset in [
        json!("9000-00000000"),
        // Another event's fingerprint under this number.
        json!(server.shop.offset(3).await.replacen('3', "2", 1)),
        json!(second.to_uppercase() + "0"),
        json!("2"),
        json!("2-"),
        json!("9223372036854775807-00000000"),
        json!("9223372036854775808-00000000"),
        json!("-1-00000000"),
        json!("-9223372036854775808-00000000"),
        json!("x"),
        json!(""),
        json!(format!(" {second}")),
        json!(format!("+{second}")),
        json!("2.0"),
        json!(format!("0{second}")),
        json!(2),
        json!(null),
        json!([second]),
    ] {
        hopeless.push((json!(good), offset));
    }
    let mut names = vec![good.clone()];
    for (pid, offset) in hopeless {
        let shown: String = format!("{pid} from {offset}").chars().take(90).collect();
        let mut socket = Socket::open(server.address).await;
        let auth = Client::auth(&owner, pid, offset);
        let named = socket.sign_in(&auth).await.unwrap();
        assert!(!names.contains(&named), "{shown} is recovered");
        names.push(named);
        let seq = owner.seq().await;
        let hello = socket.next().await;
        assert_eq!(
            (hello.name.as_str(), hello.reaches()),
            ("hello", seq),
            "{shown}"
        );
        assert_eq!(socket.modified_by(&owner, 1).await, seq + 1, "{shown}");
    }
    for one in [json!({ "pid": good }), json!({ "offset": second })] {
        let mut auth = one.clone();
        auth["token"] = json!(owner.token);
        let mut socket = Socket::open(server.address).await;
        assert!(!names.contains(&socket.sign_in(&auth).await.unwrap()));
        assert_eq!(socket.next().await.name, "hello", "{one}");
    }
    let last = owner.seq().await;
    for pid in [good, expires] {
        let mut back = Socket::resume(&server, &owner, &pid, &second).await;
        back.hears_what_was_missed(3, last).await;
    }
}

#[tokio::test]
async fn the_abandoned_session_of_a_resumed_client_is_closed_and_receives_nothing() {
    let (server, owner) = small_shop().await;
    let left = Client::join(&server, &owner).await;
    let mut bystander = owner.listen(&server).await;
    let mut back = Socket::resume(&server, &owner, &left.pid, &left.offset).await;
    back.hears_what_was_missed(4, 3).await;
    let seq = back.modified_by(&owner, 1).await;
    assert_eq!(bystander.modified().await["seq"], seq);
    let heard: Vec<String> = left.socket.until_closed().await;
    assert!(heard.is_empty(), "{heard:?}");
}

#[tokio::test]
async fn two_clients_of_one_pid_replace_each_other_without_load_on_the_server() {
    let (server, owner) = small_shop().await;
    let Client {
        pid,
        offset,
        mut socket,
    } = Client::join(&server, &owner).await;
    for _ in 0..20 {
        let other = Socket::resume(&server, &owner, &pid, &offset).await;
        socket.until_closed().await;
        socket = other;
    }
    socket.hears_what_was_missed(4, 3).await;
    let before = server.processor_time();
    sleep(Duration::from_secs(1)).await;
    let spent = server.processor_time() - before;
    assert!(spent < 50, "{spent} hundredths of a second for nothing");
    assert_eq!(socket.modified_by(&owner, 1).await, 4);
}

#[tokio::test]
async fn a_client_that_reconnects_on_the_same_connection_receives_each_event_once() {
    let (server, owner) = small_shop().await;
    let Client {
        pid, mut socket, ..
    } = Client::join(&server, &owner).await;
    for round in 0..20 {
        socket.send("41").await;
        let before = owner.seq().await;
        let offset = server.shop.offset(before - round % 3).await;
        assert_eq!(
            socket
                .sign_in(&Client::auth(&owner, pid.as_str(), offset))
                .await
                .unwrap(),
            pid
        );
        socket
            .hears_what_was_missed(before - round % 3 + 1, before)
            .await;
        assert_eq!(socket.modified_by(&owner, 1 + round % 3).await, before + 1);
    }
    // It still counts as one of this sign-in's sockets, and of this name.
    socket.send(r#"427["RO_OPEN",{"roNumber":1}]"#).await;
    // The answer and the news of it go different ways, and either may be first.
    let mut heard = Vec::new();
    while heard.len() < 2 {
        let packet = socket.packet().await.unwrap();
        if !packet.starts_with(r#"42["tick""#) {
            heard.push(packet);
        }
    }
    heard.sort();
    assert!(heard[0].starts_with(r#"42["RO_PRESENCE""#), "{heard:?}");
    assert_eq!(heard[1], r#"437[{"ok":true}]"#);
    owner.sign_out().await.good();
    assert_eq!(socket.until_closed().await, ["41"]);
}

#[tokio::test]
async fn a_client_whose_role_was_removed_meanwhile_is_refused() {
    let (server, owner) = small_shop().await;
    let ada = server.hire("ada@example.com", "Admin").await;
    let client = Client::join(&server, &ada).await;
    drop(client.socket);
    let roles = ["user", "role", "ada@example.com", "--role", "Advisor"];
    server.shop.run(&roles).await.good();
    let mut socket = Socket::open(server.address).await;
    let refused = socket
        .sign_in(&Client::auth(
            &ada,
            client.pid.as_str(),
            client.offset.as_str(),
        ))
        .await;
    assert_eq!(refused.unwrap_err()["data"]["code"], "unauthorized");

    // As another sign-in the same person is another client.
    let ada = server.sign_in("ada@example.com").await;
    owner.make_one_change(1).await;
    let mut socket = Socket::open(server.address).await;
    let named = socket
        .sign_in(&Client::auth(
            &ada,
            client.pid.as_str(),
            client.offset.as_str(),
        ))
        .await;
    assert_ne!(named.unwrap(), client.pid);
    assert_eq!(socket.next().await.reaches(), 4);
}
