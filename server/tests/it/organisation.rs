//! The organisation: levels and who sits in them, hiring and removing technicians, their skills,
//! and what opcodes ask for.

use std::time::{Duration, Instant};

use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, Server, Shop, answer};
use crate::sample::sample_shop;

const LEVELS: &str = "/api/organisation/levels";
const RULES: &str = "/api/opcode-rules";

/// The levels by name, each with the numbers of who sits in it; those who sit in none last.
async fn chart(desk: &Desk) -> Vec<(String, Vec<i64>)> {
    let chart = desk.get("/api/organisation").await.result();
    let numbers = |technicians: &Value| -> Vec<i64> {
        let technicians = technicians.as_array().unwrap().iter();
        technicians
            .map(|technician| technician["idTechnician"].as_i64().unwrap())
            .collect()
    };
    let levels = chart["levels"].as_array().unwrap();
    let mut all: Vec<_> = (1..)
        .zip(levels)
        .map(|(position, level)| {
            assert_eq!(level["position"], position, "{levels:?}");
            let name = level["name"].as_str().unwrap().to_owned();
            (name, numbers(&level["technicians"]))
        })
        .collect();
    all.push((String::new(), numbers(&chart["unplaced"])));
    all
}

async fn levels(desk: &Desk) -> Vec<String> {
    let mut names: Vec<String> = chart(desk)
        .await
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    names.pop();
    names
}

async fn place(desk: &Desk, technician: i64, level: Value) -> Answer {
    let path = format!("/api/technicians/{technician}");
    desk.patch(&path, json!({ "idLevel": level })).await
}

async fn hire(desk: &Desk, id: i64, name: &str) -> Answer {
    let body = json!({ "idTechnician": id, "displayName": name });
    desk.post("/api/technicians", body).await
}

async fn send_twice(desk: &Desk, method: Method, path: &str, body: Value) -> [Answer; 2] {
    let send = async || {
        let request = desk.request(method.clone(), path).json(&body);
        answer(request.header("Idempotency-Key", format!("{method}{path}"))).await
    };
    [send().await, send().await]
}

#[tokio::test]
async fn technicians_appear_in_the_six_levels_once_they_are_placed() {
    let (server, owner) = Server::with_owner().await;
    let nobody = |name: &str| (name.to_owned(), vec![]);
    let unplaced = |ids: &[i64]| (String::new(), ids.to_vec());
    let six = [
        "Foreman",
        "Master",
        "Tradesman",
        "Craftsman",
        "Wrenchman",
        "Lube-tech",
    ];
    let mut expected: Vec<_> = six.map(nobody).to_vec();
    expected.push(unplaced(&[11, 22, 14, 23]));
    assert_eq!(chart(&owner).await, expected);

    let admin = server.hire("admin@example.com", "Admin").await;
    let placed = place(&admin, 22, json!(2)).await.result();
    assert_eq!(
        (&placed["idLevel"], &placed["levelName"]),
        (&json!(2), &json!("Master"))
    );
    place(&owner, 11, json!("2")).await.good();
    place(&owner, 14, json!(6)).await.good();
    expected[1].1 = vec![11, 22];
    expected[5].1 = vec![14];
    expected[6] = unplaced(&[23]);
    assert_eq!(chart(&owner).await, expected);

    let nowhere = place(&owner, 22, Value::Null).await.result();
    assert_eq!(
        (&nowhere["idLevel"], &nowhere["levelName"]),
        (&Value::Null, &Value::Null)
    );
    expected[1].1 = vec![11];
    expected[6] = unplaced(&[22, 23]);
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    assert_eq!(chart(&advisor).await, expected);
    assert_eq!(
        place(&advisor, 22, json!(2))
            .await
            .refused(403, "forbidden"),
        "Managing technicians needs one of the roles Owner, Admin"
    );
    assert_eq!(
        place(&owner, 22, json!(404))
            .await
            .refused(404, "unknown-level"),
        "Level 404 is not known"
    );
    let list = owner.get("/api/repair-orders/technicians").await.result();
    assert_eq!(list[0]["levelName"], "Master");
}

