//! What a technician alone sees and changes: the dashboard, and of clocks, receipts and stories
//! their own, whichever way they ask.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::clocks::technician;
use crate::fixture::{Desk, Server, Socket, WAIT_TIMEOUT, answer};
use crate::sample::sample_shop;

const ANN: i64 = 11;
const LUC: i64 = 14;
const ORDER: i64 = 500;
const DETAILS: &str = "/api/repair-orders/500";
const HISTORY: &str = "/api/repair-orders/500/history";
const JOB: &str = "/api/repair-orders/500/jobs/1";
const STORY: &str = "Torqued to the value of the manual.";

/// A shop with two technicians, Ann and Luc, and their accounts.
struct Shop {
    server: Server,
    owner: Desk,
    ann: Desk,
    luc: Desk,
}

/// Two unassigned orders.
pub fn orders() -> Value {
    let order = |number: i64| {
        json!({
            "repairOrderNumber": number,
            "vehicle": "2003 Honda Accord EX",
            "jobs": [{ "jobNumber": 1, "concern": "Brakes squeak" }],
        })
    };
    json!([order(ORDER), order(501)])
}

async fn shop() -> Shop {
    let (server, owner) = sample_shop().await;
    server.shop.import(&orders()).await;
    let ann = technician(&server, "ann@example.com", ANN).await;
    let luc = server.sign_in("jl@example.com").await;
    Shop {
        server,
        owner,
        ann,
        luc,
    }
}

async fn listen(server: &Server, desk: &Desk, scope: Value) -> Result<Socket, Value> {
    let auth = json!({ "token": desk.token, "scope": scope });
    Socket::connect(server, &auth).await
}

/// The next event of this name.
async fn next(socket: &mut Socket, name: &str) -> Value {
    let comes = async {
        loop {
            let packet = socket.any_packet().await.expect("the socket is open");
            let list: Value = match packet.strip_prefix("42") {
                Some(list) => serde_json::from_str(list).unwrap(),
                None => continue,
            };
            if list[0] == name {
                return list[1].clone();
            }
        }
    };
    let event = timeout(WAIT_TIMEOUT, comes).await;
    event.unwrap_or_else(|_| panic!("{name} is heard"))
}

async fn clock(desk: &Desk, technician: i64, action: &str) {
    let path = format!("/api/technicians/{technician}/clock");
    desk.post(&path, json!({ "action": action })).await.good();
}

/// Whose clocks `/api/clocks` shows.
async fn clocks(desk: &Desk) -> Vec<i64> {
    let clocks = desk.get("/api/clocks").await.result();
    let clocks = clocks["clocks"].as_array().unwrap();
    let technicians = clocks.iter().map(|on| on["technicianId"].as_i64().unwrap());
    technicians.collect()
}

#[tokio::test]
async fn a_technician_cannot_read_another_technicians_clock() {
    let Shop {
        server,
        owner,
        ann,
        luc,
    } = shop().await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let mut lucs = luc.listen(&server).await;
    let mut owners = owner.listen(&server).await;
    clock(&ann, ANN, "clock-in").await;
    clock(&luc, LUC, "clock-in").await;
    let of = |event: &Value| event["technicianId"].as_i64().unwrap();
    for technician in [ANN, LUC] {
        let heard = next(&mut owners, "CLOCK_CHANGED").await;
        assert_eq!(of(&heard), technician);
    }
    let heard = next(&mut lucs, "CLOCK_CHANGED").await;
    assert_eq!(of(&heard), LUC, "and Ann's before it was not told");

    assert_eq!(clocks(&luc).await, [LUC]);
    assert_eq!(clocks(&ann).await, [ANN]);
    assert_eq!(clocks(&owner).await, [ANN, LUC]);
    assert_eq!(clocks(&advisor).await, [ANN, LUC]);
    for path in [
        "/api/technicians/11/clock",
        "/api/technicians/11/clock/entries",
        "/api/technicians/11",
    ] {
        luc.get(path).await.refused(403, "forbidden");
        ann.get(path).await.good();
        owner.get(path).await.good();
    }
    let all = luc.get("/api/repair-orders/technician-assignments");
    let all = all.await.result();
    let names: Vec<&Value> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["technicianId"])
        .collect();
    assert_eq!(names, [&json!(LUC)]);
}

