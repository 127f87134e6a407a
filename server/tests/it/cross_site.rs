//! Requests that pages of other sites make a browser send, and who a request is counted as behind
//! proxies.

use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::documented::documented;
use crate::fixture::{DEMO_PASSWORD, Desk, PASSWORD, Server, Shop, answer};

/// What browsers say of a page that is not ours.
const FOREIGN: [&[(&str, &str)]; 8] = [
    &[("Sec-Fetch-Site", "cross-site")],
    &[("Sec-Fetch-Site", "same-site")],
    &[
        ("Sec-Fetch-Site", "cross-site"),
        ("Origin", "https://evil.example"),
    ],
    &[("Sec-Fetch-Site", "cross-site"), ("Origin", "null")],
    &[("Origin", "https://evil.example")],
    &[("Origin", "http://127.0.0.1")],
    &[("Origin", "null")],
    &[("Origin", "")],
];

fn with(mut request: RequestBuilder, headers: &[(&str, &str)]) -> RequestBuilder {
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request
}

fn refresh(server: &Server, desk: &Desk) -> RequestBuilder {
    let request = server.request(Method::POST, "/api/auth/refresh");
    request.header("Cookie", &desk.cookie)
}

#[tokio::test]
async fn calls_authorized_by_the_cookie_are_refused_to_other_sites() {
    let (server, owner) = Server::with_owner().await;
    for foreign in FOREIGN {
        for path in [
            "/api/auth/refresh",
            "/api/auth/sign-out",
            "//api//auth//refresh",
        ] {
            let request = server.request(Method::POST, path);
            let request = with(request.header("Cookie", &owner.cookie), foreign);
            let refused = answer(request).await;
            refused.refused(403, "cross-site");
            assert!(!refused.headers.contains_key("set-cookie"), "{foreign:?}");
        }
    }
    // As an attacker writes the path when the plain one is refused.
    let escaped = server.request(Method::POST, "/%61pi/auth/refresh");
    let escaped = with(escaped.header("Cookie", &owner.cookie), FOREIGN[0]);
    answer(escaped).await.refused(403, "cross-site");
    owner.list().await;
}

#[tokio::test]
async fn a_plain_form_of_another_site_changes_nothing() {
    let (server, owner) = Server::with_owner().await;
    let body = json!({ "email": "owner@example.com", "password": PASSWORD }).to_string();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json",
    ] {
        for foreign in FOREIGN {
            let request = server
                .request(Method::POST, "/api/auth/sign-in")
                .header("Content-Type", kind)
                .body(body.clone());
            let refused = answer(with(request, foreign)).await;
            refused.refused(403, "cross-site");
            assert!(!refused.headers.contains_key("set-cookie"));
        }
    }
    // Where a browser sends no such header at all, a body without the JSON content type is not read
    // as JSON.
    let request = server
        .request(Method::POST, "/api/auth/sign-in")
        .header("Content-Type", "text/plain")
        .body(body);
    answer(request).await.refused(400, "invalid-request");
    owner.list().await;
}

#[tokio::test]
async fn every_call_that_changes_something_is_refused_to_other_sites() {
    let (server, owner) = Server::with_owner().await;
    let mut tried = 0;
    for call in documented(&server).await.calls {
        if call.method == Method::GET {
            continue;
        }
        let path = call.path.replace(['{', '}'], "");
        for foreign in [FOREIGN[0], FOREIGN[4]] {
            let request = with(owner.request(call.method.clone(), &path), foreign);
            let request = request.json(&call.body.clone().unwrap_or(json!({})));
            answer(request).await.refused(403, "cross-site");
            tried += 1;
        }
    }
    assert!(tried > 30, "{tried}");
}

#[tokio::test]
async fn the_servers_own_page_programs_and_named_pages_still_work() {
    let options = ["--allow-origin", "https://board.example"];
    let server = Server::start_in(Shop::new(), &options).await;
    server.shop.add_user("owner@example.com", "Owner").await;
    let own = server.url("");
    let behind_tls = own.replace("http:", "https:");
    for headers in [
        &[][..],
        &[("Sec-Fetch-Site", "same-origin")],
        &[("Sec-Fetch-Site", "none")],
        &[("Sec-Fetch-Mode", "cors")],
        &[("Origin", own.as_str())],
        &[("Origin", behind_tls.as_str())],
        &[("Origin", "https://board.example")],
        &[("Sec-Fetch-Site", "same-origin"), ("Origin", own.as_str())],
    ] {
        let owner = server.sign_in("owner@example.com").await;
        answer(with(refresh(&server, &owner), headers)).await.good();
    }
}