#[tokio::test]
async fn levels_are_added_renamed_moved_and_deleted() {
    let (_server, owner) = Server::with_owner().await;
    let add = async |body: Value| owner.post(LEVELS, body).await;
    let change = async |id: i64, body: Value| owner.patch(&format!("{LEVELS}/{id}"), body).await;
    assert_eq!(
        add(json!({ "name": " Apprentice " })).await.result(),
        json!({ "idLevel": 7, "name": "Apprentice", "position": 7 })
    );
    assert_eq!(
        add(json!({ "name": "Manager", "position": 1 }))
            .await
            .result(),
        json!({ "idLevel": 8, "name": "Manager", "position": 1 })
    );
    assert_eq!(levels(&owner).await[..3], ["Manager", "Foreman", "Master"]);
    assert_eq!(
        change(3, json!({ "name": "Journeyman", "position": "2" }))
            .await
            .result(),
        json!({ "idLevel": 3, "name": "Journeyman", "position": 2 })
    );
    assert_eq!(
        change(8, json!({ "position": 99 })).await.result()["position"],
        8
    );
    let expected = [
        "Journeyman",
        "Foreman",
        "Master",
        "Craftsman",
        "Wrenchman",
        "Lube-tech",
        "Apprentice",
        "Manager",
    ];
    assert_eq!(levels(&owner).await, expected);
    // Its own name in another case does not conflict.
    change(3, json!({ "name": "JOURNEYMAN" })).await.good();
    for answer in [
        add(json!({ "name": "foreman" })).await,
        change(3, json!({ "name": "Foreman" })).await,
    ] {
        assert_eq!(
            answer.refused(409, "level-exists"),
            "There is already a level called Foreman"
        );
    }
    for body in [
        json!({}),
        json!(["Helper"]),
        json!({ "name": " " }),
        json!({ "name": null }),
        json!({ "name": "a\nb" }),
        json!({ "name": "a".repeat(101) }),
        json!({ "name": "Helper", "position": 0 }),
        json!({ "name": "Helper", "position": null }),
        json!({ "name": "Helper", "position": 1.5 }),
    ] {
        add(body).await.refused(400, "invalid-request");
    }
    change(404, json!({ "name": "Helper" }))
        .await
        .refused(404, "unknown-level");

    place(&owner, 11, json!(4)).await.good();
    let path = format!("{LEVELS}/4");
    assert_eq!(
        owner.delete(&path).await.refused(409, "level-in-use"),
        "1 technician sits in the level Craftsman: move them first"
    );
    place(&owner, 22, json!(4)).await.good();
    assert_eq!(
        owner.delete(&path).await.refused(409, "level-in-use"),
        "2 technicians sit in the level Craftsman: move them first"
    );
    place(&owner, 11, json!(1)).await.good();
    place(&owner, 22, Value::Null).await.good();
    assert_eq!(
        owner.delete(&path).await.good(),
        json!({ "ok": true, "result": null })
    );
    owner.delete(&path).await.refused(404, "unknown-level");
    owner
        .delete(&format!("{LEVELS}/top"))
        .await
        .refused(400, "invalid-request");
    assert_eq!(levels(&owner).await.len(), 7);
}

