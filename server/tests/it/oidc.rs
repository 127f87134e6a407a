//! Signing in with an OpenID Connect provider: a real one, walked through as a browser does it, and
//! everything that must not let anybody in.

mod browser;
mod issuers;
mod linking;
mod provider;
mod refusals;
mod several_servers;

use dispatch_actors::testing::Throwaway;
use dispatch_server::staff::{Role, StaffCollection, StaffDocuments, StaffPatch};
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Answer, PASSWORD, Server, Shop, answer};
use browser::Browser;
use provider::Provider;

const FAILED: &str = "/login?error=oidc-failed";
const NO_ACCOUNT: &str = "/login?error=oidc-no-account";
const LINK: &str = "/login/link";
const UNVERIFIED: &str = "/login?error=oidc-unverified-email";

/// A provider with these people and a server that trusts it.
async fn open(options: &[&str], accounts: Value) -> (Provider, Server) {
    let provider = Provider::start().await;
    // It starts before the server looks for it, and learns the server's address later.
    provider.configure(json!({})).await;
    let server = Server::start_in(Shop::new(), &[&provider.options(), options].concat()).await;
    provider.for_server(&server, accounts).await;
    (provider, server)
}

fn verified(email: &str) -> Value {
    json!({ "email": email, "email_verified": true })
}

/// A person with a staff record and no account yet.
async fn on_the_staff(server: &Server, email: &str, role: &str) {
    let store = server.shop.store().await;
    let person = StaffPatch {
        email: Some(email.to_owned()),
        name: Some(email.to_owned()),
        roles: Some(vec![role.parse().unwrap()]),
        ..StaffPatch::default()
    };
    let staff = StaffDocuments::new(store.clone());
    staff.merge(email, person).await.unwrap();
    store.close().await;
}

/// What the page does when it is opened: the cookie becomes an ID token.
async fn refresh(server: &Server, browser: &Browser) -> Answer {
    let mut request = server
        .request(Method::POST, "/api/auth/refresh")
        .header("Sec-Fetch-Site", "same-origin");
    if let Some(cookie) = browser.cookie("dispatch_refresh") {
        request = request.header("Cookie", format!("dispatch_refresh={}", cookie.value));
    }
    answer(request).await
}

async fn roles(server: &Server, browser: &Browser) -> Value {
    refresh(server, browser).await.result()["user"]["roles"].take()
}

#[tokio::test]
async fn a_person_signs_in_at_the_provider_and_has_the_roles_of_their_staff_record() {
    let people = json!({ "7-ann": verified("Ann@Example.com") });
    let (_provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;

    let mut browser = Browser::new();
    let start = browser.start(&server).await;
    let parameters: Vec<(String, String)> = start.query_pairs().into_owned().collect();
    let parameter = |name: &str| {
        let found = parameters.iter().find(|(key, _)| key == name);
        found.unwrap_or_else(|| panic!("no {name}")).1.clone()
    };
    assert_eq!(parameter("response_type"), "code");
    assert_eq!(parameter("code_challenge_method"), "S256");
    assert_eq!(parameter("scope"), "openid email profile");
    assert_eq!(
        parameter("redirect_uri"),
        server.url("/api/auth/oidc/callback")
    );
    let secrets = [
        parameter("state"),
        parameter("nonce"),
        parameter("code_challenge"),
    ];
    let trip = browser.cookie("dispatch_oidc").unwrap().clone();
    for secret in &secrets {
        assert!(secret.len() >= 43 && !trip.value.contains(secret));
    }
    for flag in [
        "HttpOnly",
        "SameSite=Lax",
        "Path=/api/auth/oidc",
        "Max-Age=600",
    ] {
        assert!(trip.whole.contains(flag), "{}", trip.whole);
    }
    assert!(!trip.whole.contains("Secure"), "it is plain HTTP here");

    let back = browser.at_provider(start, "7-ann").await;
    let done = browser.get(back).await;
    assert_eq!(done.leads_home(), "/");
    assert_eq!(done.headers["cache-control"], "no-store");
    let cookie = browser.cookie("dispatch_refresh").unwrap();
    for flag in ["HttpOnly", "SameSite=Strict", "Path=/api/auth", "Max-Age="] {
        assert!(cookie.whole.contains(flag), "{}", cookie.whole);
    }
    assert!(browser.cookie("dispatch_oidc").is_none(), "used up");

    let signed_in = refresh(&server, &browser).await.result();
    let user = &signed_in["user"];
    assert_eq!(user["email"], "ann@example.com");
    assert_eq!(user["roles"], json!(["Advisor"]));
    let list = server
        .request(Method::GET, "/api/repair-orders")
        .bearer_auth(signed_in["idToken"].as_str().unwrap());
    answer(list).await.good();
}

#[tokio::test]
async fn an_email_missing_from_the_token_is_fetched_from_user_info() {
    let people = json!({
    "ann": { "email": "ann@example.com", "email_verified": true, "roles": ["Used"] },
    "eve": { "email": "ann@example.com", "email_verified": false },
    });
    let (provider, server) = open(&["--oidc-roles-claim", "roles"], people).await;
    provider.configure(json!({ "inIdToken": false })).await;
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(&server, "ann").await, "/");
    assert_eq!(roles(&server, &browser).await, json!(["Used"]));
    assert!(provider.request_count("/me").await > 0);
    assert_eq!(Browser::new().sign_in(&server, "eve").await, UNVERIFIED);
}

