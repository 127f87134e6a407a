//! Corrections that a technician proposes, and what becomes of them.

use dispatch_actors::testing::Throwaway;
use serde_json::{Value, json};

use crate::clocks::{
    ANN, a_shop, at, entries, entries_of, minutes_ago, say, start, tap, technician,
};
use crate::fixture::{Answer, Desk, Server, Shop, answer};

const PROPOSALS: &str = "/api/clock-proposals";

fn proposal_of(entry: &Value) -> String {
    format!("{}/{}/proposal", entries_of(ANN), entry["entryId"])
}

async fn propose(desk: &Desk, entry: &Value, body: Value) -> Answer {
    let request = desk.request(reqwest::Method::PUT, &proposal_of(entry));
    answer(request.json(&body)).await
}

async fn decide(desk: &Desk, entry: &Value, decision: Value) -> Answer {
    let path = format!("{}/decision", proposal_of(entry));
    desk.post(&path, decision).await
}

/// Ann, who was on job 1 of order 71 from three hours ago until one hour ago, and the boss.
async fn a_day(shop: Shop) -> (Server, Desk, Desk, Value) {
    let (server, boss) = a_shop(shop).await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    let times = [("start", 180), ("clock-out", 60)];
    for (action, minutes) in times {
        let mut body = json!({ "action": action, "at": minutes_ago(minutes) });
        if action == "start" {
            body["roNumber"] = json!(71);
            body["jobNumber"] = json!(1);
        }
        tap(&ann, body).await.good();
    }
    let entry = entries(&ann).await.remove(0);
    (server, boss, ann, entry)
}

async fn a_proposal_is_accepted(shop: Shop) {
    let (mut server, boss, ann, entry) = a_day(shop).await;
    let ended_at = minutes_ago(90);
    let body = json!({ "endedAt": ended_at, "reason": " forgot to stop " });
    let proposed = propose(&ann, &entry, body.clone()).await.result();
    assert_eq!(
        proposed["endedAt"], entry["endedAt"],
        "nothing is corrected yet"
    );
    let proposal = &proposed["proposal"];
    assert_eq!(proposal["by"]["uid"], ann.uid);
    assert_eq!(proposal["reason"], "forgot to stop");
    assert_eq!(proposal["times"]["startedAt"], entry["startedAt"]);
    assert_eq!(
        at(&proposal["times"]["endedAt"]).as_millisecond(),
        at(&json!(ended_at)).as_millisecond()
    );
    assert_eq!(proposal["times"]["roNumber"], 71);

    // It is there after a power cut, too.
    server.sigkill().await;
    server.restart().await;
    let listed = boss.get(PROPOSALS).await.result();
    assert_eq!(listed, json!([{ "technicianId": ANN, "entry": proposed }]));
    ann.get(PROPOSALS).await.refused(403, "forbidden");

    let accepted = decide(&boss, &entry, json!({ "decision": "accept" }))
        .await
        .result();
    assert_eq!(accepted["endedAt"], proposal["times"]["endedAt"]);
    assert_eq!(accepted["proposal"], Value::Null);
    let trail = &accepted["corrections"][0];
    assert_eq!(trail["by"]["uid"], boss.uid);
    assert_eq!(trail["reason"], format!("forgot to stop ({})", ann.name));
    assert_eq!(trail["before"]["endedAt"], entry["endedAt"]);
    assert_eq!(entries(&ann).await, [accepted]);
    assert_eq!(boss.get(PROPOSALS).await.result(), json!([]));
    decide(&boss, &entry, json!({ "decision": "accept" }))
        .await
        .refused(409, "no-proposal");
}

#[tokio::test]
async fn an_accepted_proposal_corrects_the_entry() {
    a_proposal_is_accepted(Shop::new().at_noon()).await;
}

#[tokio::test]
async fn an_accepted_proposal_corrects_the_entry_on_postgres() {
    let database = Throwaway::postgres().await;
    a_proposal_is_accepted(Shop::on(&database).at_noon()).await;
}

