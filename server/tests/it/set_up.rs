//! The first start: the link that a server without accounts prints, and the first owner that is made by it.

use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::{Duration, sleep, timeout};

use crate::fixture::{ANYWHERE, Answer, Desk, OWNER, PASSWORD, Server, Shop, WAIT_TIMEOUT};

/// A shop whose options say neither its name nor its zone.
async fn new_server() -> Server {
    Server::start_as(Shop::unplaced(), &ANYWHERE).await
}

/// The secret of the link that the server has printed after its address.
async fn printed_token(server: &mut Server) -> String {
    let says = server.next_line().await;
    assert!(says.starts_with("Nobody can sign in yet. "), "{says}");
    let link = server.next_line().await;
    let start = format!("  {}", server.url("/set-up#token="));
    let token = link
        .strip_prefix(&start)
        .unwrap_or_else(|| panic!("{link}"));
    assert_eq!(token.len(), 43, "256 bits");
    token.to_owned()
}

fn form(token: &str, email: &str) -> Value {
    json!({
        "token": token,
        "email": email,
        "name": "Olga Owner",
        "password": PASSWORD,
        "shopName": "Example Motors",
        "timeZone": "Europe/Berlin",
    })
}

async fn set_up(server: &Server, form: Value) -> Answer {
    server.post("/api/set-up", form).await
}

async fn check(server: &Server, token: &str) -> Answer {
    server
        .post("/api/set-up/check", json!({ "token": token }))
        .await
}

/// What the page is told before it asks anything.
async fn page_facts(server: &Server) -> String {
    let page = server.request(reqwest::Method::GET, "/login").send();
    page.await.unwrap().text().await.unwrap()
}

/// Waits until the server says so of a link.
async fn until_status(status: u16, server: &Server, token: &str) {
    let is_so = async {
        // A link that is not good is one of ten a minute.
        while check(server, token).await.status != status {
            sleep(Duration::from_secs(1)).await;
        }
    };
    timeout(WAIT_TIMEOUT, is_so).await.unwrap();
}

fn links_in_log(shop: &Shop) -> usize {
    shop.read("server.log").matches("/set-up#token=").count()
}

#[tokio::test]
async fn the_printed_link_makes_the_first_owner_and_works_once() {
    let mut server = new_server().await;
    let token = printed_token(&mut server).await;
    assert!(server.shop.read("server.log").contains(&token));
    let questions = json!({
        "shopName": null, "shopNameByOption": false, "timeZone": null, "timeZoneByOption": false,
    });
    assert_eq!(check(&server, &token).await.result(), questions);
    assert!(page_facts(&server).await.contains("awaitsSetUp&quot;:true"));

    let owner = Desk::new(
        &server,
        set_up(&server, form(&token, "Owner@Example.com")).await,
    );
    assert_eq!(owner.name, "Olga Owner");
    let me = owner.get("/api/auth/me").await.result();
    assert_eq!(
        (&me["email"], &me["roles"]),
        (&json!(OWNER), &json!(["Owner"]))
    );
    let events = owner
        .get("/api/audit?outcome=done&kind=sign-in,set-up,user-added")
        .await
        .result();
    let events: Vec<&Value> = events["events"].as_array().unwrap().iter().collect();
    let kinds: Vec<&Value> = events.iter().map(|event| &event["kind"]).collect();
    assert_eq!(kinds, ["sign-in", "set-up", "user-added"]);
    assert_eq!(
        (&events[1]["who"], &events[1]["about"]),
        (&json!(OWNER), &json!(OWNER))
    );

    for used in [
        set_up(&server, form(&token, "b@example.com")).await,
        check(&server, &token).await,
    ] {
        assert!(used.refused(409, "already-set-up").contains("sign in"));
    }
    let refused = owner
        .get("/api/audit?outcome=refused&kind=set-up")
        .await
        .result();
    assert_eq!(
        refused["events"][0]["reason"], "already-set-up",
        "{refused}"
    );

    // Also for whoever starts the server again.
    for _ in 0..2 {
        let facts = page_facts(&server).await;
        for fact in ["Example Motors", "Europe/Berlin", "awaitsSetUp&quot;:false"] {
            assert!(facts.contains(fact), "{fact}: {facts}");
        }
        server.sign_in(OWNER).await;
        server.sigterm().await;
        server.restart().await;
    }
    assert_eq!(
        links_in_log(&server.shop),
        1,
        "no start after that prints one"
    );
}

#[tokio::test]
async fn of_owners_who_are_made_at_once_there_is_one() {
    let mut server = new_server().await;
    let token = printed_token(&mut server).await;
    let forms = (0..8).map(|number| form(&token, &format!("owner{number}@example.com")));
    let answers = join_all(forms.map(|form| set_up(&server, form))).await;
    let (made, refused): (Vec<Answer>, Vec<Answer>) =
        answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(made.len(), 1);
    for answer in refused {
        answer.refused(409, "already-set-up");
    }
    let owner = Desk::new(&server, made.into_iter().next().unwrap());
    let users = owner.get("/api/users").await.result();
    assert_eq!(users.as_array().unwrap().len(), 1, "{users}");
}