#[tokio::test]
async fn a_technician_cannot_listen_to_another_technicians_work() {
    let Shop {
        server, owner, luc, ..
    } = shop().await;
    let refused = listen(&server, &luc, json!({ "technician": ANN })).await;
    let refused = refused.err().unwrap();
    assert_eq!(refused["data"]["code"], "forbidden", "{refused}");
    for desk in [&luc, &owner] {
        let socket = listen(&server, desk, json!({ "technician": LUC })).await;
        assert!(socket.is_ok());
    }
    assert!(
        listen(&server, &owner, json!({ "technician": ANN }))
            .await
            .is_ok()
    );
    // Some orders by number are part of the dashboard; whose clocks run on them is not.
    let mut orders = listen(&server, &luc, json!({ "ros": [ORDER] }))
        .await
        .unwrap();
    clock(&owner, ANN, "clock-in").await;
    owner.assign(ORDER, ANN).await.good();
    loop {
        let event = orders.next().await;
        assert_ne!(event.name, "CLOCK_CHANGED");
        if event.name == "RO_MODIFIED" {
            break;
        }
    }
}

#[tokio::test]
async fn a_technician_cannot_read_another_technicians_receipts() {
    let Shop {
        server,
        owner,
        ann,
        luc,
    } = shop().await;
    let mut lucs = luc.listen(&server).await;
    let mut owners = owner.listen(&server).await;
    owner.assign(ORDER, ANN).await.good();
    let of = |receipt: &Value| receipt["technicianId"].as_i64().unwrap();
    assert_eq!(of(&owners.receipt().await), ANN);
    let accept = format!("/api/technicians/{ANN}/assignments/{ORDER}/receipt");
    let accepted = json!({ "stage": "accepted" });
    luc.post(&accept, accepted.clone())
        .await
        .refused(403, "forbidden");
    ann.post(&accept, accepted).await.good();
    let reason = json!({ "reason": "The lift is taken" });
    let back = format!("/api/technicians/{ANN}/assignments/{ORDER}/hand-back");
    ann.post(&back, reason).await.good();
    owner.assign(501, LUC).await.good();
    assert_eq!(of(&lucs.receipt().await), LUC, "and Ann's were not told");

    let receipts = async |desk: &Desk| {
        let all = desk.get("/api/assignments").await.result();
        let all = all["receipts"].as_array().unwrap().clone();
        let mut technicians: Vec<i64> = all.iter().map(of).collect();
        technicians.sort_unstable();
        technicians
    };
    assert_eq!(receipts(&luc).await, [LUC]);
    assert_eq!(receipts(&ann).await, [ANN]);
    assert_eq!(receipts(&owner).await, [ANN, LUC]);

    // Why Ann gave it back is in her receipt, and in the order's history.
    let reason = async |desk: &Desk| {
        let history = desk.get(HISTORY).await.result();
        let changes = history.as_array().unwrap().iter();
        let mut changes = changes.flat_map(|entry| entry["changes"].as_array().unwrap());
        let change = changes.find(|change| change["field"] == "handedBack");
        (
            change.unwrap()["to"].clone(),
            change.unwrap()["withheld"].clone(),
        )
    };
    assert_eq!(reason(&luc).await, (Value::Null, json!(true)));
    for desk in [&ann, &owner] {
        assert_eq!(
            reason(desk).await,
            (json!("The lift is taken"), Value::Null)
        );
    }
}

/// Whether the story is somewhere in what this person is answered.
async fn sees_the_story(desk: &Desk) -> [bool; 2] {
    let details = desk.get(DETAILS).await.result();
    let history = desk.get(HISTORY).await.result();
    [details, history].map(|answer| answer.to_string().contains(STORY))
}