#[tokio::test]
async fn a_person_without_an_account_or_a_verified_email_is_refused_with_the_reason() {
    let people = json!({
    "stranger": verified("stranger@example.com"),
    "unverified": { "email": "ann@example.com", "email_verified": false },
    "silent": { "email": "ann@example.com" },
    "nameless": {},
    });
    let (_provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Owner").await;
    for (person, outcome) in [
        ("stranger", NO_ACCOUNT),
        ("unverified", UNVERIFIED),
        ("silent", UNVERIFIED),
        ("nameless", UNVERIFIED),
    ] {
        let mut browser = Browser::new();
        assert_eq!(browser.sign_in(&server, person).await, outcome, "{person}");
        assert!(browser.cookie("dispatch_refresh").is_none(), "{person}");
    }
}

#[tokio::test]
async fn a_person_is_recognized_by_the_providers_subject_after_a_change_of_email() {
    let people = json!({ "7": verified("ann@example.com"), "8": {} });
    let (provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    on_the_staff(&server, "bob@example.com", "Owner").await;
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(&server, "7").await, "/");
    let ann = refresh(&server, &browser).await.result()["user"].take();
    let renamed = json!({ "7": { "email": "bob@example.com", "email_verified": false } });
    provider.configure(json!({ "accounts": renamed })).await;
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(&server, "7").await, "/");
    let user = refresh(&server, &browser).await.result()["user"].take();
    assert_eq!(user["uid"], ann["uid"], "not bob, whose email it is");

    // Somebody else has got her address at the provider since.
    let accounts = json!({ "8": verified("ann@example.com") });
    provider.configure(json!({ "accounts": accounts })).await;
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(&server, "8").await, LINK);
    assert!(browser.cookie("dispatch_refresh").is_none());
}

#[tokio::test]
async fn an_invited_staff_member_gets_an_account_and_is_no_longer_invited() {
    let people = json!({ "tina": verified("tina@example.com") });
    let (_provider, server) = open(&[], people).await;
    let staff = StaffDocuments::new(server.shop.store().await);
    let invited = StaffPatch {
        email: Some("tina@example.com".to_owned()),
        name: Some("Tina".to_owned()),
        roles: Some(vec![Role::Technician]),
        technician_id: Some(Some(7)),
        invited: Some(true),
        ..StaffPatch::default()
    };
    staff.merge("tina@example.com", invited).await.unwrap();
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(&server, "tina").await, "/");
    let user = refresh(&server, &browser).await.result()["user"].take();
    assert_eq!(user["name"], "Tina");
    assert_eq!(user["technicianId"], 7);
    let document = staff.get("tina@example.com").await.unwrap().unwrap();
    assert!(!document.invited);
    assert_eq!(
        document.roles,
        Some(vec![Role::Technician]),
        "all else stays"
    );

    // She has no password, and nobody has one for her.
    for password in ["", "x", PASSWORD] {
        let credentials = json!({ "email": "tina@example.com", "password": password });
        let refused = server.post("/api/auth/sign-in", credentials).await;
        refused.refused(401, "wrong-password");
    }
}