#[tokio::test]
async fn reading_calls_is_refused_to_pages_of_other_sites_and_visiting_is_not() {
    let (server, owner) = Server::with_owner().await;
    for foreign in FOREIGN {
        for path in [
            "/api/repair-orders",
            "/%61pi/repair-orders",
            "/api/board",
            "/api/openapi.json",
        ] {
            let refused = answer(with(owner.request(Method::GET, path), foreign)).await;
            refused.refused(403, "cross-site");
            assert_eq!(refused.headers["cache-control"], "no-store");
        }
    }
    let followed = [
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Mode", "navigate"),
        ("Sec-Fetch-Dest", "document"),
    ];
    let document = server.request(Method::GET, "/api/openapi.json");
    assert_eq!(answer(with(document, &followed)).await.status, 200);
    for headers in [&followed[..], FOREIGN[0]] {
        let page = with(server.request(Method::GET, "/"), headers).send().await;
        assert_ne!(page.unwrap().status(), 403, "a link to the desk in a mail");
    }
    let probe = with(server.request(Method::GET, "/healthz"), FOREIGN[0]);
    assert_eq!(answer(probe).await.status, 200);
}

#[tokio::test]
async fn a_refusal_without_a_credential_is_neither_counted_nor_recorded() {
    let server = Server::start_in(Shop::new(), &["--trusted-proxy", "127.0.0.1"]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let ask = async |method: Method, path: &str, token: Option<&str>| {
        let request = server.request(method, path);
        let request = request.header("X-Forwarded-For", "198.51.100.7");
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        answer(request).await
    };
    for _ in 0..MANY {
        let refused = ask(Method::GET, "/api/board?N", None).await;
        refused.refused(401, "unauthorized");
        let refused = ask(Method::POST, "/api/intake/repair-orders", None).await;
        refused.refused(401, "unauthorized");
    }
    let refused = "/api/audit?kind=board-refused,intake-key-refused";
    let events = async || owner.get(refused).await.result()["events"].clone();
    assert_eq!(events().await, json!([]));
    // A wrong credential is.
    let wrong = ask(Method::GET, "/api/board", Some("db_wrong")).await;
    wrong.refused(401, "unauthorized");
    let wrong = ask(Method::POST, "/api/intake/repair-orders", Some("dk_wrong"));
    wrong.await.refused(401, "unauthorized");
    assert_eq!(events().await.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn another_spelling_of_a_path_falls_under_the_same_rules() {
    let (server, owner) = Server::with_owner().await;
    for path in [
        "/api/auth/sessions",
        "/%61pi/auth/sessions",
        "/%61pi/%61uth/sessions",
    ] {
        let sessions = owner.get(path).await;
        assert_eq!(sessions.headers["cache-control"], "no-store", "{path}");
        sessions.good();
        let wrong = answer(owner.request(Method::PUT, path)).await;
        wrong.refused(405, "wrong-method");
    }
    let unknown = owner.get("/%61pi/nothing").await;
    unknown.refused(404, "unknown-route");
    let person = json!({ "name": "Ann", "roles": ["Advisor"] });
    let invitation = json!({ "data": { "email": "ann@example.com", "userData": person } });
    let invited = owner.post("/inviteUser", invitation).await;
    assert_eq!(invited.headers["cache-control"], "no-store");
    // A call is exempt from a rule by its exact path only.
    let packed = server
        .request(Method::POST, "/%61pi/auth/sign-in")
        .header("Content-Encoding", "gzip")
        .json(&json!({}));
    answer(packed).await.refused(415, "unsupported-encoding");
    for path in ["/%68ealthz", "/%61pi/auth/password-policy"] {
        let request = server.request(Method::GET, path);
        let request = request.header("Host", "evil.example");
        answer(request).await.refused(421, "unknown-host");
    }
}

/// How many wrong keys are taken before there were too many, `forwarded` saying whose each is.
async fn wrong_keys(server: &Server, forwarded: impl Fn(usize) -> String) -> usize {
    for tried in 0..MANY {
        let request = server
            .request(Method::POST, "/api/intake/repair-orders")
            .header("X-Forwarded-For", forwarded(tried))
            .bearer_auth("dk_wrong");
        let answered = answer(request.json(&json!([]))).await;
        if answered.status == 429 {
            return tried;
        }
        answered.refused(401, "unauthorized");
    }
    MANY
}

/// More than any address may try.
const MANY: usize = 150;

#[tokio::test]
async fn a_forged_client_address_gives_no_more_attempts() {
    let server = Server::start().await;
    let tried = wrong_keys(&server, |tried| format!("198.51.100.{tried}")).await;
    assert!(
        tried < MANY,
        "without a trusted proxy the header means nothing"
    );

    let trusting = ["--trusted-proxy", "10.0.0.0/8,127.0.0.1"];
    let server = Server::start_in(Shop::new(), &trusting).await;
    let tried = wrong_keys(&server, |tried| format!("203.0.113.{tried}, 198.51.100.7")).await;
    assert!(tried < MANY, "the proxy added who really asked");
    let tried = wrong_keys(&server, |tried| {
        format!("203.0.113.{tried}, 198.51.100.7, 10.0.0.1")
    });
    assert_eq!(tried.await, 0, "the same caller by way of two proxies");
    let tried = wrong_keys(&server, |tried| format!("198.51.100.7, 203.0.113.{tried}")).await;
    assert_eq!(tried, MANY, "everybody else has tries of their own");
}

#[tokio::test]
async fn a_whole_shop_behind_one_address_signs_in_at_the_same_moment() {
    let server = Server::demo().await;
    let people = ["owner", "admin", "advisor", "manager", "used", "tech"];
    let signing_in = (0..54).map(|number| {
        let email = format!("{}@example.com", people[number % people.len()]);
        let body = json!({ "email": email, "password": DEMO_PASSWORD });
        let request = server
            .request(Method::POST, "/api/auth/sign-in")
            .json(&body);
        let request = request.header("X-Forwarded-For", "198.51.100.7");
        async move { answer(request).await.good() }
    });
    join_all(signing_in).await;
}

#[tokio::test]
async fn a_proxy_that_is_no_address_is_refused() {
    for bad in ["proxy.example", "10.0.0.0/40", "*"] {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", bad];
        let refused = Shop::new().run(&arguments).await.refused();
        assert!(
            refused.contains("neither an address nor a network"),
            "{refused}"
        );
    }
}

/// As it is set.
async fn cookie_of_a_sign_in(server: &Server) -> String {
    server.shop.add_user("ann@example.com", "Owner").await;
    let credentials = json!({ "email": "ann@example.com", "password": PASSWORD });
    let signed_in = server.post("/api/auth/sign-in", credentials).await;
    signed_in.headers["set-cookie"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn behind_https_answers_have_hsts_and_a_secure_cookie() {
    let server = Server::start().await;
    let plain = server
        .request(Method::GET, "/healthz")
        .send()
        .await
        .unwrap();
    assert!(!plain.headers().contains_key("strict-transport-security"));
    assert!(!cookie_of_a_sign_in(&server).await.contains("Secure"));

    let options = ["--public-url", "https://desk.example.com"];
    let server = Server::start_in(Shop::new(), &options).await;
    for path in ["/", "/healthz", "/api/auth/refresh", "/nothing.js"] {
        let answered = server.request(Method::GET, path).send().await.unwrap();
        let header = answered.headers().get("strict-transport-security");
        let header = header.unwrap_or_else(|| panic!("{path}: {answered:?}"));
        assert!(header.to_str().unwrap().starts_with("max-age=31536000"));
    }
    let cookie = cookie_of_a_sign_in(&server).await;
    assert!(cookie.starts_with("__Secure-dispatch_refresh"), "{cookie}");
    assert!(cookie.contains("; Secure"), "{cookie}");
    let ann = server.sign_in("ann@example.com").await;
    // A proxy that does not hand the host on.
    let request = refresh(&server, &ann).header("Origin", "https://desk.example.com");
    answer(request).await.good();
    let request = refresh(&server, &ann).header("X-Forwarded-Proto", "https");
    let request = request.header("Origin", "https://other.example.com");
    answer(request).await.refused(403, "cross-site");
}

#[tokio::test]
async fn a_server_open_to_other_machines_without_a_public_url_logs_a_warning() {
    let server = Server::start_as(Shop::new(), &["serve", "--listen", "0.0.0.0:0"]).await;
    let log = server.shop.read("server.log");
    assert!(log.contains("--public-url"), "{log}");
    let server = Server::start().await;
    assert!(!server.shop.read("server.log").contains("--public-url"));
}
