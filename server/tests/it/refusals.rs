//! What is refused: how it is told, and that it changed nothing and reached nobody.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{EncodingKey, Header};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fixture::{Answer, Desk, Server, Socket, answer, plain_orders};

/// The calls that change a repair order, each with a body that would.
fn changes() -> [(&'static str, Value); 4] {
    let assignment = json!({ "repairOrderNumber": "1", "idTechnician": 23 });
    [
        (
            "/api/repair-orders/update-status",
            json!({ "data": [{ "repairOrderNumber": "1", "idStatus": "12" }] }),
        ),
        (
            "/api/repair-orders/update-priority",
            json!({ "data": [{ "roNumber": 1, "priorityLevel": "2" }] }),
        ),
        ("/api/repair-orders/technicians/assign", assignment.clone()),
        ("/api/repair-orders/technicians/unassign", assignment),
    ]
}

/// A shop of three orders that is watched: its list, and what a socket hears.
struct Watched {
    server: Server,
    owner: Desk,
    list: Value,
    socket: Socket,
}

impl Watched {
    async fn shop() -> Self {
        let (server, owner) = Server::with_owner().await;
        server.shop.import(&plain_orders(3)).await;
        Self {
            list: owner.list().await,
            socket: owner.listen(&server).await,
            server,
            owner,
        }
    }

    /// The list is what it was, and the next that is announced is the next that happens.
    async fn nothing_happened(&mut self, what: &str) {
        assert_eq!(self.owner.list().await, self.list, "{what}");
        let next = self.owner.make_one_change(3).await;
        assert_eq!(next, self.list["seq"].as_i64().unwrap() + 1, "{what}");
        let heard = self.socket.modified().await;
        assert_eq!(heard["seq"], next, "{what}: {heard}");
        self.list = self.owner.list().await;
    }
}

#[tokio::test]
async fn an_entry_that_makes_no_sense_is_refused_and_says_why() {
    let mut shop = Watched::shop().await;
    let status = |number: Value, id: Value| {
        (
            "update-status",
            json!({ "data": [{ "repairOrderNumber": number, "idStatus": id }] }),
        )
    };
    let priority = |number: Value, level: Value| {
        (
            "update-priority",
            json!({ "data": [{ "roNumber": number, "priorityLevel": level }] }),
        )
    };
    let assign = |number: Value, technician: Value| {
        (
            "technicians/assign",
            json!({ "repairOrderNumber": number, "idTechnician": technician }),
        )
    };
    let unassign = |number: Value, technician: Value| {
        (
            "technicians/unassign",
            json!({ "repairOrderNumber": number, "idTechnician": technician }),
        )
    };
    let too_large = json!(9_007_199_254_740_992_i64);
    for ((path, body), status, code, sentence) in [
        (
            status(json!("1"), json!("16")),
            400,
            "invalid-status",
            "Invalid status: 16",
        ),
        (
            status(json!("1"), json!("Used")),
            400,
            "invalid-status",
            "Invalid status: Used",
        ),
        (
            status(json!("1"), json!("")),
            400,
            "invalid-status",
            "Invalid status: ",
        ),
        (
            status(json!("4"), json!("12")),
            404,
            "unknown-repair-order",
            "Repair order 4 is not known",
        ),
        (
            status(json!(""), json!("12")),
            400,
            "invalid-ro-number",
            "The RO number is missing",
        ),
        (
            status(json!("RO"), json!("12")),
            400,
            "invalid-ro-number",
            "'RO' is not an RO number: it has no digits",
        ),
        (
            status(json!(0), json!("12")),
            400,
            "invalid-ro-number",
            "RO number '0' is out of range: 1 to 9007199254740991",
        ),
        (
            status(too_large, json!("12")),
            400,
            "invalid-ro-number",
            "RO number '9007199254740992' is out of range: 1 to 9007199254740991",
        ),
        (
            priority(json!(1), json!("5")),
            400,
            "invalid-priority",
            "Invalid priority level: 5. Use 4 Waiting, 3 High, 2 Medium or 1 Low",
        ),
        (
            priority(json!(4), json!("3")),
            404,
            "unknown-repair-order",
            "Repair order 4 is not known",
        ),
        (
            assign(json!(4), json!(23)),
            404,
            "unknown-repair-order",
            "Repair order 4 is not known",
        ),
        (
            assign(json!(1), json!(99)),
            404,
            "unknown-technician",
            "Technician 99 is not known",
        ),
        (
            assign(json!(1), json!("Ann")),
            400,
            "invalid-request",
            "'Ann' is not a technician's number",
        ),
        (
            unassign(json!(4), json!(23)),
            404,
            "unknown-repair-order",
            "Repair order 4 is not known",
        ),
        (
            unassign(json!(1), json!("")),
            400,
            "invalid-request",
            "'' is not a technician's number",
        ),
    ] {
        let refused = shop
            .owner
            .post(&format!("/api/repair-orders/{path}"), body.clone())
            .await;
        assert_eq!(refused.refused(status, code), sentence, "{path} {body}");
    }
    shop.nothing_happened("entries without sense").await;
}

#[tokio::test]
async fn a_technician_of_the_dealers_system_is_not_the_desks_to_remove() {
    let mut shop = Watched::shop().await;
    let order = json!([{ "repairOrderNumber": 5, "ETLIdTechnician": 31, "ETLTechFullName": "Marcus Bell" }]);
    shop.server.shop.import(&order).await;
    assert_eq!(shop.socket.modified().await["action"], "CREATED");
    shop.list = shop.owner.list().await;
    assert_eq!(
        shop.owner
            .unassign(5, 31)
            .await
            .refused(409, "etl-technician"),
        "Technician 31 came with the dealer system's file and can only be removed there"
    );
    shop.nothing_happened("an ETL technician").await;
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused() {
    let mut shop = Watched::shop().await;
    let entry = json!({ "repairOrderNumber": "1", "idStatus": "12" });
    for (path, good) in changes() {
        let good = good.to_string();
        let bodies = [
            (String::new(), "application/json"),
            (good[..good.len() - 1].to_owned(), "application/json"),
            (good.replace(':', "="), "application/json"),
            ("[]".to_owned(), "application/json"),
            ("{}".to_owned(), "application/json"),
            ("null".to_owned(), "application/json"),
            (json!({ "data": "all" }).to_string(), "application/json"),
            (json!({ "data": [] }).to_string(), "application/json"),
            (json!({ "data": [null] }).to_string(), "application/json"),
            (json!({ "data": [{}] }).to_string(), "application/json"),
            (json!({ "data": [[entry]] }).to_string(), "application/json"),
            (good.replace("\"12\"", "{}"), "application/json"),
            (good.replace("\"1\"", "1.5"), "application/json"),
            (
                good.replacen('}', ",\"expectedVersion\":\"1\"}", 1),
                "application/json",
            ),
            (
                format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000)),
                "application/json",
            ),
            (good.clone(), "text/plain"),
            (good.clone(), "application/x-www-form-urlencoded"),
            (good.clone(), "nonsense"),
        ];
        for (body, kind) in bodies {
            if body == good && kind == "application/json" {
                continue;
            }
            let request = shop
                .owner
                .request(Method::POST, path)
                .header(CONTENT_TYPE, kind);
            let refused = answer(request.body(body.clone())).await;
            let sentence = refused.refused(400, "invalid-request");
            assert!(
                sentence.starts_with(|c: char| c.is_uppercase()) || sentence.starts_with("data "),
                "{sentence}"
            );
        }
        let untyped = shop
            .owner
            .request(Method::POST, path)
            .body(good.into_bytes());
        answer(untyped).await.refused(400, "invalid-request");
    }
    shop.nothing_happened("bodies that cannot be read").await;
}

