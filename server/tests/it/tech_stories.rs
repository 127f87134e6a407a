//! Interviews by the built-in interviewer, from the first question to a saved story, and the versions of
//! a story.

use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, answer};
use crate::sample::sample_shop;

const JOB: &str = "/api/repair-orders/104217/jobs/1";

/// A turn about job 1 of 104217.
pub fn turn(id: &Value, conversation: &[Value]) -> Value {
    json!({
        "roNumber": 104217,
        "jobNumber": 1,
        "conversationId": id,
        "cause": "Front pads worn to 2 mm",
        "briefTechNotes": "Replaced front pads 45022-TVA-A01. Road test 6 miles, no noise.",
        "language": "en",
        "conversation": conversation,
    })
}

pub async fn next(desk: &Desk, id: &Value, conversation: &[Value]) -> Answer {
    desk.post("/api/tech-stories/next", turn(id, conversation))
        .await
}

/// Answers Yes until the story is there: the turns, and the last reply.
async fn finish_interview(desk: &Desk) -> (Vec<Value>, Value) {
    let mut turns = Vec::new();
    let mut id = Value::Null;
    loop {
        let reply = next(desk, &id, &turns).await.result();
        id = reply["conversationId"].clone();
        if reply["type"] == "techStory" {
            return (turns, reply);
        }
        assert_eq!(reply["number"], turns.len() + 1);
        // As it is kept: with what the question asked for.
        let mut turn = json!({ "question": reply["question"], "answer": "Yes" });
        if reply["field"] != "none" {
            turn["field"] = reply["field"].clone();
        }
        turns.push(turn);
    }
}

async fn save(desk: &Desk, reply: &Value, story: &Value) -> Answer {
    let id = reply["conversationId"].as_str().unwrap();
    let path = format!("/api/tech-stories/{id}/save");
    desk.post(&path, json!({ "story": story, "confirmed": [] }))
        .await
}

async fn versions(desk: &Desk) -> Vec<Value> {
    let versions = desk.get(&format!("{JOB}/stories")).await.result();
    versions.as_array().unwrap().clone()
}

async fn story_of_job(desk: &Desk) -> Value {
    let order = desk.get("/api/repair-orders/104217").await.result();
    order["jobs"][0]["techStory"].clone()
}

#[tokio::test]
async fn an_interview_ends_in_a_saved_story_that_is_broadcast() {
    let (server, owner) = sample_shop().await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let mut socket = advisor.listen(&server).await;
    let (turns, reply) = finish_interview(&owner).await;
    // Whether it was verified, hydraulics, the old parts and the mileage: the rest was entered.
    assert_eq!(turns.len(), 4);
    assert_eq!(
        reply["interviewer"],
        json!({ "id": "built-in", "name": "Built-in", "model": null })
    );
    assert_eq!(reply["doubts"], json!([]));
    assert_eq!(
        reply["claim"],
        json!({
            "operationCode": "BRKF",
            "operationDescription": "Front brake pads and rotors",
            "causalPart": "Front pads",
            "partNumbers": ["45022-TVA-A01"],
            "troubleCodes": [],
            "measurements": ["Front pads worn to 2 mm"],
            "bulletin": "",
            "mileage": "",
        })
    );
    let story = &reply["story"];
    let text = story.as_str().unwrap();
    for fragment in [
        "Complaint:\nConcern on the repair order: Brakes squeak when cold, worse in the morning.",
        "Calipers, hoses and lines were inspected. Front pads worn to 2 mm.",
        "Correction:\nReplaced front pads 45022-TVA-A01. Road test 6 miles, no noise.",
    ] {
        assert!(text.contains(fragment), "{text}");
    }
    assert_eq!(story_of_job(&owner).await, "", "it is not saved yet");
    let changed = save(&owner, &reply, story).await.result();
    let event = socket.modified().await;
    assert_eq!(
        (&event["action"], &event["seq"], &event["by"]["uid"]),
        (&json!("JOB_CHANGED"), &changed["seq"], &json!(owner.uid))
    );
    assert_eq!(&story_of_job(&advisor).await, story);
    let kept = versions(&advisor).await;
    assert_eq!(kept.len(), 1);
    assert_eq!(
        kept[0],
        json!({
            "seq": changed["seq"],
            "at": kept[0]["at"],
            "by": { "uid": owner.uid, "name": owner.name },
            "channel": "desk",
            "kind": "interview",
            "interviewer": "built-in",
            "model": null,
            "cause": "Front pads worn to 2 mm",
            "briefTechNotes": "Replaced front pads 45022-TVA-A01. Road test 6 miles, no noise.",
            "answers": turns,
            "confirmed": [],
            "edited": false,
            "restoredFrom": null,
            "claim": reply["claim"],
            "story": story,
            "current": true,
        })
    );
    let history = advisor
        .get("/api/repair-orders/104217/history")
        .await
        .result();
    let change = &history[0]["changes"][0];
    assert_eq!(
        (
            &change["field"],
            &change["jobNumber"],
            &change["interviewer"]
        ),
        (&json!("techStory"), &json!(1), &json!("built-in"))
    );
    assert_eq!(
        save(&owner, &reply, story)
            .await
            .refused(409, "conversation-ended"),
        "This interview has ended"
    );
}