#[tokio::test]
async fn a_technician_is_hired_changed_and_removed() {
    let (server, owner) = Server::with_owner().await;
    let body = json!({
    "idTechnician": "31",
    "displayName": " Marcus Bell ",
    "specialty": "Diesel",
    "dailyHours": 7.6,
    "idLevel": 5,
    });
    let marcus = owner.post("/api/technicians", body.clone()).await.result();
    let mut expected = json!({
    "idTechnician": 31,
    "displayName": "Marcus Bell",
    "specialty": "Diesel",
    "maxSkillName": null,
    "idLevel": 5,
    "levelName": "Wrenchman",
    "dailyHours": 7.6,
    "skills": [],
    });
    assert_eq!(marcus, expected);
    assert_eq!(
        owner
            .post("/api/technicians", body)
            .await
            .refused(409, "technician-exists"),
        "There is already a technician 31"
    );
    let list = owner.get("/api/repair-orders/technicians").await.result();
    assert_eq!(list[3], expected);

    let change = async |body: Value| owner.patch("/api/technicians/31", body).await;
    let body = json!({ "displayName": "Marcus B.", "specialty": "", "dailyHours": 24 });
    expected["displayName"] = json!("Marcus B.");
    expected["specialty"] = json!("");
    expected["dailyHours"] = json!(24.0);
    assert_eq!(change(body).await.result(), expected);
    assert_eq!(change(json!({})).await.result(), expected);
    let shown = owner.get("/api/technicians/31").await.result();
    assert_eq!(
        (
            &shown["fullName"],
            &shown["dailyHours"],
            &shown["levelName"]
        ),
        (&json!("Marcus B."), &json!(24.0), &json!("Wrenchman"))
    );
    for body in [
        json!([]),
        json!({ "displayName": "" }),
        json!({ "displayName": null }),
        json!({ "specialty": null }),
        json!({ "specialty": "a\u{7f}b" }),
        json!({ "dailyHours": 0.2 }),
        json!({ "dailyHours": 24.1 }),
        json!({ "dailyHours": null }),
        json!({ "dailyHours": "8" }),
        json!({ "idLevel": "top" }),
    ] {
        change(body).await.refused(400, "invalid-request");
    }
    for id in [json!(0), json!(-1), json!("Ann"), json!(1.5), Value::Null] {
        let body = json!({ "idTechnician": id, "displayName": "Ann" });
        owner
            .post("/api/technicians", body)
            .await
            .refused(400, "invalid-request");
    }
    hire(&owner, 404, "").await.refused(400, "invalid-request");
    let unknown = owner.patch("/api/technicians/404", json!({})).await;
    unknown.refused(404, "unknown-technician");

    let remove = async || owner.delete("/api/technicians/31").await;
    server.shop.import(&crate::fixture::plain_orders(2)).await;
    owner.assign(1, 31).await.good();
    assert_eq!(
        remove().await.refused(409, "technician-in-use"),
        "1 open order has this technician: give it to somebody else first"
    );
    owner.assign(2, 31).await.good();
    assert_eq!(
        remove().await.refused(409, "technician-in-use"),
        "2 open orders have this technician: give them to somebody else first"
    );
    owner.unassign(1, 31).await.good();
    owner.unassign(2, 31).await.good();
    assert_eq!(remove().await.good(), json!({ "ok": true, "result": null }));
    remove().await.refused(404, "unknown-technician");
    owner
        .get("/api/technicians/31")
        .await
        .refused(404, "unknown-technician");
    owner.assign(1, 31).await.refused(404, "unknown-technician");
}

#[tokio::test]
async fn a_technician_with_an_account_keeps_its_name_and_is_not_removed() {
    let (server, owner) = sample_shop().await;
    let body = json!({ "displayName": "Jean-Luc the Second" });
    let changed = owner.patch("/api/technicians/14", body).await.result();
    assert_eq!(changed["displayName"], "Jean-Luc F.");
    owner.unassign(104_218, 14).await.good();
    let refused = owner.delete("/api/technicians/14").await;
    assert_eq!(
        refused.refused(409, "technician-in-use"),
        "The account of jl@example.com is linked to this technician: delete it or its link first"
    );
    // The name comes up when the account goes.
    server
        .shop
        .run(&["user", "remove", "jl@example.com"])
        .await
        .good();
    let shown = owner.get("/api/technicians/14").await.result();
    assert_eq!(shown["fullName"], "Jean-Luc the Second");
    owner.delete("/api/technicians/14").await.good();
}

#[tokio::test]
async fn a_technicians_new_name_is_on_every_row_at_once() {
    let (_server, owner) = sample_shop().await;
    let body = json!({ "displayName": "Annie K." });
    owner.patch("/api/technicians/11", body).await.good();
    let rows = owner
        .get("/api/repair-orders/specific/104217")
        .await
        .result();
    assert_eq!(rows[0]["regularTechFullName"], "Annie K.");
    let list = owner.list().await;
    let named = list["result"].as_array().unwrap().iter();
    let mut named = named.filter(|row| row["regularIdTechnician"] == 11);
    assert!(named.all(|row| row["regularTechFullName"] == "Annie K."));
}

