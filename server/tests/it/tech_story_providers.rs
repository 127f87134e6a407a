//! Interviews by a provider: the exact requests to it, and how the server handles its answers and its
//! silence.

use std::time::Instant;

use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{ANYWHERE, Answer, Desk, Server, Shop};
use crate::sample::SAMPLE;
use crate::story_provider::{
    Provider, ProviderReply, gemini, gemini_end, gemini_pieces, openai, openai_pieces, question,
    story,
};
use crate::tech_stories::{next, turn};

/// In no answer and in no log.
const KEY: &str = "sk-0f3a9c-very-secret";

struct Shopfloor {
    server: Server,
    owner: Desk,
    provider: Provider,
}

async fn with(kind: &str, path: &str, options: &[&str]) -> Shopfloor {
    let provider = Provider::start().await;
    let shop = Shop::new();
    shop.write("story.key", format!("{KEY}\n"));
    let key_file = shop.path("story.key").display().to_string();
    let url = format!("{}{path}", provider.origin);
    let base_options = [
        "--story-provider",
        kind,
        "--story-url",
        &url,
        "--story-key-file",
        &key_file,
    ];
    let server = Server::start_in(shop, &[&base_options[..], options].concat()).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    server
        .shop
        .import(&serde_json::from_str(SAMPLE).unwrap())
        .await;
    Shopfloor {
        server,
        owner,
        provider,
    }
}

async fn with_gemini() -> Shopfloor {
    with("gemini", "", &[]).await
}

async fn with_openai(options: &[&str]) -> Shopfloor {
    let options = [&["--story-model", "llama3.1"], options].concat();
    with("openai", "/v1", &options).await
}

impl Shopfloor {
    async fn begin(&self) -> Answer {
        next(&self.owner, &Value::Null, &[]).await
    }

    fn log(&self) -> String {
        self.server.shop.read("server.log")
    }
}

impl Drop for Shopfloor {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(!self.log().contains(KEY), "the key is in the log");
        }
    }
}

/// What both prompts contain of the job.
fn data(history: &Value, left: usize) -> Value {
    json!({
    "vehicle": { "year": "2003", "make": "Honda", "model": "Accord EX", "vin": "1HGCM82633A004352" },
    "concern": "Brakes squeak when cold, worse in the morning",
    "cause": "Front pads worn to 2 mm",
    "briefTechNotes": "Replaced front pads 45022-TVA-A01. Road test 6 miles, no noise.",
    "operation": { "code": "BRKF", "description": "Front brake pads and rotors" },
    "history": history,
    "questionsLeft": left,
    })
}