#[tokio::test]
async fn the_page_knows_what_the_provider_is_called() {
    let provider = Provider::start().await;
    let named = Server::start_in(Shop::new(), &provider.options()).await;
    let unnamed = Server::start_in(Shop::new(), &provider.options()[..4]).await;
    let without = Server::start().await;
    for (server, attribute) in [
        (&named, r#""signInWith":"Example Motors""#),
        (&unnamed, r#""signInWith":"127.0.0.1""#),
        (&without, r#""signInWith":null"#),
    ] {
        let page = server.request(Method::GET, "/login").send().await.unwrap();
        let page = page.text().await.unwrap().replace("&quot;", "\"");
        assert!(page.contains(attribute), "{attribute}: {page}");
    }
}

#[tokio::test]
async fn a_removed_user_cannot_sign_in_by_the_provider_either() {
    let people = json!({ "7": verified("ann@example.com") });
    let (_provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(&server, "7").await, "/");
    let removed = server
        .shop
        .run(&["user", "remove", "ann@example.com"])
        .await;
    removed.good();
    refresh(&server, &browser).await.ended("account-removed");
    assert_eq!(Browser::new().sign_in(&server, "7").await, NO_ACCOUNT);
}

#[tokio::test]
async fn a_claim_gives_roles_makes_the_record_and_takes_roles_away() {
    let with = |roles: Value| {
        let ann = json!({
        "email": "ann@example.com", "email_verified": true, "name": "Ann Bell",
        "realm_access": { "roles": roles },
        });
        json!({ "accounts": { "ann": ann } })
    };
    let (provider, server) = open(&["--oidc-roles-claim", "realm_access.roles"], json!({})).await;
    provider.configure(with(json!(["offline_access"]))).await;
    assert_eq!(
        Browser::new().sign_in(&server, "ann").await,
        NO_ACCOUNT,
        "a role that means nothing here is none"
    );

    provider
        .configure(with(json!(["advisor", "offline_access", 7])))
        .await;
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(&server, "ann").await, "/");
    let user = refresh(&server, &browser).await.result()["user"].take();
    assert_eq!(user["roles"], json!(["Advisor"]));
    assert_eq!(user["name"], "Ann Bell");

    provider.configure(with(json!(["Used", "Admin"]))).await;
    let mut later = Browser::new();
    assert_eq!(later.sign_in(&server, "ann").await, "/");
    assert_eq!(roles(&server, &later).await, json!(["Admin", "Used"]));

    provider.configure(with(json!([]))).await;
    let mut later = Browser::new();
    assert_eq!(later.sign_in(&server, "ann").await, NO_ACCOUNT);
    assert!(later.cookie("dispatch_refresh").is_none());
}

#[tokio::test]
async fn the_last_owner_stays_owner_whatever_the_provider_says() {
    let people = json!({ "ann": verified("ann@example.com"), "bob": verified("bob@example.com") });
    let (_provider, server) = open(&["--oidc-roles-claim", "roles"], people).await;
    on_the_staff(&server, "ann@example.com", "Owner").await;
    let mut browser = Browser::new();
    assert_eq!(browser.sign_in(&server, "ann").await, "/");
    assert_eq!(roles(&server, &browser).await, json!(["Owner"]));
    on_the_staff(&server, "bob@example.com", "Owner").await;
    let mut browser = Browser::new();
    let outcome = browser.sign_in(&server, "bob").await;
    assert_eq!(outcome, NO_ACCOUNT, "ann is left");
}

#[tokio::test]
async fn metadata_and_keys_are_fetched_once_and_again_for_a_new_key() {
    let people = json!({ "ann": verified("ann@example.com") });
    let (provider, server) = open(&[], people).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    for _ in 0..3 {
        assert_eq!(Browser::new().sign_in(&server, "ann").await, "/");
    }
    let count = provider.request_count("/jwks").await;
    assert!(count <= 2, "{count}");
    provider.configure(json!({ "newKey": true })).await;
    assert_eq!(Browser::new().sign_in(&server, "ann").await, "/");
    assert_eq!(provider.request_count("/jwks").await, count + 1);
    assert_eq!(Browser::new().sign_in(&server, "ann").await, "/");
    assert_eq!(provider.request_count("/jwks").await, count + 1);
}

#[tokio::test]
async fn the_server_starts_without_its_provider_and_asks_again() {
    let provider = Provider::start().await;
    let server = Server::start_in(Shop::new(), &provider.options()).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    let start = async || server.post("/api/auth/oidc/start", json!({})).await;
    start().await.refused(503, "oidc-failed");
    let people = json!({ "ann": verified("ann@example.com") });
    provider.for_server(&server, people).await;
    let mut browser = Browser::new();
    let mut tries = 0;
    while start().await.status != 200 {
        tries += 1;
        assert!(tries < 100, "it asks again");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(browser.sign_in(&server, "ann").await, "/");
}

#[tokio::test]
async fn another_process_on_the_same_database_finishes_what_one_began() {
    let database = Throwaway::postgres().await;
    let provider = Provider::start().await;
    provider.configure(json!({})).await;
    let options = [
        &provider.options()[..],
        &["--public-url", "http://127.0.0.1:9"],
    ]
    .concat();
    let one = Server::start_in(Shop::on(&database), &options).await;
    let other = Server::start_in(Shop::on(&database), &options).await;
    let back = "http://127.0.0.1:9/api/auth/oidc/callback";
    let people = json!({ "ann": verified("ann@example.com") });
    provider
        .configure(json!({ "redirectUris": [back], "accounts": people }))
        .await;
    on_the_staff(&one, "ann@example.com", "Advisor").await;
    let mut browser = Browser::new();
    let start = browser.start(&one).await;
    let mut back = browser.at_provider(start, "ann").await;
    back.set_port(Some(other.address.port())).unwrap();
    assert_eq!(browser.get(back).await.leads_home(), "/");
    assert_eq!(roles(&one, &browser).await, json!(["Advisor"]));
}

#[tokio::test]
async fn behind_https_the_way_there_and_back_is_https_and_its_cookie_this_hosts_alone() {
    let provider = Provider::start().await;
    provider.configure(json!({})).await;
    let public = ["--public-url", "https://desk.example.com/"];
    let options = [&provider.options()[..], &public].concat();
    let server = Server::start_in(Shop::new(), &options).await;
    let back = "https://desk.example.com/api/auth/oidc/callback";
    let people = json!({ "ann": verified("ann@example.com") });
    let configuration = json!({ "redirectUris": [back], "accounts": people });
    provider.configure(configuration).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    let mut browser = Browser::new();
    let start = browser.start(&server).await;
    assert!(
        start
            .query_pairs()
            .any(|(name, value)| name == "redirect_uri" && value == back)
    );
    let trip = browser.cookie("__Host-dispatch_oidc").unwrap();
    for flag in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/;"] {
        assert!(trip.whole.contains(flag), "{}", trip.whole);
    }
    assert!(!trip.whole.contains("Domain"), "{}", trip.whole);
    let back = browser.at_provider(start, "ann").await;
    // What the proxy does.
    let inside = server.url(&format!("{}?{}", back.path(), back.query().unwrap()));
    assert_eq!(browser.get(inside.parse().unwrap()).await.leads_home(), "/");
    let cookie = browser.cookie("__Secure-dispatch_refresh").unwrap();
    assert!(cookie.whole.contains("Secure"), "{}", cookie.whole);
    assert!(browser.cookie("__Host-dispatch_oidc").is_none(), "used up");
}

#[tokio::test]
async fn a_session_by_the_provider_has_the_cookies_of_any_other() {
    let people = json!({ "ann": verified("ann@example.com") });
    let (_provider, server) = open(&["--trusted-proxy", "127.0.0.1"], people).await;
    on_the_staff(&server, "ann@example.com", "Advisor").await;
    let mut browser = Browser::by_https();
    assert_eq!(browser.sign_in(&server, "ann").await, "/");
    for name in ["__Secure-dispatch_refresh", "__Secure-dispatch_device"] {
        let cookie = browser.cookie(name).unwrap();
        assert!(cookie.whole.contains("Secure"), "{}", cookie.whole);
    }
    assert!(browser.cookie("dispatch_refresh").is_none());
}

#[tokio::test]
async fn without_a_provider_its_routes_do_not_exist() {
    let server = Server::start().await;
    for path in [
        "/api/auth/oidc/callback?code=x&state=y",
        "/api/auth/oidc/link",
    ] {
        server.get(path).await.refused(404, "unknown-route");
    }
    for path in ["/api/auth/oidc/start", "/api/auth/oidc/link"] {
        let answer = server.post(path, json!({ "password": "x" })).await;
        answer.refused(404, "unknown-route");
    }
}

#[tokio::test]
async fn half_a_configuration_and_an_issuer_in_the_clear_are_refused() {
    let issuer = "https://accounts.example.com";
    for (options, says) in [
        (vec!["--oidc-issuer", issuer], "--oidc-client-id"),
        (vec!["--oidc-client-id", "x"], "--oidc-issuer"),
        (
            vec![
                "--oidc-issuer",
                "http://accounts.example.com",
                "--oidc-client-id",
                "x",
            ],
            "https://",
        ),
        (
            vec!["--oidc-issuer", "accounts", "--oidc-client-id", "x"],
            "is no issuer",
        ),
    ] {
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], &options[..]].concat();
        let refused = Shop::new().run(&arguments).await.refused();
        assert!(refused.contains(says), "{options:?}: {refused}");
    }
}