#[tokio::test]
async fn too_much_at_once_is_refused_whole() {
    let mut shop = Watched::shop().await;
    let entries = |count: usize| -> Value {
        let entry = json!({ "repairOrderNumber": "1", "idStatus": "12" });
        json!({ "data": vec![entry; count] })
    };
    let status = "/api/repair-orders/update-status";
    let refused = shop.owner.post(status, entries(501)).await;
    assert_eq!(
        refused.refused(400, "invalid-request"),
        "data has 501 entries; send at most 500 at once"
    );
    let padding = "x".repeat(300 * 1024);
    for (path, body) in changes() {
        let mut body = body;
        body["padding"] = json!(padding);
        let sentence = shop
            .owner
            .post(path, body.clone())
            .await
            .refused(413, "too-large");
        assert_eq!(
            sentence,
            "The request is too large: send at most 256 KB at once"
        );
        // The same without saying how much comes.
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: dispatch\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
            shop.owner.token
        );
        let body = body.to_string();
        let chunked = format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
        raw(&shop.server, &chunked).await.refused(413, "too-large");
    }
    shop.nothing_happened("too much").await;
    assert_eq!(
        shop.owner.post(status, entries(500)).await.status,
        200,
        "500 are taken"
    );
}

/// A token as ours, signed with somebody else's key.
fn foreign_token(uid: &str) -> String {
    let now = jiff::Timestamp::now().as_second();
    let claims = json!({
        "sub": uid, "sid": uid, "iat": now, "exp": now + 3_600, "iss": "dispatch", "aud": "dispatch"
    });
    jsonwebtoken::encode(
        &Header::default(),
        &claims,
        &EncodingKey::from_secret(&[7; 32]),
    )
    .unwrap()
}

