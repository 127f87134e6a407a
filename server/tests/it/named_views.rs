//! Views of the desk that people name: their own, and those that they share.

use dispatch_actors::testing::Throwaway;
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, Server, Shop};

const VIEWS: &str = "/api/views";

async fn add(desk: &Desk, name: &str, shared: bool) -> Answer {
    let query = "tab=unassigned&q=toyota";
    let view = json!({ "name": name, "query": query, "shared": shared });
    desk.post(VIEWS, view).await
}

async fn names(desk: &Desk) -> Vec<String> {
    let views: Value = desk.get(VIEWS).await.result();
    let views = views.as_array().unwrap().iter();
    views
        .map(|view| view["name"].as_str().unwrap().to_owned())
        .collect()
}

fn address(view: &Value) -> String {
    format!("{VIEWS}/{}", view["viewId"].as_str().unwrap())
}

async fn views_are_their_authors_and_shared_ones_are_seen_by_all(shop: Shop) {
    let server = Server::start_in(shop, &[]).await;
    let ann = server.hire("ann@example.com", "Advisor").await;
    let bea = server.hire("bea@example.com", "Technician").await;
    let admin = server.hire("admin@example.com", "Admin").await;

    let own = add(&ann, "Waiting first", false).await.result();
    assert_eq!(own["version"], 1);
    assert_eq!(own["query"], "tab=unassigned&q=toyota");
    let shared = add(&ann, "Loaners", true).await.result();
    add(&bea, "waiting first", false).await.good();
    assert_eq!(names(&ann).await, ["Loaners", "Waiting first"]);
    assert_eq!(names(&bea).await, ["waiting first", "Loaners"]);
    let seen: Value = bea.get(VIEWS).await.result();
    assert_eq!(seen[1]["author"], shared["author"]);

    // One that is not shared is not there for others, and one that is shared only its author changes.
    for desk in [&bea, &admin] {
        let change = desk.patch(&address(&own), json!({ "shared": true })).await;
        change.refused(404, "unknown-view");
        let delete = desk.delete(&address(&own)).await;
        delete.refused(404, "unknown-view");
        let change = desk
            .patch(&address(&shared), json!({ "name": "Mine" }))
            .await;
        let sentence = change.refused(403, "forbidden");
        let author = shared["author"]["name"].as_str().unwrap();
        assert_eq!(sentence, format!("Only {author} can change this view"));
    }
    let refused = bea.delete(&address(&shared)).await;
    refused.refused(403, "forbidden");
    admin.delete(&address(&shared)).await.good();
    assert_eq!(names(&ann).await, ["Waiting first"]);

    // They go with the account.
    ann.patch(&address(&own), json!({ "shared": true }))
        .await
        .good();
    assert_eq!(names(&bea).await, ["waiting first", "Waiting first"]);
    let remove = ["user", "remove", "ann@example.com"];
    server.shop.run(&remove).await.good();
    assert_eq!(names(&bea).await, ["waiting first"]);
}

#[tokio::test]
async fn views_are_their_authors_and_shared_ones_are_seen_by_all_on_sqlite() {
    views_are_their_authors_and_shared_ones_are_seen_by_all(Shop::new()).await;
}

#[tokio::test]
async fn views_are_their_authors_and_shared_ones_are_seen_by_all_on_postgres() {
    let database = Throwaway::postgres().await;
    views_are_their_authors_and_shared_ones_are_seen_by_all(Shop::on(&database)).await;
}

