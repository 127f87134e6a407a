//! A mail that a server had not delivered when it died is sent by another one, once.

use dispatch_actors::testing::Throwaway;
use serde_json::Value;

use crate::fixture::{Desk, MailServer, OWNER, Server, Shop};
use crate::mail_queue::{ANN, BEN, invite, let_leases_end, mail_state, mails, serve};

/// A server that cannot deliver an invitation of Ann's to this port, and its owner.
async fn with_an_invitation(database: &Throwaway, port: u16) -> (Server, Desk) {
    let server = serve(Shop::on(database), port).await;
    let owner = server.hire(OWNER, "Owner").await;
    invite(&owner, ANN).await;
    (server, owner)
}

/// Once no lease and no pause is left, and never again.
async fn is_sent_once(server: &Server, owner: &Desk, mut mail: MailServer) {
    let_leases_end(&server.shop).await;
    assert_eq!(mail.next_mail().await["to"], ANN);
    mail_state(owner, ANN, "sent").await;
    assert_eq!(mail.stop().await.1, Vec::<Value>::new());
}

#[tokio::test]
async fn a_mail_that_a_server_was_sending_when_it_died_is_sent_once_by_another() {
    let database = Throwaway::postgres().await;
    let (deaf, mut mail) = (
        MailServer::start(&["deaf"]).await,
        MailServer::start(&[]).await,
    );
    let (mut first, owner) = with_an_invitation(&database, deaf.port).await;
    mails(&first.shop, "attempts = 0", 0).await;
    let second = serve(Shop::on(&database), mail.port).await;
    let there = Desk::at(&second, &owner);
    first.sigkill().await;
    // Nobody knows yet that it is not being sent any more.
    invite(&there, BEN).await;
    assert_eq!(mail.next_mail().await["to"], BEN);
    mail_state(&there, BEN, "sent").await;
    is_sent_once(&second, &there, mail).await;
}

#[tokio::test]
async fn a_mail_that_waited_for_its_next_attempt_when_its_server_died_is_sent_once_by_another() {
    let database = Throwaway::postgres().await;
    let nowhere = MailServer::nowhere().await;
    let (mut first, owner) = with_an_invitation(&database, nowhere).await;
    mail_state(&owner, ANN, "retrying").await;
    first.sigkill().await;
    let mail = MailServer::start(&[]).await;
    let second = serve(Shop::on(&database), mail.port).await;
    let there = Desk::at(&second, &owner);
    is_sent_once(&second, &there, mail).await;
}
