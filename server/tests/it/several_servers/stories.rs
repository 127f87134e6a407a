//! Interviews whose requests land at one server or another.

use dispatch_actors::testing::Throwaway;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Desk, Server, Shop};
use crate::sample::sample_shop_in;
use crate::story_provider::{Provider, ProviderReply, openai, question};
use crate::tech_stories::{next, turn};

const YES: &str = "Yes";

/// Two servers with the orders of the sample, and the owner at each.
async fn two_servers(options: &[&str]) -> (Throwaway, [Server; 2], [Desk; 2]) {
    let database = Throwaway::postgres().await;
    let (first, owner) = sample_shop_in(Shop::on(&database), options).await;
    let second = Server::start_in(Shop::on(&database), options).await;
    let there = Desk::at(&second, &owner);
    (database, [first, second], [owner, there])
}

/// The same with a provider of interviews.
async fn with_provider() -> (Throwaway, [Server; 2], [Desk; 2], Provider) {
    let provider = Provider::start().await;
    let url = format!("{}/v1", provider.origin);
    let options = [
        "--story-provider",
        "openai",
        "--story-model",
        "llama3.1",
        "--story-url",
        &url,
    ];
    let (database, servers, desks) = two_servers(&options).await;
    (database, servers, desks, provider)
}

fn says_question(text: &str) -> ProviderReply {
    ProviderReply::Http("200 OK", openai(&question(text)))
}

#[tokio::test]
async fn an_interview_goes_on_at_whichever_server_the_next_request_lands() {
    let (_database, _servers, [here, there]) = two_servers(&[]).await;
    let mut turns: Vec<Value> = Vec::new();
    let mut id = Value::Null;
    let mut desks = [&here, &there].into_iter().cycle();
    let story = loop {
        let reply = next(desks.next().unwrap(), &id, &turns).await.result();
        // Asked again at the other, it says the same, and so does what the page loads.
        let other = desks.next().unwrap();
        id = reply["conversationId"].clone();
        assert_eq!(next(other, &id, &turns).await.result(), reply);
        let open = "/api/tech-stories/open?roNumber=104217&jobNumber=1";
        let open = here.get(open).await.result();
        assert_eq!((&open["conversationId"], &open["reply"]), (&id, &reply));
        desks.next();
        if reply["type"] == "techStory" {
            break reply["story"].clone();
        }
        turns.push(json!({ "question": reply["question"], "answer": YES }));
    };
    assert!(turns.len() > 2, "both servers were asked");
    let path = format!("/api/tech-stories/{}/save", id.as_str().unwrap());
    let save = json!({ "story": story, "confirmed": [] });
    there.post(&path, save).await.good();
    next(&here, &id, &turns)
        .await
        .refused(409, "conversation-ended");
    let versions = "/api/repair-orders/104217/jobs/1/stories";
    let versions = here.get(versions).await.result();
    assert_eq!(versions[0]["story"], story);
}

#[tokio::test]
async fn two_servers_that_are_asked_the_same_at_once_say_the_same() {
    let (_database, _servers, [here, there]) = two_servers(&[]).await;
    let (one, other) = tokio::join!(
        next(&here, &Value::Null, &[]),
        next(&there, &Value::Null, &[])
    );
    let reply = one.result();
    assert_eq!(other.result(), reply);
    let id = &reply["conversationId"];
    let turns = [json!({ "question": reply["question"], "answer": YES })];
    let (one, other) = tokio::join!(next(&here, id, &turns), next(&there, id, &turns));
    assert_eq!(one.result(), other.result());
}

#[tokio::test]
async fn a_turn_whose_server_dies_is_asked_again_at_another() {
    let (_database, [_first, mut second], [here, there], mut provider) = with_provider().await;
    provider.will_reply(says_question("Verified?"));
    let reply = next(&here, &Value::Null, &[]).await.result();
    provider.next_request().await;
    let id = &reply["conversationId"];
    let turns = [json!({ "question": "Verified?", "answer": YES })];
    provider.will_reply(ProviderReply::Nothing);
    let asking = there.request(Method::POST, "/api/tech-stories/next");
    let asking = tokio::spawn(asking.json(&turn(id, &turns)).send());
    provider.next_request().await;
    second.sigkill().await;
    asking.await.unwrap().unwrap_err();
    provider.will_reply(says_question("Parts kept?"));
    let reply = next(&here, id, &turns).await.result();
    assert_eq!(
        (&reply["conversationId"], &reply["question"]),
        (id, &json!("Parts kept?"))
    );
}

#[tokio::test]
async fn an_interview_that_is_cancelled_at_one_server_is_asked_no_further_at_another() {
    let (_database, _servers, [here, there], mut provider) = with_provider().await;
    provider.will_reply(says_question("Verified?"));
    let reply = next(&here, &Value::Null, &[]).await.result();
    provider.next_request().await;
    let id = &reply["conversationId"];
    let turns = [json!({ "question": "Verified?", "answer": YES })];
    provider.will_reply(ProviderReply::Nothing);
    let cancel = async {
        provider.next_request().await;
        let path = format!("/api/tech-stories/{}", id.as_str().unwrap());
        here.delete(&path).await.good();
        provider.was_left().await;
    };
    let (refused, ()) = tokio::join!(next(&there, id, &turns), cancel);
    refused.refused(409, "conversation-ended");
}