#[tokio::test]
async fn a_technician_cannot_read_another_technicians_story() {
    let Shop {
        server,
        owner,
        ann,
        luc,
    } = shop().await;
    owner.assign(ORDER, ANN).await.good();
    let mut lucs = luc.listen(&server).await;
    let mut owners = owner.listen(&server).await;
    let texts = json!({ "cause": "Loose", "briefTechNotes": "Tightened", "techStory": STORY });
    let saved = ann.patch(JOB, texts).await.result();
    ann.patch(JOB, json!({ "techStory": "" })).await.good();
    ann.patch(JOB, json!({ "techStory": STORY })).await.good();
    for socket in [&mut lucs, &mut owners] {
        for _ in 0..3 {
            let event = next(socket, "RO_MODIFIED").await;
            assert_eq!(event["action"], "JOB_CHANGED");
            assert!(!event.to_string().contains(STORY), "{event}");
        }
    }

    let details = luc.get(DETAILS).await.result();
    let job = &details["jobs"][0];
    assert_eq!(
        (&job["techStory"], &details["storiesWithheld"]),
        (&json!(""), &json!(true))
    );
    assert_eq!(
        (&job["cause"], &job["briefTechNotes"]),
        (&json!("Loose"), &json!("Tightened")),
        "the job sheet is open to everybody"
    );
    let history = luc.get(HISTORY).await.result();
    let change = |field: &str| {
        let changes = history[2]["changes"].as_array().unwrap();
        changes
            .iter()
            .find(|change| change["field"] == field)
            .unwrap()
            .clone()
    };
    assert_eq!(
        change("techStory"),
        json!({ "field": "techStory", "jobNumber": 1, "from": null, "to": null, "withheld": true })
    );
    assert_eq!(change("cause")["to"], "Loose");
    assert_eq!(sees_the_story(&luc).await, [false, false]);

    let stories = format!("{JOB}/stories");
    luc.get(&stories).await.refused(403, "forbidden");
    let restore = format!("{stories}/{}/restore", saved["seq"]);
    luc.post(&restore, json!({}))
        .await
        .refused(403, "forbidden");
    luc.get(&format!(
        "/api/tech-stories/open?roNumber={ORDER}&jobNumber=1"
    ))
    .await
    .refused(403, "forbidden");

    let advisor = server.hire("advisor@example.com", "Advisor").await;
    for desk in [&ann, &owner, &advisor] {
        assert_eq!(sees_the_story(desk).await, [true, true]);
        let details = desk.get(DETAILS).await.result();
        assert_eq!(details.get("storiesWithheld"), None);
        desk.get(&stories).await.good();
    }
    // The technician on the order reads what was written about it, for as long as the order is
    // theirs.
    owner.assign(ORDER, LUC).await.good();
    assert_eq!(sees_the_story(&luc).await, [true, true]);
    owner.unassign(ORDER, LUC).await.good();
    assert_eq!(sees_the_story(&luc).await, [false, false]);
}

#[tokio::test]
async fn a_technicians_recovered_events_contain_no_story() {
    let Shop {
        server,
        owner,
        luc,
        ann,
    } = shop().await;
    let mut socket = Socket::open(server.address).await;
    let pid = socket.sign_in(&json!({ "token": luc.token })).await;
    let pid = pid.unwrap();
    let offset = socket.next().await.offset;
    drop(socket);
    owner.assign(ORDER, ANN).await.good();
    clock(&ann, ANN, "clock-in").await;
    ann.patch(JOB, json!({ "techStory": STORY })).await.good();
    let mut socket = Socket::open(server.address).await;
    let auth = json!({ "token": luc.token, "pid": pid, "offset": offset });
    assert_eq!(socket.sign_in(&auth).await.unwrap(), pid);
    let mut actions = Vec::new();
    loop {
        let packet = socket.any_packet().await.unwrap();
        assert!(!packet.contains(STORY) && !packet.contains("CLOCK_CHANGED"));
        if packet.starts_with(r#"42["hello""#) {
            break;
        }
        let list: Value = serde_json::from_str(packet.strip_prefix("42").unwrap()).unwrap();
        actions.push(list[1]["action"].clone());
    }
    assert_eq!(actions, ["TECH_ASSIGNED", "JOB_CHANGED"]);
}