#[tokio::test]
async fn a_story_is_edited_undone_and_restored() {
    let (_server, owner) = sample_shop().await;
    let (turns, reply) = finish_interview(&owner).await;
    let first = save(&owner, &reply, &reply["story"]).await.result();
    owner
        .patch(JOB, json!({ "techStory": "By hand." }))
        .await
        .good();
    owner
        .post("/api/repair-orders/104217/undo", json!({}))
        .await
        .good();
    owner.patch(JOB, json!({ "techStory": "" })).await.good();
    let seq = &first["seq"];
    let restored = owner
        .post(&format!("{JOB}/stories/{seq}/restore"), json!({}))
        .await
        .result();
    assert_eq!(story_of_job(&owner).await, reply["story"]);
    let kept = versions(&owner).await;
    let summary: Vec<_> = kept
        .iter()
        .map(|it| {
            (
                it["kind"].as_str().unwrap(),
                it["current"].as_bool().unwrap(),
                &it["interviewer"],
            )
        })
        .collect();
    assert_eq!(
        summary,
        [
            ("restored", true, &json!("built-in")),
            ("edited", false, &Value::Null),
            ("undone", false, &Value::Null),
            ("edited", false, &Value::Null),
            ("interview", false, &json!("built-in")),
        ]
    );
    assert_eq!(
        (&kept[0]["restoredFrom"], &kept[0]["answers"]),
        (seq, &json!(turns))
    );
    // A change to what the job already says makes no event.
    let again = owner
        .post(
            &format!("{JOB}/stories/{}/restore", restored["seq"]),
            json!({}),
        )
        .await
        .result();
    assert_eq!(again["seq"], Value::Null);
    for (version, code) in [("999999", "unknown-version"), ("1", "unknown-version")] {
        let path = format!("{JOB}/stories/{version}/restore");
        owner.post(&path, json!({})).await.refused(404, code);
    }
    let stale = json!({ "expectedVersion": 1 });
    let refused = owner
        .post(&format!("{JOB}/stories/{seq}/restore"), stale)
        .await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (409, &json!("stale-version"))
    );
}

#[tokio::test]
async fn an_imported_story_is_a_version_without_an_author() {
    let (server, owner) = sample_shop().await;
    let order = json!([{
        "repairOrderNumber": 777,
        "jobs": [{ "jobNumber": 1, "concern": "Noise", "techStory": "Tightened the shield." }],
    }]);
    server.shop.import(&order).await;
    let path = "/api/repair-orders/777/jobs/1/stories";
    let versions = owner.get(path).await.result();
    let only = &versions[0];
    assert_eq!(
        (
            &only["kind"],
            &only["by"],
            &only["channel"],
            &only["story"],
            &only["current"]
        ),
        (
            &json!("imported"),
            &Value::Null,
            &json!("import"),
            &json!("Tightened the shield."),
            &json!(true)
        )
    );
    assert_eq!(versions.as_array().unwrap().len(), 1);
    for (path, code) in [
        (
            "/api/repair-orders/778/jobs/1/stories",
            "unknown-repair-order",
        ),
        ("/api/repair-orders/777/jobs/2/stories", "unknown-job"),
    ] {
        owner.get(path).await.refused(404, code);
    }
}