#[tokio::test]
async fn a_declined_proposal_leaves_the_entry_and_says_why() {
    let (_server, boss, ann, entry) = a_day(Shop::new().at_noon()).await;
    let body = json!({ "startedAt": minutes_ago(240), "reason": "began before" });
    propose(&ann, &entry, body).await.good();
    decide(&boss, &entry, json!({ "decision": "decline" }))
        .await
        .refused(400, "invalid-request");
    let no = json!({ "decision": "decline", "reason": "You were not here" });
    let declined = decide(&boss, &entry, no).await.result();
    assert_eq!(declined["startedAt"], entry["startedAt"]);
    assert_eq!(declined["proposal"], Value::Null);
    let trail = &declined["corrections"][0];
    assert_eq!(trail["reason"], "You were not here");
    assert_eq!(trail["before"], trail["after"]);
}

#[tokio::test]
async fn a_proposal_is_replaced_taken_back_and_gone_with_a_correction() {
    let (_server, boss, ann, entry) = a_day(Shop::new().at_noon()).await;
    let propose = async |minutes: i64| {
        let body = json!({ "endedAt": minutes_ago(minutes), "reason": format!("{minutes}") });
        propose(&ann, &entry, body).await.result()
    };
    propose(100).await;
    assert_eq!(propose(90).await["proposal"]["reason"], "90");
    assert_eq!(
        boss.get(PROPOSALS).await.result()[0]["entry"]["proposal"]["reason"],
        "90"
    );
    let withdrawn = ann.delete(&proposal_of(&entry)).await.result();
    assert_eq!(withdrawn["proposal"], Value::Null);
    ann.delete(&proposal_of(&entry)).await.good();
    assert_eq!(boss.get(PROPOSALS).await.result(), json!([]));

    propose(80).await;
    let path = format!("{}/{}", entries_of(ANN), entry["entryId"]);
    let correction = json!({ "endedAt": minutes_ago(70), "reason": "the camera says so" });
    let corrected = boss.patch(&path, correction).await.result();
    assert_eq!(corrected["proposal"], Value::Null);
}

#[tokio::test]
async fn a_proposal_that_could_not_be_accepted_is_refused() {
    let (_server, boss, ann, entry) = a_day(Shop::new().at_noon()).await;
    let proposed = async |body: Value| propose(&ann, &entry, body).await;
    proposed(json!({ "endedAt": minutes_ago(200), "reason": "x" }))
        .await
        .refused(400, "clock-ends-before-it-begins");
    proposed(json!({ "endedAt": minutes_ago(-10), "reason": "x" }))
        .await
        .refused(400, "clock-in-future");
    proposed(json!({ "endedAt": minutes_ago(90) }))
        .await
        .refused(400, "invalid-request");
    proposed(json!({ "roNumber": 71, "jobNumber": 9, "reason": "x" }))
        .await
        .refused(404, "unknown-job");
    propose(&ann, &json!({ "entryId": 404 }), json!({ "reason": "x" }))
        .await
        .refused(404, "unknown-entry");
    propose(&boss, &entry, json!({ "reason": "x" }))
        .await
        .refused(403, "forbidden");

    // What runs has no end to propose unless it is said.
    say(&ann, "clock-in").await;
    let running = start(&ann, 71, 2).await["running"].clone();
    propose(&ann, &running, json!({ "reason": "x" }))
        .await
        .refused(400, "invalid-request");
    // Another entry took the time meanwhile.
    let proposed = json!({ "endedAt": minutes_ago(30), "reason": "x" });
    propose(&ann, &entry, proposed).await.good();
    let taken = json!({
        "startedAt": minutes_ago(50),
        "endedAt": minutes_ago(40),
        "reason": "training",
    });
    boss.post(&entries_of(ANN), taken).await.good();
    decide(&boss, &entry, json!({ "decision": "accept" }))
        .await
        .refused(409, "clock-overlaps");
    assert_eq!(boss.get(PROPOSALS).await.result()[0]["technicianId"], ANN);
}

#[tokio::test]
async fn a_proposal_goes_with_an_entry_whose_tap_is_undone() {
    let (_server, boss, ann, _) = a_day(Shop::new().at_noon()).await;
    let running = start(&ann, 71, 2).await["running"].clone();
    let body = json!({ "startedAt": minutes_ago(30), "endedAt": minutes_ago(10), "reason": "x" });
    propose(&ann, &running, body).await.good();
    tap(&ann, json!({ "action": "undo" })).await.good();
    assert_eq!(boss.get(PROPOSALS).await.result(), json!([]));
    start(&ann, 71, 2).await;
    assert_eq!(entries(&ann).await[0]["proposal"], Value::Null);
}