/// The token's own claims under a header that says they need no signature.
fn unsigned(token: &str) -> String {
    let claims = token.split('.').nth(1).unwrap();
    format!(
        "{}.{claims}.",
        URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#)
    )
}

#[tokio::test]
async fn without_a_token_of_ours_nothing_is_told_and_nothing_is_done() {
    let mut shop = Watched::shop().await;
    let left = shop.server.hire("left@example.com", "Owner").await;
    left.sign_out().await.good();
    let other = Server::with_owner().await.1;
    let owner = &shop.owner;
    let mut cut_short = owner.token.clone();
    cut_short.pop();
    let headers = [
        None,
        Some(String::new()),
        Some("Bearer".to_owned()),
        Some("Bearer ".to_owned()),
        Some("Bearer nonsense".to_owned()),
        Some(owner.token.clone()),
        Some(format!("Basic {}", owner.token)),
        Some(format!("Bearer {cut_short}")),
        Some(format!("Bearer {} x", owner.token)),
        Some(format!("Bearer {}", unsigned(&owner.token))),
        Some(format!("Bearer {}", foreign_token(&owner.uid))),
        Some(format!("Bearer {}", other.token)),
        Some(format!("Bearer {}", left.token)),
        Some(format!("Bearer {}", "x".repeat(10_000))),
        Some("Bearer ü".to_owned()),
    ];
    let reads = [
        "/api/repair-orders",
        "/api/repair-orders/1",
        "/api/repair-orders/specific/1",
        "/api/repair-orders/technicians",
    ];
    for header in headers {
        let with_header = |request: reqwest::RequestBuilder| match &header {
            Some(header) => request.header(AUTHORIZATION, header.as_bytes()),
            None => request,
        };
        for path in reads {
            let refused = answer(with_header(shop.server.request(Method::GET, path))).await;
            refused.refused(401, "unauthorized");
            assert_eq!(refused.headers["www-authenticate"], "Bearer");
        }
        for (path, body) in changes() {
            let request = shop.server.request(Method::POST, path).json(&body);
            answer(with_header(request))
                .await
                .refused(401, "unauthorized");
        }
    }
    shop.nothing_happened("no token of ours").await;
}

#[tokio::test]
async fn a_role_that_may_not_is_told_which_may() {
    let mut shop = Watched::shop().await;
    let technician = shop.server.hire("tech@example.com", "Technician").await;
    let advisor = shop.server.hire("advisor@example.com", "Advisor").await;
    shop.server
        .shop
        .run(&["user", "role", "advisor@example.com", "--role", "Used"])
        .await
        .good();
    advisor
        .get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
    let nobody = shop.server.hire("nobody@example.com", "Used").await;
    shop.server
        .shop
        .run(&["user", "role", "nobody@example.com"])
        .await
        .good();
    nobody
        .get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
    let nobody = shop.server.sign_in("nobody@example.com").await;

    let sentence = technician.assign(1, 23).await.refused(403, "forbidden");
    assert_eq!(
        sentence,
        "Dispatching technicians needs one of the roles Owner, Admin"
    );
    technician.unassign(1, 23).await.refused(403, "forbidden");
    technician
        .change_priority(1, 3)
        .await
        .refused(403, "forbidden");
    let sentence = nobody.change_status(1, 12).await.refused(403, "forbidden");
    assert_eq!(
        sentence,
        "Changing the status needs a role; ask an owner to give you one"
    );
    shop.nothing_happened("roles that may not").await;
}

#[tokio::test]
async fn a_wrong_password_is_refused_like_an_unknown_email() {
    let mut shop = Watched::shop().await;
    for (email, password) in [
        ("owner@example.com", "a wrong password"),
        ("owner@example.com", ""),
        ("stranger@example.com", "a long password"),
        ("no email", "a long password"),
        ("", ""),
    ] {
        let refused = shop
            .server
            .post(
                "/api/auth/sign-in",
                json!({ "email": email, "password": password }),
            )
            .await;
        let sentence = refused.refused(401, "wrong-credentials");
        assert_eq!(sentence, "The email or password is not correct");
        assert!(!refused.headers.contains_key("set-cookie"));
    }
    let missing = shop
        .server
        .post("/api/auth/sign-in", json!({ "email": "owner@example.com" }))
        .await;
    missing.refused(400, "invalid-request");
    shop.server
        .post("/api/auth/refresh", json!({}))
        .await
        .refused(401, "unauthorized");
    shop.nothing_happened("wrong passwords").await;
}