#[tokio::test]
async fn an_interview_continues_after_a_reload_and_after_a_restart() {
    let (mut server, owner) = sample_shop().await;
    let open = "/api/tech-stories/open?roNumber=104217&jobNumber=1";
    assert_eq!(owner.get(open).await.result(), Value::Null);
    let first = next(&owner, &Value::Null, &[]).await.result();
    assert_eq!((&first["number"], &first["of"]), (&json!(1), &json!(4)));
    // Begun again with the same: the same interview.
    assert_eq!(next(&owner, &Value::Null, &[]).await.result(), first);
    let id = &first["conversationId"];
    let turns = [json!({ "question": first["question"], "answer": "No" })];
    let second = next(&owner, id, &turns).await.result();
    assert_eq!(
        next(&owner, id, &turns).await.result(),
        second,
        "sent again"
    );
    server.sigterm().await;
    server.restart().await;
    let owner = Desk::at(&server, &owner);
    let found = owner.get(open).await.result();
    assert_eq!(found["conversation"], json!(turns));
    assert_eq!((&found["reply"], &found["conversationId"]), (&second, id));
    assert_eq!(
        (&found["cause"], &found["language"]),
        (&json!("Front pads worn to 2 mm"), &json!("en"))
    );
    for (conversation, what) in [
        (vec![], "fewer turns"),
        (
            vec![json!({ "question": first["question"], "answer": "Yes" })],
            "another answer",
        ),
        (
            vec![
                turns[0].clone(),
                json!({ "question": "Else?", "answer": "Yes" }),
            ],
            "another question",
        ),
    ] {
        let refused = next(&owner, id, &conversation).await;
        assert_eq!(refused.body["code"], "conversation-moved-on", "{what}");
    }
    next(&owner, &Value::Null, &turns)
        .await
        .refused(409, "conversation-moved-on");
    let stranger = server.hire("advisor@example.com", "Advisor").await;
    next(&stranger, id, &turns)
        .await
        .refused(404, "unknown-conversation");
    assert_eq!(stranger.get(open).await.result(), Value::Null);
    let unfinished = json!({ "story": "Done.", "confirmed": [] });
    let path = format!("/api/tech-stories/{}/save", id.as_str().unwrap());
    owner
        .post(&path, unfinished)
        .await
        .refused(409, "story-not-finished");
    let path = format!("/api/tech-stories/{}", id.as_str().unwrap());
    stranger
        .delete(&path)
        .await
        .refused(404, "unknown-conversation");
    assert_eq!(
        owner.delete(&path).await.good(),
        json!({ "ok": true, "result": null })
    );
    owner.delete(&path).await.good();
    next(&owner, id, &turns)
        .await
        .refused(409, "conversation-ended");
    assert_eq!(owner.get(open).await.result(), Value::Null);
}

#[tokio::test]
async fn an_interview_that_began_long_ago_is_over() {
    let (server, owner) = sample_shop().await;
    let first = next(&owner, &Value::Null, &[]).await.result();
    let store = server.shop.store().await;
    use sea_orm::ConnectionTrait;
    store
        .writer()
        .execute_unprepared("UPDATE tech_story_conversations SET started_at = started_at - 7200001")
        .await
        .unwrap();
    let turns = [json!({ "question": first["question"], "answer": "No" })];
    next(&owner, &first["conversationId"], &turns)
        .await
        .refused(410, "conversation-expired");
    let open = "/api/tech-stories/open?roNumber=104217&jobNumber=1";
    assert_eq!(owner.get(open).await.result(), Value::Null);
    let anew = next(&owner, &Value::Null, &[]).await.result();
    assert_ne!(anew["conversationId"], first["conversationId"]);
}