#[tokio::test]
async fn a_technician_has_skills_at_levels_of_their_own() {
    let (server, owner) = Server::with_owner().await;
    let path = |skill: &str| format!("/api/technicians/22/skills/{skill}");
    let skill = |id: i64, name: &str, level: i64| json!({ "idSkill": id, "skillName": name, "level": level });
    let technician = owner.put(&path("2"), json!({})).await.result();
    assert_eq!(technician["skills"], json!([skill(2, "Brakes", 3)]));
    let technician = owner
        .put(&path("1"), json!({ "level": "4" }))
        .await
        .result();
    assert_eq!(
        technician["skills"],
        json!([skill(1, "Oil change", 4), skill(2, "Brakes", 3)])
    );
    assert_eq!(technician["maxSkillName"], "Oil change");
    // Without a body, and at the level of the skill, also when that changes.
    let admin = server.hire("admin@example.com", "Admin").await;
    let request = admin.request(Method::PUT, &path("1"));
    let technician = answer(request).await.result();
    assert_eq!(
        technician["skills"],
        json!([skill(2, "Brakes", 3), skill(1, "Oil change", 1)])
    );
    owner.put(&path("2"), json!({ "level": 2 })).await.good();
    for id in [1, 2] {
        let change = json!({ "skillLevel": 9 });
        owner
            .patch(&format!("/api/repair-orders/skills/{id}"), change)
            .await
            .good();
    }
    let list = owner.get("/api/repair-orders/technicians").await.result();
    assert_eq!(
        list[1]["skills"],
        json!([skill(1, "Oil change", 9), skill(2, "Brakes", 2)])
    );
    // Twice the same is once.
    for _ in 0..2 {
        let technician = owner.delete(&path("1")).await.result();
        assert_eq!(technician["skills"], json!([skill(2, "Brakes", 2)]));
    }
    for (method, path) in [
        (Method::PUT, "/api/technicians/404/skills/1"),
        (Method::DELETE, "/api/technicians/404/skills/1"),
    ] {
        let refused = answer(owner.request(method, path).json(&json!({}))).await;
        refused.refused(404, "unknown-technician");
    }
    owner
        .put(&path("404"), json!({}))
        .await
        .refused(404, "unknown-skill");
    owner
        .delete(&path("404"))
        .await
        .refused(404, "unknown-skill");
    for body in [
        json!([]),
        json!({ "level": null }),
        json!({ "level": true }),
    ] {
        let refused = owner.put(&path("1"), body).await;
        assert_eq!(refused.status, 400, "{refused:?}");
    }
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    advisor
        .put(&path("1"), json!({}))
        .await
        .refused(403, "forbidden");
}

#[tokio::test]
async fn the_owner_sets_which_skills_opcodes_require() {
    let (server, owner) = Server::with_owner().await;
    let rule = |id: i64, pattern: &str, skill: (i64, &str), level: i64| {
        json!({
        "idRule": id, "pattern": pattern, "idSkill": skill.0, "skillName": skill.1, "level": level,
        })
    };
    let (oil, brakes) = ((1, "Oil change"), (2, "Brakes"));
    let add = async |body: Value| owner.post(RULES, body).await;
    let added = add(json!({ "pattern": " lof ", "idSkill": 1, "level": 1 })).await;
    assert_eq!(added.result(), rule(1, "LOF", oil, 1));
    let added = add(json!({ "pattern": "brk*", "idSkill": "2", "level": "3" })).await;
    assert_eq!(added.result(), rule(2, "BRK*", brakes, 3));
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    assert_eq!(
        advisor.get(RULES).await.result(),
        json!([rule(2, "BRK*", brakes, 3), rule(1, "LOF", oil, 1)])
    );
    let change = async |id: i64, body: Value| owner.patch(&format!("{RULES}/{id}"), body).await;
    assert_eq!(
        change(1, json!({ "level": 2 })).await.result(),
        rule(1, "LOF", oil, 2)
    );
    assert_eq!(
        change(1, json!({ "pattern": "Lof", "idSkill": 2 }))
            .await
            .result(),
        rule(1, "LOF", brakes, 2)
    );
    for answer in [
        add(json!({ "pattern": "Lof", "idSkill": 2, "level": 1 })).await,
        change(2, json!({ "pattern": "LOF" })).await,
    ] {
        assert_eq!(
            answer.refused(409, "rule-exists"),
            "There is already a rule for LOF"
        );
    }
    for pattern in ["", "B*K", "A\nB"] {
        let refused = add(json!({ "pattern": pattern, "idSkill": 1, "level": 1 })).await;
        refused.refused(400, "invalid-opcode-pattern");
    }
    for body in [
        json!({}),
        json!(["ROT", 1, 1]),
        json!({ "pattern": "ROT", "idSkill": 1 }),
        json!({ "pattern": "ROT", "idSkill": "oil", "level": 1 }),
        json!({ "pattern": null, "idSkill": 1, "level": 1 }),
    ] {
        add(body).await.refused(400, "invalid-request");
    }
    let refused = add(json!({ "pattern": "ROT", "idSkill": 1, "level": -1 })).await;
    refused.refused(400, "invalid-skill-level");
    let refused = add(json!({ "pattern": "ROT", "idSkill": 404, "level": 1 })).await;
    refused.refused(404, "unknown-skill");
    change(1, json!({ "idSkill": 404 }))
        .await
        .refused(404, "unknown-skill");
    change(404, json!({ "level": 1 }))
        .await
        .refused(404, "unknown-rule");

    let admin = server.hire("admin@example.com", "Admin").await;
    assert_eq!(
        admin
            .delete(&format!("{RULES}/1"))
            .await
            .refused(403, "forbidden"),
        "Managing opcode rules needs the role Owner"
    );
    owner.delete(&format!("{RULES}/1")).await.good();
    owner
        .delete(&format!("{RULES}/1"))
        .await
        .refused(404, "unknown-rule");
    assert_eq!(
        admin.get(RULES).await.result(),
        json!([rule(2, "BRK*", brakes, 3)])
    );
}

