//! What is set at one server is so at the other: requests there go by it, and open screens hear of it.

use reqwest::Method;
use serde_json::json;
use tokio::time::{Duration, Instant, sleep};

use super::two_servers;
use crate::fixture::{Desk, Server, WAIT_TIMEOUT, answer};
use crate::stages::STAGES;

/// Waits until an answer of this path holds a text, or holds it no longer.
async fn until_told(desk: &Desk, path: &str, text: &str, is_there: bool) {
    let deadline = Instant::now() + WAIT_TIMEOUT;
    loop {
        let answer = desk.get(path).await.result().to_string();
        if answer.contains(text) == is_there {
            return;
        }
        assert!(Instant::now() < deadline, "{path}: {text}: {answer}");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn stages_levels_skills_and_rules_that_one_server_wrote_are_so_at_the_other() {
    let (_database, _first, second, owner) = two_servers().await;
    let there = Desk::at(&second, &owner);
    let mut screen = owner.listen(&second).await;
    // Whatever it keeps of them is asked for before.
    let levels = "/api/organisation";
    let skills = "/api/repair-orders/skills";
    let rules = "/api/opcode-rules";
    for path in [STAGES, levels, skills, rules] {
        there.get(path).await.good();
    }

    let names = json!({ "en": "Test drive", "es": "Prueba", "de": "Probefahrt" });
    let stage = json!({ "name": names, "kind": "active", "colour": "teal", "tooLongMinutes": 20 });
    owner.post(STAGES, stage).await.good();
    screen.event_named("STAGES_CHANGED").await;
    until_told(&there, STAGES, "Probefahrt", true).await;

    let level = json!({ "name": "Apprentices" });
    owner.post("/api/organisation/levels", level).await.good();
    until_told(&there, levels, "Apprentices", true).await;

    let skill = json!({ "data": [{ "skillName": "Glass work", "skillLevel": 3 }] });
    owner.post(skills, skill).await.good();
    until_told(&there, skills, "Glass work", true).await;

    let rule = json!({ "pattern": "WIND*", "idSkill": 1, "level": 1 });
    let rule = owner.post(rules, rule).await.result();
    until_told(&there, rules, "WIND*", true).await;
    let path = format!("{rules}/{}", rule["idRule"]);
    // Deleted there, it is gone here.
    there.delete(&path).await.good();
    until_told(&owner, rules, "WIND*", false).await;
}

#[tokio::test]
async fn a_key_or_a_role_that_is_taken_at_one_server_opens_nothing_at_the_other() {
    let (_database, first, second, owner) = two_servers().await;
    let key = json!({ "name": "Nightly export" });
    let key = owner.post("/api/intake/keys", key).await.result();
    let secret = key["key"].as_str().unwrap().to_owned();
    let send = async |server: &Server| {
        let request = server.request(Method::POST, "/api/intake/repair-orders");
        answer(request.bearer_auth(&secret).json(&json!([]))).await
    };
    assert_ne!(send(&second).await.status, 401);
    let path = format!("/api/intake/keys/{}", key["id"].as_str().unwrap());
    owner.delete(&path).await.good();
    assert_eq!(send(&first).await.status, 401);
    let deadline = Instant::now() + WAIT_TIMEOUT;
    while send(&second).await.status != 401 {
        assert!(Instant::now() < deadline, "the key opens the other server");
        sleep(Duration::from_millis(50)).await;
    }

    let bea = first.hire("bea@shop.example", "Advisor").await;
    let there = Desk::at(&second, &bea);
    there.change_priority(1, 3).await.good();
    let path = "/api/users/bea%40shop.example";
    let technician = json!({ "roles": ["Technician"], "technicianId": 11 });
    owner.patch(path, technician).await.good();
    let deadline = Instant::now() + WAIT_TIMEOUT;
    loop {
        let status = there.change_priority(2, 3).await.status;
        if matches!(status, 401 | 403) {
            break;
        }
        assert!(
            Instant::now() < deadline,
            "an advisor no longer, and {status}"
        );
        sleep(Duration::from_millis(50)).await;
    }
}