async fn of_two_screens_that_change_a_view_the_second_is_told(shop: Shop) {
    let server = Server::start_in(shop, &[]).await;
    let ann = server.hire("ann@example.com", "Advisor").await;
    let view = add(&ann, "Mine", false).await.result();
    let change = json!({ "expectedVersion": 1, "query": "tab=pdi", "shared": true });
    let changed = ann.patch(&address(&view), change).await.result();
    let mut expected = view.clone();
    expected["version"] = json!(2);
    expected["query"] = json!("tab=pdi");
    expected["shared"] = json!(true);
    assert_eq!(changed, expected);

    let elsewhere = server.sign_in("ann@example.com").await;
    let stale = json!({ "expectedVersion": 1, "name": "Yours" });
    let refused = elsewhere.patch(&address(&view), stale).await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (409, &json!("stale-version"))
    );
    assert_eq!(refused.body["current"], changed);
    // Who names no version writes over any.
    let renamed = json!({ "name": "Yours" });
    let renamed = elsewhere.patch(&address(&view), renamed).await.result();
    assert_eq!(
        (&renamed["name"], &renamed["version"]),
        (&json!("Yours"), &json!(3))
    );
}

#[tokio::test]
async fn of_two_screens_that_change_a_view_the_second_is_told_on_sqlite() {
    of_two_screens_that_change_a_view_the_second_is_told(Shop::new()).await;
}

#[tokio::test]
async fn of_two_screens_that_change_a_view_the_second_is_told_on_postgres() {
    let database = Throwaway::postgres().await;
    of_two_screens_that_change_a_view_the_second_is_told(Shop::on(&database)).await;
}

#[tokio::test]
async fn an_author_has_each_name_once_and_at_most_fifty_views() {
    let (server, owner) = Server::with_owner().await;
    let first = add(&owner, "Überfällig", false).await.result();
    let refused = add(&owner, " überfällig ", true).await;
    let sentence = refused.refused(409, "view-exists");
    assert_eq!(sentence, "You already have a view called Überfällig");
    // Its own name is not another's.
    let case = json!({ "name": "ÜBERFÄLLIG" });
    owner.patch(&address(&first), case).await.good();

    for number in 2..=50 {
        add(&owner, &format!("View {number}"), false).await.good();
    }
    let refused = add(&owner, "One more", false).await;
    refused.refused(409, "too-many-views");
    let taken = json!({ "name": "view 50" });
    let refused = owner.patch(&address(&first), taken).await;
    refused.refused(409, "view-exists");
    // Each author has as many.
    let ann = server.hire("ann@example.com", "Advisor").await;
    add(&ann, "One more", false).await.good();
    owner.delete(&address(&first)).await.good();
    add(&owner, "One more", false).await.good();
}

#[tokio::test]
async fn a_view_that_is_sent_again_is_added_once() {
    let (_server, owner) = Server::with_owner().await;
    let view = json!({ "name": "Mine", "query": "", "shared": true });
    let first = owner.post_with_key(VIEWS, view.clone(), "1").await.result();
    let again = owner.post_with_key(VIEWS, view, "1").await.result();
    assert_eq!(first, again);
    assert_eq!(names(&owner).await, ["Mine"]);
}

#[tokio::test]
async fn a_view_is_a_name_and_the_query_of_an_address() {
    let (_server, owner) = Server::with_owner().await;
    let query = "q=".to_owned() + &"x".repeat(1_998);
    let longest = json!({ "name": "n".repeat(100), "query": query });
    let view = owner.post(VIEWS, longest).await.result();
    for wrong in [
        json!({ "name": "" }),
        json!({ "name": "two\nlines" }),
        json!({ "name": "n".repeat(101) }),
        json!({ "query": "q=".to_owned() + &"x".repeat(1_999) }),
        json!({ "query": "q=a b" }),
        json!({ "query": "q=\u{e4}" }),
        json!({ "query": null }),
        json!({ "shared": "yes" }),
    ] {
        let refused = owner.patch(&address(&view), wrong.clone()).await;
        refused.refused(400, "invalid-request");
        let mut new = json!({ "name": "Another", "query": "" });
        let members = wrong.as_object().unwrap().clone();
        new.as_object_mut().unwrap().extend(members);
        let refused = owner.post(VIEWS, new).await;
        refused.refused(400, "invalid-request");
    }
    assert_eq!(names(&owner).await, ["n".repeat(100)]);
}
