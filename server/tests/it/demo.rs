//! The demo shop: what it offers, and that it never meets a real one or the network.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::fixture::{ANYWHERE, Desk, Server, Shop};

#[tokio::test]
async fn a_demo_prints_its_sign_ins_and_they_work() {
    let mut server = Server::demo().await;
    let line = server.next_line().await;
    assert_eq!(
        line,
        "This is a demo shop. Sign in with the password dispatch-demo as one of:"
    );
    for account in [
        "owner", "admin", "advisor", "manager", "used", "tech", "tech2",
    ] {
        let email = server.next_line().await;
        assert_eq!(email, format!("  {account}@example.com"));
        let desk = server.sign_in(email.trim()).await;
        let list = desk.list().await;
        let mut numbers: Vec<_> = list["result"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| &row["repairOrderNumber"])
            .collect();
        numbers.dedup();
        assert_eq!(numbers.len(), 128);
    }
    let line = server.next_line().await;
    assert_eq!(
        line,
        "A browser becomes the board on the shop floor with this link, which works once:"
    );
    let link = server.next_line().await;
    let link = link.trim().strip_prefix(&server.url("/board#link="));
    let body = json!({ "link": link, "version": "1", "screen": { "width": 1920, "height": 1080 } });
    let paired = server.post("/api/boards/links/redeem", body).await.result();
    assert_eq!(paired["name"], "Shop floor");
    let technicians = server
        .sign_in("owner@example.com")
        .await
        .get("/api/repair-orders/technicians")
        .await
        .result();
    assert_eq!(technicians.as_array().unwrap().len(), 28);
}

#[tokio::test]
async fn a_demo_has_a_board_of_each_layout_on_its_walls_and_hangs_none_twice() {
    let mut server = Server::demo().await;
    let layouts = async |server: &Server| {
        let owner = server.sign_in("owner@example.com").await;
        let boards = owner.get("/api/boards").await.result();
        let boards = boards.as_array().unwrap().iter();
        let layouts = boards.map(|board| board["layout"].as_str().unwrap().to_owned());
        layouts.collect::<Vec<_>>()
    };
    let expected = ["lounge", "queue", "shop-floor", "used-pdi"];
    assert_eq!(layouts(&server).await, expected);
    server.sigkill().await;
    server.restart().await;
    assert_eq!(layouts(&server).await, expected);
}

#[tokio::test]
async fn a_demo_that_starts_again_keeps_its_changes() {
    let mut server = Server::demo().await;
    let owner = server.sign_in("owner@example.com").await;
    let before = owner.list().await;
    let number = before["result"][0]["repairOrderNumber"].as_i64().unwrap();
    owner.make_one_change(number).await;
    let changed = owner.list().await;
    server.sigkill().await;
    server.restart().await;
    assert_eq!(
        owner.list().await,
        changed,
        "and it is not filled a second time"
    );
}

#[tokio::test]
async fn a_demo_stays_on_this_machine() {
    let shop = Shop::new();
    for address in ["0.0.0.0:8080", "[::]:8080", "192.0.2.1:8080"] {
        let sentence = shop
            .run(&["serve", "--demo", "--listen", address])
            .await
            .refused();
        let expected = "a demo shop listens on this machine only, since everybody knows its passwords: \
            use --listen 127.0.0.1:8080";
        assert_eq!(sentence, expected);
    }
    assert!(!shop.data_dir().exists(), "nothing was made");
}

#[tokio::test]
async fn a_demos_database_stays_on_this_machine_even_without_the_option() {
    let mut server = Server::demo().await;
    server.sigkill().await;
    let sentence = server
        .shop
        .run(&["serve", "--listen", "0.0.0.0:0"])
        .await
        .refused();
    assert!(sentence.contains("passwords"), "{sentence}");
}

