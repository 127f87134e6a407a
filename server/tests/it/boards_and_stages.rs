//! What boards show of stages of work.

use serde_json::{Value, json};

use crate::boards::Screen;
use crate::clocks::{a_shop, start, tap};
use crate::fixture::{Desk, Server, Shop, Socket};

const ORDER: i64 = 71;

async fn a_board(server: &Server, owner: &Desk, layout: &str) -> (Screen, Socket) {
    let categories = json!({ "categories": ["Waiting", "Drop"] });
    let board = json!({ "name": layout, "layout": layout, "settings": categories });
    let screen = Screen::pair(server, owner, board).await;
    let (socket, ..) = screen.listen(server).await;
    (screen, socket)
}

/// The next card of the order that differs from `before`.
async fn changed_card(socket: &mut Socket, before: &Value) -> Value {
    loop {
        let event = socket.event().await;
        let card = &event.payload["card"];
        if event.name == "BOARD_CARD" && card != before && card["roNumber"] == "71" {
            return card.clone();
        }
    }
}

async fn picture_of(screen: &Screen, server: &Server) -> Value {
    let picture = screen.picture(server).await;
    let mut cards = picture["cards"].as_array().unwrap().iter();
    cards.find(|card| card["roNumber"] == "71").unwrap().clone()
}

async fn turn(owner: &Desk, enabled: bool) {
    let settings = json!({ "enabled": enabled });
    owner.put("/api/stages", settings).await.good();
}

async fn set(owner: &Desk, stage: &str) {
    let path = format!("/api/repair-orders/{ORDER}/stage");
    owner.post(&path, json!({ "stage": stage })).await.good();
}

#[tokio::test]
async fn boards_name_the_stage_of_a_car_and_call_it_ready_when_somebody_said_so() {
    let (server, owner) = a_shop(Shop::new()).await;
    let (floor, mut on_floor) = a_board(&server, &owner, "shop-floor").await;
    let (queue, mut in_queue) = a_board(&server, &owner, "queue").await;
    let without = (
        picture_of(&floor, &server).await,
        picture_of(&queue, &server).await,
    );
    for card in [&without.0, &without.1] {
        assert!(card.get("stage").is_none() && card.get("stageName").is_none());
    }

    turn(&owner, true).await;
    let dispatched = changed_card(&mut on_floor, &without.0).await;
    assert_eq!(dispatched["stage"], "in-line");
    assert!(
        dispatched.get("stageName").is_none(),
        "the column says that it is dispatched: {dispatched}"
    );

    let hold = json!({ "reason": "parts" });
    let holds = format!("/api/repair-orders/{ORDER}/holds");
    owner.post(&holds, hold).await.good();
    let names = json!({
        "en": "Waiting for parts", "es": "Espera piezas", "de": "Wartet auf Teile",
    });
    let held = changed_card(&mut on_floor, &dispatched).await;
    assert_eq!(held["stageName"], names);
    assert_eq!(
        changed_card(&mut in_queue, &without.1).await["stageName"],
        names
    );
    assert_eq!(picture_of(&floor, &server).await, held);

    // The shop calls it something else.
    let renamed = json!({ "en": "Parts", "es": "Piezas", "de": "Teile" });
    let name = json!({ "name": renamed });
    owner
        .patch("/api/stages/waiting-for-parts", name)
        .await
        .good();
    let called_otherwise = changed_card(&mut on_floor, &held).await;
    assert_eq!(called_otherwise["stageName"], renamed);
    assert_eq!(picture_of(&floor, &server).await, called_otherwise);

    // Finished work is not yet a car that is ready.
    owner
        .post(&format!("{holds}/1/end"), json!({}))
        .await
        .good();
    for job in [1, 2] {
        start(&owner, ORDER, job).await;
        let finish = json!({ "action": "finish", "roNumber": ORDER, "jobNumber": job });
        tap(&owner, finish).await.good();
    }
    // What boards know of the work may come after the stage.
    let mut card = called_otherwise;
    while card["stageName"]["en"] != "Quality check" || card["done"] != 2 {
        card = changed_card(&mut on_floor, &card).await;
    }
    assert_eq!(
        (&card["stage"], &card["done"]),
        (&json!("almost-done"), &json!(2))
    );
    set(&owner, "ready").await;
    let ready = changed_card(&mut on_floor, &card).await;
    assert_eq!(ready["stage"], "ready");

    turn(&owner, false).await;
    let off = changed_card(&mut on_floor, &ready).await;
    assert!(off.get("stage").is_none() && off.get("stageName").is_none());
    assert_eq!(picture_of(&floor, &server).await, off);
}

#[tokio::test]
async fn a_car_that_waits_for_something_without_a_stage_is_on_hold_on_boards() {
    let (server, owner) = a_shop(Shop::new()).await;
    let (floor, mut on_floor) = a_board(&server, &owner, "shop-floor").await;
    let (queue, mut in_queue) = a_board(&server, &owner, "queue").await;
    let in_queue_before = picture_of(&queue, &server).await;
    let before = picture_of(&floor, &server).await;
    turn(&owner, true).await;
    let dispatched = changed_card(&mut on_floor, &before).await;
    let holds = format!("/api/repair-orders/{ORDER}/holds");
    let hold = json!({ "reason": "other", "note": "Keys are missing" });
    owner.post(&holds, hold).await.good();
    let names = json!({ "en": "On hold", "es": "En espera", "de": "Zurückgestellt" });
    let held = changed_card(&mut on_floor, &dispatched).await;
    assert_eq!(held["stageName"], names);
    let queued = changed_card(&mut in_queue, &in_queue_before).await;
    assert_eq!(queued["stageName"], names);
    // A car that is ready is called, whatever else is open.
    set(&owner, "ready").await;
    let ready = changed_card(&mut on_floor, &held).await;
    assert_eq!(ready["stageName"]["en"], "Ready");
    set(&owner, "in-work").await;
    let waits = changed_card(&mut on_floor, &ready).await;
    assert_eq!(waits["stageName"], names);
    let end = format!("{holds}/1/end");
    owner.post(&end, json!({})).await.good();
    let goes_on = changed_card(&mut on_floor, &waits).await;
    assert_eq!(goes_on["stageName"]["en"], "In work");
    assert_eq!(picture_of(&floor, &server).await, goes_on);
}