#[tokio::test]
async fn a_request_sent_again_with_its_key_is_executed_once() {
    let (_server, owner) = Server::with_owner().await;
    let hire = json!({ "idTechnician": 31, "displayName": "Marcus Bell" });
    let rule = json!({ "pattern": "LOF", "idSkill": 1, "level": 1 });
    for (method, path, body) in [
        (Method::POST, "/api/technicians", hire),
        (Method::POST, LEVELS, json!({ "name": "Apprentice" })),
        (Method::POST, RULES, rule),
    ] {
        let [first, second] = send_twice(&owner, method.clone(), path, body.clone()).await;
        assert_eq!(first.status, 200, "{first:?}");
        assert_eq!(first.body, second.body, "{path}");
        // Another request with the same key is a mistake, and one without a key a request.
        let mut other = body.clone();
        other["more"] = json!(1);
        let [other, _] = send_twice(&owner, method.clone(), path, other).await;
        other.refused(409, "idempotency-key-reused");
        let third = answer(owner.request(method, path).json(&body)).await;
        assert_eq!(third.status, 409, "{third:?}");
    }
    let [first, second] = send_twice(
        &owner,
        Method::PATCH,
        &format!("{LEVELS}/7"),
        json!({ "position": 1 }),
    )
    .await;
    assert_eq!(first.result(), second.result());
    // The first answer, though it is otherwise now.
    let path = "/api/technicians/31";
    let body = json!({ "dailyHours": 6 });
    let request = || {
        let request = owner.request(Method::PATCH, path).json(&body);
        request.header("Idempotency-Key", "hours")
    };
    let first = answer(request()).await.result();
    owner.patch(path, json!({ "dailyHours": 7 })).await.good();
    assert_eq!(answer(request()).await.result(), first);
    let now = owner.get(path).await.result();
    assert_eq!(now["dailyHours"], 7.0);
}

#[tokio::test]
async fn every_change_is_broadcast_and_a_burst_of_changes_only_a_few_times() {
    let (server, owner) = Server::with_owner().await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let mut socket = advisor.listen(&server).await;
    let skills = "/api/repair-orders/skills";
    let data = |name: &str| json!({ "data": [{ "skillName": name, "skillLevel": 1 }] });
    let gift = json!({ "data": [{ "idTechnician": 31, "idSkill": 1 }] });
    let rule = json!({ "pattern": "LOF", "idSkill": 1, "level": 1 });
    let hire = json!({ "idTechnician": 31, "displayName": "Marcus Bell" });
    let (post, put, patch, delete) = (Method::POST, Method::PUT, Method::PATCH, Method::DELETE);
    for (method, path, body) in [
        (&post, "/api/technicians", hire),
        (&patch, "/api/technicians/31", json!({ "idLevel": 1 })),
        (&put, "/api/technicians/31/skills/1", json!({})),
        (&delete, "/api/technicians/31/skills/1", json!({})),
        (&post, "/api/repair-orders/technician-skills", gift),
        (&post, LEVELS, json!({ "name": "Apprentice" })),
        (&patch, &format!("{LEVELS}/7"), json!({ "position": 1 })),
        (&delete, &format!("{LEVELS}/7"), json!({})),
        (&post, skills, data("Glass")),
        (&patch, &format!("{skills}/4"), json!({ "skillLevel": 2 })),
        (&delete, &format!("{skills}/4"), json!({})),
        (&post, RULES, rule),
        (&patch, &format!("{RULES}/1"), json!({ "level": 2 })),
        (&delete, &format!("{RULES}/1"), json!({})),
        (&delete, "/api/technicians/31", json!({})),
    ] {
        answer(owner.request(method.clone(), path).json(&body))
            .await
            .good();
        let event = socket.technicians_changed().await;
        assert_eq!(event[0], "TECHNICIANS_CHANGED", "{method} {path}");
        assert_eq!(event[1]["type"], "TECHNICIANS_CHANGED");
        assert!(event[1]["timestamp"].is_string());
        // It has no offset, and is not replayed.
        assert!(event.get(2).is_none());
    }
    let began = Instant::now();
    for n in 0..30 {
        owner.post(skills, data(&format!("Skill {n}"))).await.good();
    }
    let last = "The last of all";
    owner.post(skills, data(last)).await.good();
    // A client that asks after each announcement sees every change in the end.
    let mut event_count = 0;
    loop {
        socket.technicians_changed().await;
        event_count += 1;
        let all = advisor.get(skills).await.result();
        if all
            .as_array()
            .unwrap()
            .iter()
            .any(|skill| skill["skillName"] == last)
        {
            break;
        }
    }
    let pauses = began.elapsed().as_millis() / Duration::from_millis(300).as_millis();
    assert!(
        event_count <= pauses + 2,
        "{event_count} in {:?}",
        began.elapsed()
    );
}