#[tokio::test]
async fn a_story_that_is_saved_twice_with_one_key_is_saved_once() {
    let (_server, owner) = sample_shop().await;
    let (_, reply) = finish_interview(&owner).await;
    let path = format!(
        "/api/tech-stories/{}/save",
        reply["conversationId"].as_str().unwrap()
    );
    let body = json!({ "story": reply["story"], "confirmed": [] });
    let first = owner.post_with_key(&path, body.clone(), "one").await.good();
    assert_eq!(owner.post_with_key(&path, body, "one").await.good(), first);
    assert_eq!(versions(&owner).await.len(), 1);
}

#[tokio::test]
async fn a_story_that_is_saved_again_after_the_order_went_to_another_is_answered_as_before() {
    let (server, owner) = sample_shop().await;
    let technician = server.sign_in("jl@example.com").await;
    owner.assign(104217, 14).await.good();
    let (_, reply) = finish_interview(&technician).await;
    let path = format!(
        "/api/tech-stories/{}/save",
        reply["conversationId"].as_str().unwrap()
    );
    let body = json!({ "story": reply["story"], "confirmed": [] });
    let save = |key| technician.post_with_key(&path, body.clone(), key);
    let first = save("one").await.good();
    owner.unassign(104217, 14).await.good();
    assert_eq!(save("one").await.good(), first);
    save("another").await.refused(403, "forbidden");
}

#[tokio::test]
async fn an_edit_in_the_review_is_checked_and_reported() {
    let (_server, owner) = sample_shop().await;
    let (_, reply) = finish_interview(&owner).await;
    let edited = format!("{} Rotor runout 0.08 mm.", reply["story"].as_str().unwrap());
    let refused = save(&owner, &reply, &json!(edited)).await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (422, &json!("unconfirmed"))
    );
    let doubt = &refused.body["doubts"][0];
    assert_eq!(
        (&doubt["kind"], &doubt["text"]),
        (&json!("number"), &json!("0.08 mm"))
    );
    let path = format!(
        "/api/tech-stories/{}/save",
        reply["conversationId"].as_str().unwrap()
    );
    owner
        .post(&path, json!({ "story": edited, "confirmed": ["0.08 mm"] }))
        .await
        .good();
    let kept = versions(&owner).await;
    assert_eq!(
        (&kept[0]["edited"], &kept[0]["confirmed"]),
        (&json!(true), &json!(["0.08 mm"]))
    );
}

#[tokio::test]
async fn a_missing_or_too_long_text_is_refused() {
    let (_server, owner) = sample_shop().await;
    let ask = async |field: &str, value: Value| {
        let mut turn = turn(&Value::Null, &[]);
        turn[field] = value;
        owner.post("/api/tech-stories/next", turn).await
    };
    for field in ["cause", "briefTechNotes"] {
        let sentence = ask(field, json!(" \n"))
            .await
            .refused(400, "invalid-request");
        assert_eq!(sentence, "Please fill in both Cause and Brief Tech Notes");
    }
    ask("cause", json!("x".repeat(4_001)))
        .await
        .refused(400, "invalid-request");
    ask("briefTechNotes", json!("x".repeat(8_001)))
        .await
        .refused(400, "invalid-request");
    ask("language", json!("fr"))
        .await
        .refused(400, "invalid-request");
    ask(
        "conversation",
        json!([{ "question": "Q?", "answer": "Maybe" }]),
    )
    .await
    .refused(400, "invalid-request");
    ask("roNumber", json!(404))
        .await
        .refused(404, "unknown-repair-order");
    ask("jobNumber", json!(9)).await.refused(404, "unknown-job");
    ask("interviewer", json!("gemini"))
        .await
        .refused(409, "interviewer-not-configured");
    let about = owner.get("/api/tech-stories/interviewers").await.result();
    assert_eq!(
        about,
        json!({
            "configured": null,
            "builtIn": { "id": "built-in", "name": "Built-in", "model": null },
            "limits": {
                "questions": 12, "causeLength": 4000, "notesLength": 8000, "storyLength": 20000,
                "minutes": 120,
            },
        })
    );
}