#[tokio::test]
async fn a_demo_is_not_handed_on_by_a_proxy() {
    let mut demo = Server::demo().await;
    demo.sigkill().await;
    let new = Shop::new();
    let elsewhere = [
        ["--public-url", "https://desk.example.com/"],
        ["--public-url", "http://192.0.2.1/"],
        ["--trusted-proxy", "127.0.0.1"],
        ["--allowed-host", "desk.example.com"],
    ];
    for option in elsewhere {
        let expected = format!(
            "a demo shop is for this machine only, since everybody knows its passwords: leave out {}, or \
             use another --data-dir",
            option.join(" ")
        );
        let with = |more: &[&'static str]| [&ANYWHERE[..], more, &option].concat();
        assert_eq!(new.run(&with(&["--demo"])).await.refused(), expected);
        assert_eq!(demo.shop.run(&with(&[])).await.refused(), expected);
    }
    let here = ["--public-url", "http://localhost:8080"];
    demo.restart_with(&here).await;
    demo.sign_in("owner@example.com").await;
}

#[tokio::test]
async fn a_real_shop_is_never_made_a_demo() {
    let refusal =
        "this database holds a real shop; --demo needs an empty one: use another --data-dir";
    let with_order = Shop::new();
    with_order
        .import(&json!([{ "repairOrderNumber": 1 }]))
        .await;
    let with_owner = Shop::new();
    with_owner.add_user("owner@example.com", "Owner").await;
    for shop in [with_order, with_owner] {
        let sentence = shop
            .run(&[&ANYWHERE[..], &["--demo=still"]].concat())
            .await
            .refused();
        assert_eq!(sentence, refusal);
        let server = Server::start_in(shop, &[]).await;
        let demo = json!({ "email": "admin@example.com", "password": "dispatch-demo" });
        server
            .post("/api/auth/sign-in", demo)
            .await
            .refused(401, "wrong-password");
    }
}

#[tokio::test]
async fn a_demos_technicians_have_been_on_the_clock() {
    let server = Server::start_in(Shop::new().at_noon(), &["--demo=still"]).await;
    let owner = server.sign_in("owner@example.com").await;
    let clocks = owner.get("/api/clocks").await.result();
    let clocks = clocks["clocks"].as_array().unwrap();
    let forgotten = clocks
        .iter()
        .filter(|clock| clock["running"]["forgotten"] == true);
    assert_eq!(forgotten.count(), 1, "{clocks:?}");
    let on_a_job = clocks
        .iter()
        .filter(|clock| clock["running"]["roNumber"].is_i64());
    assert!(on_a_job.count() > 2, "{clocks:?}");

    let (half_full, over) = busy_technicians(&owner).await;
    assert!(half_full > 2 && over < 10, "{half_full} {over}");

    let technician = server.sign_in("tech@example.com").await;
    let me = technician.get("/api/auth/me").await.result();
    let id = &me["technicianId"];
    let clock = technician
        .get(&format!("/api/technicians/{id}/clock"))
        .await
        .result();
    assert!(clock["running"]["roNumber"].is_i64(), "{clock}");
    assert!(clock["week"]["attendedMs"].as_i64().unwrap() > 0);
    let finished = clock["finishedJobs"].as_array().unwrap();
    assert!(!finished.is_empty(), "{clock}");
    // A technician may finish the job they are working on.
    let (number, job) = (
        &clock["running"]["roNumber"],
        &clock["running"]["jobNumber"],
    );
    let finish = json!({ "action": "finish", "roNumber": number, "jobNumber": job });
    let after = technician
        .post(&format!("/api/technicians/{id}/clock"), finish)
        .await
        .result();
    assert_eq!(
        after["completedToday"],
        clock["completedToday"].as_i64().unwrap() + 1
    );
}

/// How many have more than half of the hours left of their day promised for today, and more than all of them.
async fn busy_technicians(desk: &Desk) -> (usize, usize) {
    let path = "/api/repair-orders/technician-assignments?rows=false";
    let work = desk.get(path).await.result();
    let work = work.as_array().unwrap();
    let hours = |technician: &Value, of: &str| technician[of].as_f64().unwrap();
    let busy = |share: f64| {
        let busy = work.iter().filter(|it| {
            let due = hours(it, "dueTodayHours");
            due > 0.0 && due > share * hours(it, "hoursLeftToday")
        });
        busy.count()
    };
    (busy(0.5), busy(1.0))
}

#[tokio::test]
async fn in_the_evening_most_of_a_demos_technicians_are_done_with_what_was_promised() {
    let server = Server::start_in(Shop::new().at_hour(17), &["--demo=still"]).await;
    let owner = server.sign_in("owner@example.com").await;
    let (_, over) = busy_technicians(&owner).await;
    assert!((1..12).contains(&over), "{over}");
}

#[tokio::test]
async fn a_demos_orders_go_round_when_each_is_given_to_its_first_suggestion() {
    let server = Server::demo().await;
    let owner = server.sign_in("owner@example.com").await;
    let list = owner.list().await;
    let rows = list["result"].as_array().unwrap();
    let number = |row: &Value| row["repairOrderNumber"].as_i64().unwrap();
    let is_given = |row: &&Value| {
        ["regularIdTechnician", "ETLIdTechnician"]
            .iter()
            .any(|id| !row[*id].is_null())
    };
    let given: HashSet<i64> = rows.iter().filter(is_given).map(number).collect();
    let mut waiting: Vec<i64> = rows
        .iter()
        .map(number)
        .filter(|it| !given.contains(it))
        .collect();
    waiting.dedup();
    assert!(waiting.len() >= 10, "{waiting:?}");

    let has_all_skills = |candidate: &Value| {
        let reasons = candidate["reasons"].as_array().unwrap();
        let mut skills = reasons.iter().filter(|it| it["kind"] == "skill");
        skills.all(|skill| skill["state"] == "has")
    };
    let mut orders_of = HashMap::<i64, usize>::new();
    for number in &waiting {
        let path = format!("/api/repair-orders/candidates?roNumbers={number}");
        let candidates = owner.get(&path).await.result();
        let candidates = candidates.as_array().unwrap();
        let first = &candidates[0];
        assert!(
            has_all_skills(first) || !candidates.iter().any(has_all_skills),
            "{number} is for somebody with its skills: {candidates:?}"
        );
        let technician = first["idTechnician"].as_i64().unwrap();
        owner.assign(*number, technician).await.good();
        *orders_of.entry(technician).or_default() += 1;
    }
    assert!(orders_of.len() >= 7, "{orders_of:?}");
    let most = orders_of.values().max().unwrap();
    assert!(most * 3 <= waiting.len(), "{orders_of:?}");
}