/// The same on either database: many change the organisation at once.
async fn the_organisation_is_kept(shop: Shop) {
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &[]).await;
    let owner = &server.hire("owner@example.com", "Owner").await;

    let at_once = (0..12).map(|n| async move {
        let body = json!({ "name": format!("Level {n}"), "position": 1 });
        owner.post(LEVELS, body).await.result()["idLevel"].as_i64()
    });
    let mut ids = join_all(at_once).await;
    ids.sort_unstable();
    assert_eq!(ids, (7..19).map(Some).collect::<Vec<_>>());
    // Without gaps, whatever happens.
    let moves = (7..19).map(|id| async move {
        let path = format!("{LEVELS}/{id}");
        if id % 3 == 0 {
            owner.delete(&path).await
        } else {
            owner.patch(&path, json!({ "position": id % 5 + 1 })).await
        }
    });
    for answer in join_all(moves).await {
        answer.good();
    }
    assert_eq!(chart(owner).await.len(), 15);

    // Everybody hires the same number, and places people in what is being deleted.
    let hired = join_all((0..8).map(|n| async move {
        let name = format!("Somebody {n}");
        hire(owner, 31, &name).await
    }));
    let good = hired
        .await
        .into_iter()
        .filter(|one| one.status == 200)
        .count();
    assert_eq!(good, 1);
    let contested = (7..19).filter(|id| id % 3 != 0).map(|id| async move {
        let path = format!("{LEVELS}/{id}");
        let (placed, deleted) =
            futures_util::join!(place(owner, 31, json!(id)), owner.delete(&path));
        if placed.status == 200 {
            // Or somebody else moved them on before it was deleted.
            assert!([200, 409].contains(&deleted.status), "{deleted:?}");
        } else {
            placed.refused(404, "unknown-level");
            deleted.good();
        }
    });
    join_all(contested).await;
    let sits_in = &owner.get("/api/technicians/31").await.result();
    assert_eq!(sits_in["idLevel"].is_null(), sits_in["levelName"].is_null());

    // Rules are made for a skill that is being deleted.
    let at_once = (0..10).map(|n| async move {
        if n == 5 {
            let path = "/api/repair-orders/skills/3?evenIfUsed=true";
            return owner.delete(path).await;
        }
        let body = json!({ "pattern": format!("OP{n}"), "idSkill": 3, "level": 1 });
        owner.post(RULES, body).await
    });
    for answer in join_all(at_once).await {
        assert!([200, 404].contains(&answer.status), "{answer:?}");
    }
    assert_eq!(owner.get(RULES).await.result(), json!([]));
    let same = (0..8).map(|_| async move {
        let body = json!({ "pattern": "LOF*", "idSkill": 1, "level": 1 });
        owner.post(RULES, body).await.status
    });
    let statuses = join_all(same).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1);
    let gifts = (0..8).map(|level| async move {
        let path = "/api/technicians/31/skills/1";
        owner.put(path, json!({ "level": level })).await.good()
    });
    join_all(gifts).await;
    let skills = owner.get("/api/repair-orders/technicians").await.result();
    let mut all = skills.as_array().unwrap().iter();
    let theirs = all.find(|one| one["idTechnician"] == 31).unwrap();
    assert_eq!(theirs["skills"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn many_change_the_organisation_at_once_on_sqlite() {
    the_organisation_is_kept(Shop::new()).await;
}

#[tokio::test]
async fn many_change_the_organisation_at_once_on_postgres() {
    let database = Throwaway::postgres().await;
    the_organisation_is_kept(Shop::on(&database)).await;
}