#[tokio::test]
async fn a_technician_writes_about_their_own_orders() {
    let (server, owner) = sample_shop().await;
    let technician = server.sign_in("jl@example.com").await;
    let refused = next(&technician, &Value::Null, &[]).await;
    refused.refused(403, "forbidden");
    technician
        .get(&format!("{JOB}/stories"))
        .await
        .refused(403, "forbidden");
    owner.assign(104217, 14).await.good();
    next(&technician, &Value::Null, &[]).await.good();
    technician.get(&format!("{JOB}/stories")).await.good();
}

#[tokio::test]
async fn an_answer_can_be_watched() {
    let (server, owner) = sample_shop().await;
    let watched = server
        .request(Method::POST, "/api/tech-stories/next")
        .bearer_auth(&owner.token)
        .header("accept", "text/event-stream")
        .json(&turn(&Value::Null, &[]));
    let got = watched.send().await.unwrap();
    assert_eq!(got.headers()["content-type"], "text/event-stream");
    let text = got.text().await.unwrap();
    let reply = text.split("event: reply\ndata: ").nth(1).unwrap();
    let reply: Value = serde_json::from_str(reply.trim()).unwrap();
    assert_eq!(reply["result"]["type"], "question");
    // A fault of the request itself is reported as usual.
    let refused = owner
        .request(Method::POST, "/api/tech-stories/next")
        .header("accept", "text/event-stream")
        .json(&json!({ "cause": "x" }));
    answer(refused).await.refused(400, "invalid-request");
}

#[tokio::test]
async fn a_value_is_given_with_a_yes_and_stands_in_story_and_claim() {
    let (_server, owner) = sample_shop().await;
    let mut turns = Vec::new();
    let mut kept_turns = Vec::new();
    let mut id = Value::Null;
    let reply = loop {
        let reply = next(&owner, &id, &turns).await.result();
        id = reply["conversationId"].clone();
        if reply["type"] == "techStory" {
            break reply;
        }
        let mut turn = json!({ "question": reply["question"], "answer": "Yes" });
        if reply["field"] == "mileage" {
            turn["value"] = json!("41,250 mi");
        }
        let mut kept = turn.clone();
        if reply["field"] != "none" {
            kept["field"] = reply["field"].clone();
        }
        kept_turns.push(kept);
        turns.push(turn);
    };
    let text = reply["story"].as_str().unwrap();
    assert!(text.contains("Mileage: 41,250 mi."), "{text}");
    assert_eq!(reply["doubts"], json!([]));
    save(&owner, &reply, &reply["story"]).await.good();
    let kept = versions(&owner).await;
    assert_eq!(kept[0]["claim"]["mileage"], "41,250 mi");
    assert_eq!(kept[0]["answers"], json!(kept_turns));
    // With another answer, or empty, it is none; a long one is refused.
    let wrong = |answer: &str, value: &str| json!({ "question": "Was the odometer read?", "answer": answer, "value": value });
    let long = wrong("Yes", &"x".repeat(501));
    next(&owner, &Value::Null, &[long])
        .await
        .refused(400, "invalid-request");
    for (answer, value) in [("No", "41,250 mi"), ("N/A", " "), ("Yes", " \n")] {
        let first = next(&owner, &Value::Null, &[]).await.result();
        let id = &first["conversationId"];
        let mut turn = wrong(answer, value);
        turn["question"] = first["question"].clone();
        next(&owner, id, &[turn]).await.good();
        let open = "/api/tech-stories/open?roNumber=104217&jobNumber=1";
        let kept = owner.get(open).await.result()["conversation"][0].clone();
        assert_eq!(
            (&kept["answer"], &kept["value"]),
            (&json!(answer), &Value::Null)
        );
        let path = format!("/api/tech-stories/{}", id.as_str().unwrap());
        owner.delete(&path).await.good();
    }
}