#[tokio::test]
async fn a_call_that_does_not_exist_is_told_so_in_json() {
    let mut shop = Watched::shop().await;
    for (method, path) in [
        (Method::GET, "/api"),
        (Method::GET, "/api/"),
        (Method::GET, "/api/nothing"),
        (Method::GET, "/api/repair-orders/1/2"),
        (Method::POST, "/api/repair-orders"),
        (Method::GET, "/api/repair-orders/technicians/assign"),
        (Method::DELETE, "/api/repair-orders/1"),
        (Method::PUT, "/api/repair-orders/update-status"),
        (Method::PATCH, "/api/auth/sign-in"),
        (Method::GET, "/api/auth/sign-in"),
        (Method::OPTIONS, "/api/repair-orders"),
        (Method::from_bytes(b"BREW").unwrap(), "/api/repair-orders"),
        (Method::POST, "/"),
        (Method::DELETE, "/dashboard"),
        (Method::POST, "/healthz"),
        (Method::POST, "/ws"),
        (Method::PUT, "/ws/"),
    ] {
        let refused = answer(shop.owner.request(method.clone(), path).json(&json!({}))).await;
        let sentence = refused.refused(404, "unknown-route");
        assert!(
            sentence.starts_with(&format!("There is no {method} ")),
            "{method} {path}: {sentence}"
        );
    }
    // An order's number is asked for as it was typed.
    for number in ["none", "0", "%20", "%00", "%FF", "-"] {
        let answer = shop
            .owner
            .get(&format!("/api/repair-orders/{number}"))
            .await;
        answer.refused(400, "invalid-ro-number");
    }
    shop.owner
        .get("/api/repair-orders/4")
        .await
        .refused(404, "unknown-repair-order");
    shop.owner
        .get("/api/repair-orders/specific/4")
        .await
        .refused(404, "unknown-repair-order");
    shop.nothing_happened("calls that do not exist").await;
}

/// Sends a request as it stands, where an HTTP client would tidy it, and reads the answer.
async fn raw(server: &Server, request: &str) -> Answer {
    let mut tcp = TcpStream::connect(server.address).await.unwrap();
    // The server may answer, and close, before it has read everything.
    let _ = tcp.write_all(request.as_bytes()).await;
    let mut text = Vec::new();
    let _ = tcp.read_to_end(&mut text).await;
    let text = String::from_utf8(text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    Answer {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        headers: HeaderMap::new(),
        body: serde_json::from_str(body).unwrap_or_else(|_| panic!("{request}: {text}")),
    }
}

#[tokio::test]
async fn no_path_leads_out_of_the_page() {
    let server = Server::start().await;
    for target in [
        "/../Cargo.toml",
        "/../../etc/passwd.d",
        "/../../../../../../etc/host.conf",
        "/assets/../../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/%2e%2e%2fCargo.toml",
        "/..%5c..%5cCargo.toml",
        "//etc/host.conf",
        "/./../src/main.tsx",
        "/assets/%00.js",
        "/.env",
        "/data/dispatch.sqlite",
    ] {
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: dispatch\r\nConnection: close\r\n\r\n");
        raw(&server, &request).await.refused(404, "unknown-route");
    }
}

#[tokio::test]
async fn the_stream_is_a_websocket_and_engine_io_says_so() {
    let server = Server::start().await;
    for (target, code, message) in [
        (
            "/ws?EIO=3&transport=websocket",
            5,
            "Unsupported protocol version",
        ),
        (
            "/ws/?EIO=3&transport=polling",
            5,
            "Unsupported protocol version",
        ),
        ("/ws?transport=websocket", 5, "Unsupported protocol version"),
        ("/ws", 5, "Unsupported protocol version"),
        ("/ws?EIO=4&transport=polling", 0, "Transport unknown"),
        ("/ws/?EIO=4&transport=polling&t=x", 0, "Transport unknown"),
        ("/ws?EIO=4", 0, "Transport unknown"),
        (
            "/ws?EIO=4&transport=websocket&sid=made-up",
            1,
            "Session ID unknown",
        ),
        ("/ws?EIO=4&transport=websocket", 3, "Bad request"),
    ] {
        let refused = server.get(target).await;
        let body = json!({ "code": code, "message": message });
        assert_eq!((refused.status, refused.body), (400, body), "{target}");
    }
}