#[tokio::test]
async fn a_technician_cannot_write_on_a_job_of_an_order_that_is_not_theirs() {
    let Shop {
        server, owner, luc, ..
    } = shop().await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let admin = server.hire("admin@example.com", "Admin").await;
    let texts = [
        json!({ "techStory": "Written by a stranger." }),
        json!({ "cause": "Made up" }),
        json!({ "briefTechNotes": "Made up" }),
    ];
    for text in &texts {
        luc.patch(JOB, text.clone()).await.refused(403, "forbidden");
    }
    let details = owner.get(DETAILS).await.result();
    assert!(!details.to_string().contains("Made up"), "{details}");
    for desk in [&owner, &admin, &advisor] {
        let text = format!("Seen by {}.", desk.name);
        desk.patch(JOB, json!({ "techStory": text, "cause": text }))
            .await
            .good();
    }

    owner.assign(ORDER, LUC).await.good();
    let own = luc.patch(JOB, json!({ "techStory": STORY })).await;
    let own = own.result();
    owner.unassign(ORDER, LUC).await.good();
    luc.patch(JOB, texts[0].clone())
        .await
        .refused(403, "forbidden");
    // They can no longer undo what they wrote while the order was theirs.
    luc.post(&format!("{DETAILS}/undo"), json!({ "seq": own["seq"] }))
        .await
        .refused(403, "forbidden");
    let history = luc.get(HISTORY).await.result();
    assert_eq!(history[1]["seq"], own["seq"]);
    assert_eq!(history[1]["undoable"], false);
    owner
        .post(&format!("{DETAILS}/undo"), json!({ "seq": own["seq"] }))
        .await
        .good();

    // An imported technician is on the order just as a dispatched one.
    let order = json!([{
        "repairOrderNumber": 778,
        "ETLIdTechnician": LUC,
        "jobs": [{ "jobNumber": 1, "concern": "Noise" }],
    }]);
    server.shop.import(&order).await;
    luc.patch("/api/repair-orders/778/jobs/1", texts[1].clone())
        .await
        .good();
    // Any order's status is changed on the dashboard, which is open to everybody.
    luc.change_status(ORDER, 12).await.good();
}

#[tokio::test]
async fn a_retried_story_gets_its_first_answer_after_the_order_was_reassigned() {
    let Shop {
        server, owner, luc, ..
    } = shop().await;
    owner.assign(ORDER, LUC).await.good();
    let write = |desk: &Desk| {
        let request = desk.request(Method::PATCH, JOB);
        let request = request.json(&json!({ "cause": "Worn to 2 mm" }));
        request.header("Idempotency-Key", "one")
    };
    let first = answer(write(&luc)).await.good();
    owner.unassign(ORDER, LUC).await.good();
    assert_eq!(answer(write(&luc)).await.good(), first);
    // The key belongs to them alone.
    let other = server.hire("new@example.com", "Technician").await;
    answer(write(&other)).await.refused(403, "forbidden");
    luc.patch(JOB, json!({ "cause": "Worn to 2 mm" }))
        .await
        .refused(403, "forbidden");
}

#[tokio::test]
async fn a_story_written_by_hand_is_checked_against_the_order_as_an_interviews_is() {
    let Shop {
        server: _server,
        owner,
        ..
    } = shop().await;
    let invented = "Measured 0.35 mm of runout.";
    let refused = owner.patch(JOB, json!({ "techStory": invented })).await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (422, &json!("unconfirmed")),
        "{refused:?}"
    );
    assert_eq!(refused.body["doubts"][0]["text"], "0.35 mm");
    let confirmed = json!({ "techStory": invented, "confirmed": ["0.35 mm"] });
    owner.patch(JOB, confirmed).await.good();
    let versions = owner.get(&format!("{JOB}/stories")).await.result();
    assert_eq!(
        (&versions[0]["kind"], &versions[0]["confirmed"]),
        (&json!("edited"), &json!(["0.35 mm"]))
    );
    // What the story said already needs no second word, nor what the notes say.
    let again = json!({
        "briefTechNotes": "Front pads at 2 mm",
        "techStory": "Runout 0.35 mm, pads 2 mm.",
    });
    owner.patch(JOB, again).await.good();
    let versions = owner.get(&format!("{JOB}/stories")).await.result();
    assert_eq!(versions[0]["confirmed"], json!([]));
}

#[tokio::test]
async fn a_user_who_also_becomes_a_technician_sees_less_and_is_signed_out() {
    let Shop { server, .. } = shop().await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let socket = advisor.listen(&server).await;
    let email = "advisor@example.com";
    let both = [
        "user",
        "role",
        email,
        "--role",
        "Advisor",
        "--role",
        "Technician",
    ];
    server.shop.run(&both).await.good();
    let output = socket.until_closed().await;
    assert_eq!(output, ["41"], "it is told not to come back by itself");
    advisor
        .get("/api/clocks")
        .await
        .refused(401, "unauthorized");
    let again = server.sign_in(email).await;
    assert_eq!(clocks(&again).await, Vec::<i64>::new());
    again
        .patch(JOB, json!({ "techStory": STORY }))
        .await
        .refused(403, "forbidden");
}