#[tokio::test]
async fn two_servers_on_one_database_have_a_link_each_and_make_one_owner_together() {
    let database = Throwaway::postgres().await;
    let start = async || {
        let mut server = Server::start_in(Shop::on(&database), &[]).await;
        let token = printed_token(&mut server).await;
        (server, token)
    };
    let ((one, first), (other, second)) = (start().await, start().await);
    let (mut third, of_third) = start().await;
    // Each is good at all servers, as soon as they have heard of it, and for as long as its own one runs.
    for server in [&one, &other, &third] {
        for token in [&first, &second, &of_third] {
            until_status(200, server, token).await;
        }
    }
    third.sigkill().await;
    for server in [&one, &other] {
        until_status(400, server, &of_third).await;
        check(server, &first).await.good();
    }
    let (here, there) = tokio::join!(
        set_up(&one, form(&second, "one@example.com")),
        set_up(&other, form(&first, "other@example.com")),
    );
    let statuses = [here.status, there.status];
    assert!(
        statuses == [200, 409] || statuses == [409, 200],
        "{here:?} {there:?}"
    );
    let knows = async {
        for server in [&one, &other] {
            while !page_facts(server).await.contains("Example Motors") {
                sleep(Duration::from_millis(100)).await;
            }
        }
    };
    timeout(WAIT_TIMEOUT, knows)
        .await
        .expect("both know the shop's name");
}

#[tokio::test]
async fn a_restart_ends_the_link_and_prints_another() {
    let mut server = new_server().await;
    let before = printed_token(&mut server).await;
    server.sigkill().await;
    server.restart().await;
    let after = printed_token(&mut server).await;
    let sentence = check(&server, &before).await.refused(400, "invalid-link");
    assert!(
        sentence.contains("each start makes a new one"),
        "{sentence}"
    );
    set_up(&server, form(&before, OWNER))
        .await
        .refused(400, "invalid-link");
    set_up(&server, form(&after, OWNER)).await.good();
}

#[tokio::test]
async fn a_user_who_is_added_by_a_command_ends_the_link() {
    let shop = Shop::new();
    let mut server = Server::start_in(shop, &[]).await;
    let token = printed_token(&mut server).await;
    server.shop.add_user("ann@example.com", "Advisor").await;
    set_up(&server, form(&token, OWNER))
        .await
        .refused(409, "already-set-up");
    check(&server, &token).await.refused(409, "already-set-up");
    assert!(
        page_facts(&server)
            .await
            .contains("awaitsSetUp&quot;:false")
    );
}

#[tokio::test]
async fn wrong_links_are_counted_and_the_right_one_waits_for_nobody() {
    let mut server = new_server().await;
    let token = printed_token(&mut server).await;
    let wrong = format!("{}x", &token[1..]);
    let mut refused = Vec::new();
    for _ in 0..12 {
        refused.push(set_up(&server, form(&wrong, OWNER)).await.status);
    }
    assert_eq!(refused[..10], [400; 10]);
    assert_eq!(refused[11], 429, "{refused:?}");
    let limited = check(&server, "").await;
    limited.refused(429, "too-many-requests");
    assert!(limited.headers.contains_key("retry-after"));
    let owner = Desk::new(&server, set_up(&server, form(&token, OWNER)).await);
    let events = owner
        .get("/api/audit?outcome=refused&kind=set-up")
        .await
        .result();
    let reasons = events["events"].as_array().unwrap().iter();
    let reasons: Vec<&Value> = reasons.map(|event| &event["reason"]).collect();
    assert!(reasons.contains(&&json!("invalid-link")), "{events}");
}

#[tokio::test]
async fn what_is_mistyped_is_said_and_leaves_the_link_as_it_is() {
    let mut server = new_server().await;
    let token = printed_token(&mut server).await;
    for (field, value, code, says) in [
        ("email", "nobody", "invalid-email", "name@example.com"),
        ("name", " ", "invalid-request", "Your name is missing"),
        ("password", "short", "weak-password", "at least 8"),
        (
            "password",
            "Olga Owner",
            "common-password",
            "choose another",
        ),
        (
            "shopName",
            "",
            "invalid-request",
            "The shop's name is missing",
        ),
        (
            "timeZone",
            "Mars/North",
            "invalid-request",
            "no time zone Mars/North",
        ),
    ] {
        let mut form = form(&token, OWNER);
        form[field] = json!(value);
        let sentence = set_up(&server, form).await.refused(400, code);
        assert!(sentence.contains(says), "{field}: {sentence}");
    }
    set_up(&server, form(&token, OWNER)).await.good();
}

#[tokio::test]
async fn what_an_option_says_is_not_asked_for_and_stays() {
    let options = [
        "--brand-name",
        "Option Motors",
        "--public-url",
        "https://desk.example.com",
    ];
    let mut server = Server::start_in(Shop::new(), &options).await;
    server.next_line().await;
    let link = server.next_line().await;
    let token = link
        .strip_prefix("  https://desk.example.com/set-up#token=")
        .expect(&link);
    let questions = json!({
        "shopName": "Option Motors", "shopNameByOption": true,
        "timeZone": "America/Chicago", "timeZoneByOption": true,
    });
    assert_eq!(check(&server, token).await.result(), questions);
    set_up(&server, form(token, OWNER)).await.good();
    let facts = page_facts(&server).await;
    assert!(
        facts.contains("Option Motors") && facts.contains("America/Chicago"),
        "{facts}"
    );
}

#[tokio::test]
async fn a_shop_with_accounts_prints_no_link() {
    let server = Server::demo().await;
    check(&server, "").await.refused(409, "already-set-up");
    assert_eq!(links_in_log(&server.shop), 0);
}