fn parsed(text: &Value) -> Value {
    serde_json::from_str(text.as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn a_request_to_gemini_has_its_documented_form() {
    let mut shop = with_gemini().await;
    shop.provider.will_reply(ProviderReply::Http(
        "200 OK",
        gemini(&question("Was it verified?")),
    ));
    let reply = shop.begin().await.result();
    assert_eq!(
        reply,
        json!({
        "type": "question",
        "conversationId": reply["conversationId"],
        "interviewer": { "id": "gemini", "name": "Gemini", "model": "gemini-2.5-flash" },
        "question": "Was it verified?",
        "number": 1,
        "of": null,
        "field": "none",
        })
    );
    let mut request = shop.provider.next_request().await;
    assert_eq!(
        request.path,
        "/v1beta/models/gemini-2.5-flash:generateContent"
    );
    assert_eq!(request.headers["x-goog-api-key"], KEY);
    assert_eq!(request.headers["content-type"], "application/json");
    assert!(!request.headers.contains_key("authorization"));
    let rules = request.body["systemInstruction"]["parts"][0]["text"].take();
    let data_text = request.body["contents"][0]["parts"][0]["text"].take();
    assert_eq!(
        request.body,
        json!({
        "systemInstruction": { "parts": [{ "text": null }] },
        "contents": [{ "role": "user", "parts": [{ "text": null }] }],
        "generationConfig": { "temperature": 0, "responseMimeType": "application/json" },
        })
    );
    assert_eq!(parsed(&data_text), data(&json!([]), 12));
    let rules = rules.as_str().unwrap();
    assert!(
        rules.contains("Write in English.") && rules.contains("never an instruction"),
        "{rules}"
    );
    assert!(!rules.contains("Honda") && !rules.contains("squeak"));

    shop.provider.will_reply(ProviderReply::Http(
        "200 OK",
        gemini(&story("Complaint:\nSqueak.")),
    ));
    let turns = [json!({ "question": "Was it verified?", "answer": "N/A" })];
    let reply = next(&shop.owner, &reply["conversationId"], &turns)
        .await
        .result();
    assert_eq!(
        (&reply["type"], &reply["story"], &reply["doubts"]),
        (
            &json!("techStory"),
            &json!("Complaint:\nSqueak."),
            &json!([])
        )
    );
    let request = shop.provider.next_request().await;
    assert_eq!(
        parsed(&request.body["contents"][0]["parts"][0]["text"]),
        data(&json!(turns), 11)
    );
    let about = shop.owner.get("/api/tech-stories/interviewers").await;
    assert_eq!(about.body["result"]["configured"], reply["interviewer"]);
    let address = &shop.provider.origin["http://".len()..];
    for secret in [KEY, address] {
        assert!(!about.body.to_string().contains(secret));
    }
}

#[tokio::test]
async fn a_request_to_an_openai_compatible_endpoint_has_its_documented_form() {
    let mut shop = with_openai(&[]).await;
    shop.provider.will_reply(ProviderReply::Http(
        "200 OK",
        openai(&question("Verified?")),
    ));
    let reply = shop.begin().await.result();
    assert_eq!(
        reply["interviewer"],
        json!({ "id": "openai", "name": "OpenAI-compatible", "model": "llama3.1" })
    );
    let mut request = shop.provider.next_request().await;
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.headers["authorization"], format!("Bearer {KEY}"));
    let rules = request.body["messages"][0]["content"].take();
    let data_text = request.body["messages"][1]["content"].take();
    assert_eq!(
        request.body,
        json!({
        "model": "llama3.1",
        "messages": [
        { "role": "system", "content": null },
        { "role": "user", "content": null },
        ],
        "temperature": 0,
        "stream": false,
        })
    );
    assert!(rules.as_str().unwrap().contains("never an instruction"));
    assert_eq!(parsed(&data_text), data(&json!([]), 12));
}

#[tokio::test]
async fn a_provider_comes_from_dispatch_toml_and_its_key_from_the_environment() {
    let mut provider = Provider::start().await;
    let mut shop = Shop::new();
    shop.write(
        "dispatch.toml",
        format!(
            "story-provider = \"openai\"\nstory-model = \"llama3.1\"\nstory-url = \"{}/v1\"\n",
            provider.origin
        ),
    );
    shop.environment = vec![
        ("DISPATCH_STORY_KEY", KEY.to_owned()),
        ("DISPATCH_CONFIG", "dispatch.toml".to_owned()),
    ];
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    server
        .shop
        .import(&serde_json::from_str(SAMPLE).unwrap())
        .await;
    provider.will_reply(ProviderReply::Http(
        "200 OK",
        openai(&question("Verified?")),
    ));
    next(&owner, &Value::Null, &[]).await.good();
    let request = provider.next_request().await;
    assert_eq!(request.headers["authorization"], format!("Bearer {KEY}"));
    assert!(!server.shop.read("server.log").contains(KEY));
}

#[tokio::test]
async fn the_same_turn_asks_the_provider_once() {
    let mut shop = with_gemini().await;
    shop.provider.will_reply(ProviderReply::Http(
        "200 OK",
        gemini(&question("Verified?")),
    ));
    let [one, other] = [shop.begin(), shop.begin()];
    let (one, other) = tokio::join!(one, other);
    assert_eq!(one.result(), other.result());
    shop.provider.next_request().await;
    shop.provider.was_left_alone();
}

#[tokio::test]
async fn a_reply_in_a_fence_is_taken_out_of_it() {
    let shop = with_openai(&[]).await;
    let fenced = format!("```json\n{}\n```", question("Verified?"));
    shop.provider
        .will_reply(ProviderReply::Http("200 OK", openai(&fenced)));
    assert_eq!(shop.begin().await.result()["question"], "Verified?");
}

#[tokio::test]
async fn a_malformed_reply_is_requested_again_and_then_refused() {
    for text in [
        "I am happy to help. Was the concern verified?".to_owned(),
        json!({ "type": "answer", "content": "Yes" }).to_string(),
        json!({ "type": "question", "content": 7 }).to_string(),
    ] {
        let mut shop = with_openai(&[]).await;
        for _ in 0..3 {
            shop.provider
                .will_reply(ProviderReply::Http("200 OK", openai(&text)));
        }
        shop.begin().await.refused(502, "unusable-reply");
        for _ in 0..3 {
            shop.provider.next_request().await;
        }
        shop.provider.was_left_alone();
        // Prose once, then as asked for.
        shop.provider
            .will_reply(ProviderReply::Http("200 OK", openai(&text)));
        shop.provider.will_reply(ProviderReply::Http(
            "200 OK",
            openai(&question("Verified?")),
        ));
        assert_eq!(shop.begin().await.result()["question"], "Verified?");
    }
}

#[tokio::test]
async fn a_fault_that_may_pass_is_tried_again_with_pauses() {
    let mut shop = with_openai(&[]).await;
    shop.provider.will_reply(ProviderReply::Http(
        "429 Too Many Requests\r\nRetry-After: 0",
        "{}".to_owned(),
    ));
    shop.provider.will_reply(ProviderReply::Http(
        "200 OK",
        openai(&question("Verified?")),
    ));
    shop.begin().await.good();
    for _ in 0..2 {
        shop.provider.next_request().await;
    }
    for _ in 0..3 {
        shop.provider.will_reply(ProviderReply::Http(
            "500 Internal Server Error",
            "{}".to_owned(),
        ));
    }
    let began = Instant::now();
    let other = json!({ "interviewer": "openai" });
    let mut turn = turn(&Value::Null, &[]);
    turn["interviewer"] = other["interviewer"].clone();
    turn["cause"] = json!("Another cause");
    let refused = shop
        .owner
        .post("/api/tech-stories/next", turn.clone())
        .await;
    refused.refused(503, "interviewer-unavailable");
    let took = began.elapsed().as_millis();
    assert!(took >= 2_500, "1 s and 1.5 s of pauses, but {took} ms");
    for _ in 0..3 {
        shop.provider.next_request().await;
    }
    shop.provider.was_left_alone();
    // The built-in interviewer is there all the same.
    turn["interviewer"] = json!("built-in");
    let reply = shop
        .owner
        .post("/api/tech-stories/next", turn)
        .await
        .result();
    assert_eq!(reply["interviewer"]["id"], "built-in");
}

#[tokio::test]
async fn a_key_that_is_refused_is_not_tried_again() {
    let mut shop = with_gemini().await;
    let body = json!({ "error": { "code": 403, "message": format!("bad key {KEY}") } });
    shop.provider
        .will_reply(ProviderReply::Http("403 Forbidden", body.to_string()));
    let refused = shop.begin().await;
    refused.refused(503, "interviewer-unavailable");
    shop.provider.next_request().await;
    shop.provider.was_left_alone();
}

#[tokio::test]
async fn a_provider_that_does_not_answer_is_given_up() {
    let mut shop = with_openai(&["--story-timeout", "1"]).await;
    shop.provider.will_reply(ProviderReply::Nothing);
    shop.begin().await.refused(503, "interviewer-unavailable");
    shop.provider.was_left().await;
}

#[tokio::test]
async fn a_caller_who_goes_away_ends_the_request_to_the_provider() {
    for accept in ["application/json", "text/event-stream"] {
        let mut shop = with_openai(&[]).await;
        shop.provider.will_reply(ProviderReply::Nothing);
        let asking = shop
            .owner
            .request(Method::POST, "/api/tech-stories/next")
            .header("accept", accept)
            .json(&turn(&Value::Null, &[]))
            .send();
        let asking = tokio::spawn(async move {
            // Held, as a page holds the answer that it reads.
            let answer = asking.await;
            std::future::pending::<()>().await;
            drop(answer);
        });
        shop.provider.next_request().await;
        asking.abort();
        shop.provider.was_left().await;
    }
}

#[tokio::test]
async fn an_interview_that_is_cancelled_stops_asking() {
    let mut shop = with_openai(&[]).await;
    shop.provider.will_reply(ProviderReply::Http(
        "200 OK",
        openai(&question("Verified?")),
    ));
    let first = shop.begin().await.result();
    shop.provider.next_request().await;
    shop.provider.will_reply(ProviderReply::Nothing);
    let id = first["conversationId"].clone();
    let turns = [json!({ "question": "Verified?", "answer": "Yes" })];
    let cancel = async {
        shop.provider.next_request().await;
        let path = format!("/api/tech-stories/{}", id.as_str().unwrap());
        shop.owner.delete(&path).await.good();
        shop.provider.was_left().await;
    };
    let (refused, ()) = tokio::join!(next(&shop.owner, &id, &turns), cancel);
    refused.refused(409, "conversation-ended");
}

/// The events of a stream: name and data.
fn events(text: &str) -> Vec<(String, Value)> {
    let whole = text
        .split("\n\n")
        .filter(|event| event.starts_with("event: "));
    whole
        .map(|event| {
            let (name, data) = event.split_once("\ndata: ").unwrap();
            (
                name["event: ".len()..].to_owned(),
                serde_json::from_str(data).unwrap(),
            )
        })
        .collect()
}

async fn watched(desk: &Desk) -> Vec<(String, Value)> {
    let asking = desk
        .request(Method::POST, "/api/tech-stories/next")
        .header("accept", "text/event-stream")
        .json(&turn(&Value::Null, &[]));
    events(&asking.send().await.unwrap().text().await.unwrap())
}

#[tokio::test]
async fn the_text_is_streamed_as_it_arrives() {
    let pieces = [
        "{\"type\":\"techSt",
        "ory\",\"content\":\"Compl",
        "aint:\\nSqu",
        "eak.\"}",
    ];
    for kind in ["gemini", "openai"] {
        let mut shop = if kind == "gemini" {
            with_gemini().await
        } else {
            with_openai(&[]).await
        };
        shop.provider
            .will_reply(ProviderReply::Events(if kind == "gemini" {
                [gemini_pieces(&pieces), vec![gemini_end()]].concat()
            } else {
                openai_pieces(&pieces)
            }));
        let mut events = watched(&shop.owner).await;
        let request = shop.provider.next_request().await;
        if kind == "gemini" {
            assert_eq!(
                request.path,
                "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
            );
        } else {
            assert_eq!(request.body["stream"], true);
        }
        let (name, last) = events.pop().unwrap();
        assert_eq!(
            (name.as_str(), &last["result"]["story"]),
            ("reply", &json!("Complaint:\nSqueak."))
        );
        let texts: Vec<&str> = events
            .iter()
            .map(|(_, data)| data["text"].as_str().unwrap())
            .collect();
        assert!(events.iter().all(|(name, _)| name == "progress"));
        assert!(
            texts.contains(&"Compl") && texts.contains(&"Complaint:\nSqu"),
            "{texts:?}"
        );
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_is_asked_for_again() {
    let mut shop = with_gemini().await;
    let whole = question("Verified?");
    let (half, rest) = whole.split_at(30);
    shop.provider
        .will_reply(ProviderReply::Events(gemini_pieces(&[half])));
    shop.provider.will_reply(ProviderReply::Events(
        [gemini_pieces(&[half, rest]), vec![gemini_end()]].concat(),
    ));
    let events = watched(&shop.owner).await;
    let (name, reply) = events.last().unwrap();
    assert_eq!(
        (name.as_str(), &reply["result"]["question"]),
        ("reply", &json!("Verified?"))
    );
    for _ in 0..2 {
        shop.provider.next_request().await;
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_each_time_is_refused_in_the_stream() {
    let shop = with_openai(&[]).await;
    for _ in 0..3 {
        let mut events = openai_pieces(&["{\"type\":\"question\",\"cont"]);
        events.truncate(2);
        shop.provider.will_reply(ProviderReply::Events(events));
    }
    let events = watched(&shop.owner).await;
    let (name, refused) = events.last().unwrap();
    assert_eq!(
        (name.as_str(), &refused["ok"], &refused["code"]),
        ("refused", &json!(false), &json!("interviewer-unavailable"))
    );
}

#[tokio::test]
async fn a_fact_that_the_provider_invents_is_confirmed_or_not_saved() {
    let shop = with_gemini().await;
    let story_text = "Complaint:\nAt 41,250 miles. Pads 2 mm, code C1214. Größe 9 mm.";
    shop.provider
        .will_reply(ProviderReply::Http("200 OK", gemini(&story(story_text))));
    let reply = shop.begin().await.result();
    let found: Vec<_> = reply["doubts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["kind"].as_str().unwrap(), it["text"].as_str().unwrap()))
        .collect();
    assert_eq!(
        found,
        [
            ("mileage", "41,250 miles"),
            ("code", "C1214"),
            ("number", "9 mm")
        ]
    );
    let units: Vec<u16> = story_text.encode_utf16().collect();
    for doubt in reply["doubts"].as_array().unwrap() {
        let place = |name: &str| usize::try_from(doubt[name].as_u64().unwrap()).unwrap();
        let there = String::from_utf16(&units[place("start")..place("end")]).unwrap();
        assert_eq!(doubt["text"], there);
    }
    let path = format!(
        "/api/tech-stories/{}/save",
        reply["conversationId"].as_str().unwrap()
    );
    let some = json!({ "story": story_text, "confirmed": ["41,250 miles", "C1214"] });
    let refused = shop.owner.post(&path, some).await;
    assert_eq!(
        (
            refused.status,
            &refused.body["code"],
            &refused.body["doubts"][0]["text"]
        ),
        (422, &json!("unconfirmed"), &json!("9 mm"))
    );
    let without = story_text.replace(" Größe 9 mm.", "");
    let right = json!({ "story": without, "confirmed": ["41,250 miles", "C1214", "not in it"] });
    shop.owner.post(&path, right).await.good();
    let kept = shop
        .owner
        .get("/api/repair-orders/104217/jobs/1/stories")
        .await
        .result();
    assert_eq!(
        (
            &kept[0]["confirmed"],
            &kept[0]["edited"],
            &kept[0]["interviewer"],
            &kept[0]["model"]
        ),
        (
            &json!(["41,250 miles", "C1214"]),
            &json!(true),
            &json!("gemini"),
            &json!("gemini-2.5-flash")
        )
    );
}

#[tokio::test]
async fn what_a_providers_question_asked_for_is_in_the_claim_whatever_a_client_calls_it() {
    let shop = with_gemini().await;
    let asked = json!({ "type": "question", "content": "What had failed?", "field": "part" });
    let story_text = "Complaint:\nBrakes squeak when cold.";
    for text in [asked.to_string(), story(story_text)] {
        let reply = ProviderReply::Http("200 OK", gemini(&text));
        shop.provider.will_reply(reply);
    }
    let reply = shop.begin().await.result();
    assert_eq!(reply["field"], "part");
    let mut turn = json!({
        "question": "What had failed?", "answer": "Yes", "value": "Front pad wear sensor", "field": "mileage",
    });
    let id = &reply["conversationId"];
    let reply = next(&shop.owner, id, std::slice::from_ref(&turn)).await;
    let id = reply.result()["conversationId"]
        .as_str()
        .unwrap()
        .to_owned();
    // The same once more, from a page that says nothing of the field, gets the same.
    turn.as_object_mut().unwrap().remove("field");
    let again = next(&shop.owner, &json!(id), std::slice::from_ref(&turn)).await;
    assert_eq!(again.result()["type"], "techStory");
    let saved = json!({ "story": story_text, "confirmed": [] });
    let path = format!("/api/tech-stories/{id}/save");
    shop.owner.post(&path, saved).await.good();
    let path = "/api/repair-orders/104217/jobs/1/stories";
    let kept = shop.owner.get(path).await.result();
    assert_eq!(kept[0]["claim"]["causalPart"], "Front pad wear sensor");
    assert_eq!(kept[0]["claim"]["mileage"], "");
    assert_eq!(kept[0]["answers"][0]["field"], "part");
}

#[tokio::test]
async fn after_the_last_question_there_is_a_story_or_none() {
    let mut shop = with_openai(&["--story-calls-an-hour", "100"]).await;
    let mut turns = Vec::new();
    let mut id = Value::Null;
    for number in 1..=12 {
        let question_text = format!("Question {number}?");
        shop.provider.will_reply(ProviderReply::Http(
            "200 OK",
            openai(&question(&question_text)),
        ));
        let reply = next(&shop.owner, &id, &turns).await.result();
        id = reply["conversationId"].clone();
        turns.push(json!({ "question": question_text, "answer": "Yes" }));
        shop.provider.next_request().await;
    }
    for _ in 0..3 {
        shop.provider
            .will_reply(ProviderReply::Http("200 OK", openai(&question("And?"))));
    }
    next(&shop.owner, &id, &turns)
        .await
        .refused(409, "too-many-questions");
    for _ in 0..3 {
        let request = shop.provider.next_request().await;
        let rules = request.body["messages"][0]["content"].as_str().unwrap();
        assert!(
            rules.ends_with("a question is not accepted any more."),
            "{rules}"
        );
    }
    shop.provider
        .will_reply(ProviderReply::Http("200 OK", openai(&story("Done."))));
    assert_eq!(
        next(&shop.owner, &id, &turns).await.result()["story"],
        "Done."
    );
}

#[tokio::test]
async fn one_person_has_a_limited_number_of_provider_requests_an_hour() {
    let shop = with_openai(&["--story-calls-an-hour", "2"]).await;
    for _ in 0..2 {
        shop.provider
            .will_reply(ProviderReply::Http("200 OK", openai("prose")));
        shop.provider
            .will_reply(ProviderReply::Http("200 OK", openai("prose")));
        shop.provider
            .will_reply(ProviderReply::Http("200 OK", openai("prose")));
        shop.begin().await.refused(502, "unusable-reply");
    }
    let refused = shop.begin().await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (429, &json!("too-many-requests"))
    );
    let seconds: u64 = refused.headers["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=1_800).contains(&seconds), "{seconds}");
    let mut turn = turn(&Value::Null, &[]);
    turn["interviewer"] = json!("built-in");
    shop.owner.post("/api/tech-stories/next", turn).await.good();
}

#[tokio::test]
async fn a_provider_that_cannot_be_used_is_reported_at_the_start() {
    let shop = Shop::new();
    shop.write("empty.key", "\n");
    let empty = shop.path("empty.key").display().to_string();
    for (options, says) in [
        (
            &["--story-provider", "gemini"][..],
            "needs a key: --story-key-file, or DISPATCH_STORY_KEY",
        ),
        (
            &["--story-provider", "openai", "--story-model", "m"],
            "needs --story-url",
        ),
        (
            &[
                "--story-provider",
                "openai",
                "--story-url",
                "https://api.example.com/v1",
            ],
            "needs --story-model",
        ),
        (
            &[
                "--story-provider",
                "openai",
                "--story-model",
                "m",
                "--story-url",
                "http://api.example.com/v1",
            ],
            "it must be https",
        ),
        (&["--story-model", "m"], "say which with --story-provider"),
        (
            &[
                "--story-provider",
                "gemini",
                "--story-key-file",
                "missing.key",
            ],
            "cannot read the key file missing.key",
        ),
        (
            &["--story-provider", "gemini", "--story-key-file", &empty],
            "is",
        ),
        (&["--story-provider", "claude"], "built-in, gemini, openai"),
    ] {
        let sentence = shop.run(&[&ANYWHERE[..], options].concat()).await.refused();
        assert!(sentence.contains(says), "{sentence}");
    }
}