#[tokio::test]
async fn a_story_that_says_nothing_is_not_saved_until_it_is_written() {
    let (_server, owner) = sample_shop().await;
    let mut turns = Vec::new();
    let mut id = Value::Null;
    let reply = loop {
        let mut turn = turn(&id, &turns);
        turn["cause"] = json!("n/a");
        turn["briefTechNotes"] = json!("done");
        let reply = owner.post("/api/tech-stories/next", turn).await.result();
        id = reply["conversationId"].clone();
        if reply["type"] == "techStory" {
            break reply;
        }
        turns.push(json!({ "question": reply["question"], "answer": "No" }));
    };
    let doubts = reply["doubts"].as_array().unwrap();
    assert!(
        doubts.iter().any(|doubt| doubt["kind"] == "missing"),
        "{reply}"
    );
    let path = format!("/api/tech-stories/{}/save", id.as_str().unwrap());
    let confirmed: Vec<&Value> = doubts.iter().map(|doubt| &doubt["text"]).collect();
    let body = json!({ "story": reply["story"], "confirmed": confirmed });
    let refused = owner.post(&path, body).await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (422, &json!("unconfirmed"))
    );
    let sentence = refused.body["error"].as_str().unwrap();
    assert!(
        sentence.contains("does not say what was found"),
        "{sentence}"
    );
    assert_eq!(story_of_job(&owner).await, "");
    let written = "Cause:\nFront pads worn.\n\nCorrection:\nCleaned the pads.";
    let body = json!({ "story": written, "confirmed": [] });
    owner.post(&path, body).await.good();
    assert_eq!(story_of_job(&owner).await, written);
}

#[tokio::test]
async fn a_shop_says_what_is_asked_about_an_operation_code() {
    let (server, owner) = sample_shop().await;
    let kinds = owner.get("/api/story-kinds").await.result();
    assert_eq!(kinds["codes"], json!([]));
    assert!(kinds["kinds"].as_array().unwrap().contains(&json!("leak")));
    let asked = next(&owner, &Value::Null, &[]).await.result()["of"].clone();
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    let put = async |desk: &Desk, pattern: &str, kind: Value| {
        let body = json!({ "pattern": pattern, "kind": kind });
        desk.put("/api/story-kinds", body).await
    };
    put(&advisor, "BRKF", json!("minor"))
        .await
        .refused(403, "forbidden");
    put(&owner, "BRKF", json!("nonsense"))
        .await
        .refused(400, "invalid-request");
    put(&owner, "B*K", json!("minor"))
        .await
        .refused(400, "invalid-opcode-pattern");
    let without_kind = json!({ "pattern": "BRKF" });
    owner
        .put("/api/story-kinds", without_kind)
        .await
        .refused(400, "invalid-request");
    let mut socket = advisor.listen(&server).await;
    for (pattern, kind) in [("b*", "noise"), ("brkf", "noise"), ("brkf", "minor")] {
        put(&owner, pattern, json!(kind)).await.good();
    }
    // Other screens load it again.
    socket.technicians_changed().await;
    let listed = advisor.get("/api/story-kinds").await.result();
    assert_eq!(
        listed["codes"],
        json!([{ "pattern": "B*", "kind": "noise" }, { "pattern": "BRKF", "kind": "minor" }])
    );
    // Of a wash nothing is asked that these notes do not say.
    let now = next(&advisor, &Value::Null, &[]).await.result();
    assert_eq!((&asked, &now["type"]), (&json!(4), &json!("techStory")));
    for pattern in ["brkf", "b*", "nosuch"] {
        put(&owner, pattern, Value::Null).await.good();
    }
    let listed = advisor.get("/api/story-kinds").await.result();
    assert_eq!(listed["codes"], json!([]));
}
