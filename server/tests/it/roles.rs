//! Every call of the OpenAPI document for every role: who may, who may not, who need not sign in.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Desk, Server, answer};

/// As they are written on the wire; the last is a person without any.
const ROLES: [&str; 7] = [
    "Owner",
    "Admin",
    "Advisor",
    "Service_Manager",
    "Used",
    "Technician",
    "none",
];

enum Who {
    /// Needs no token.
    Anybody,
    /// Whoever has signed in, with a role or without.
    SignedIn,
    /// Whoever has one of these.
    Roles(&'static [&'static str]),
}

use Who::{Anybody, Roles, SignedIn};

/// A call as the document writes it, who may make it, and a harmless body: whoever may is told
/// that there is no such order.
fn table() -> Vec<(&'static str, &'static str, Who, Value)> {
    const ALL: &[&str] = &[
        "Owner",
        "Admin",
        "Advisor",
        "Service_Manager",
        "Used",
        "Technician",
    ];
    let status = json!({ "data": [{ "repairOrderNumber": "404", "idStatus": "12" }] });
    let priority = json!({ "data": [{ "roNumber": 404, "priorityLevel": "3" }] });
    let assignment = json!({ "repairOrderNumber": 404, "idTechnician": 404 });
    let stranger = json!({ "email": "stranger@example.com", "password": "a long password" });
    vec![
        ("get", "/healthz", Anybody, Value::Null),
        ("get", "/readyz", Anybody, Value::Null),
        ("post", "/api/auth/sign-in", Anybody, stranger),
        ("post", "/api/auth/refresh", Anybody, Value::Null),
        ("post", "/api/auth/sign-out", Anybody, Value::Null),
        ("get", "/api/repair-orders", SignedIn, Value::Null),
        (
            "get",
            "/api/repair-orders/{roNumber}",
            SignedIn,
            Value::Null,
        ),
        (
            "get",
            "/api/repair-orders/specific/{roNumber}",
            SignedIn,
            Value::Null,
        ),
        (
            "get",
            "/api/repair-orders/technicians",
            SignedIn,
            Value::Null,
        ),
        (
            "post",
            "/api/repair-orders/update-status",
            Roles(ALL),
            status,
        ),
        (
            "post",
            "/api/repair-orders/update-priority",
            Roles(&["Owner", "Admin", "Advisor"]),
            priority,
        ),
        (
            "post",
            "/api/repair-orders/technicians/assign",
            Roles(&["Owner", "Admin"]),
            assignment.clone(),
        ),
        (
            "post",
            "/api/repair-orders/technicians/unassign",
            Roles(&["Owner", "Admin"]),
            assignment,
        ),
    ]
}

async fn documented(server: &Server) -> Value {
    let document = answer(server.request(Method::GET, "/api/openapi.json")).await;
    assert_eq!(document.status, 200);
    document.body
}

#[tokio::test]
async fn every_call_is_in_the_table() {
    let server = Server::start().await;
    let document = documented(&server).await;
    let mut calls = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            calls.insert((method.clone(), path.clone()));
        }
    }
    let table: BTreeSet<_> = table()
        .into_iter()
        .map(|(method, path, ..)| (method.to_owned(), path.to_owned()))
        .collect();
    let missing: Vec<_> = calls.difference(&table).collect();
    assert!(
        missing.is_empty(),
        "say in roles.rs who may call {missing:?}"
    );
    let gone: Vec<_> = table.difference(&calls).collect();
    assert!(
        gone.is_empty(),
        "roles.rs speaks of calls that are not in the document: {gone:?}"
    );
}

/// A person for each role.
async fn staff(server: &Server) -> Vec<(&'static str, Desk)> {
    let mut staff = Vec::new();
    for role in ROLES {
        let email = format!("{role}@example.com").to_lowercase();
        if role == "none" {
            server.shop.add_user(&email, "Used").await;
            server.shop.run(&["user", "role", &email]).await.good();
        } else {
            server.shop.add_user(&email, role).await;
        }
        staff.push((role, server.sign_in(&email).await));
    }
    staff
}

fn request(desk: &Desk, method: &str, path: &str, body: &Value) -> reqwest::RequestBuilder {
    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
    let request = desk.request(method, &path.replace("{roNumber}", "404"));
    if body.is_null() {
        request
    } else {
        request.json(body)
    }
}

#[tokio::test]
async fn every_call_asks_for_the_right_role() {
    let server = Server::start().await;
    let staff = staff(&server).await;
    for (method, path, who, body) in table() {
        let allowed = match who {
            // Asking with a token could end its session.
            Anybody => continue,
            SignedIn => &ROLES[..],
            Roles(roles) => roles,
        };
        for (role, desk) in &staff {
            let answer = answer(request(desk, method, path, &body)).await;
            let what = format!("{method} {path} as {role}: {answer:?}");
            if allowed.contains(role) {
                assert!(![401, 403].contains(&answer.status), "{what}");
            } else {
                assert_eq!(answer.status, 403, "{what}");
                answer.refused(403, "forbidden");
            }
        }
    }
}

#[tokio::test]
async fn every_call_that_needs_a_token_says_so_without_one() {
    let server = Server::start().await;
    let document = documented(&server).await;
    for (method, path, who, body) in table() {
        let method_name = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let request = server.request(method_name, &path.replace("{roNumber}", "404"));
        let answer = answer(if body.is_null() {
            request
        } else {
            request.json(&body)
        })
        .await;
        let needs_token = document["paths"][path][method]["security"] == json!([{ "idToken": [] }]);
        match who {
            Anybody => {
                assert!(!needs_token, "{method} {path}");
                assert!(
                    answer.body["code"] != "unauthorized" || path == "/api/auth/refresh",
                    "{method} {path}: {answer:?}"
                );
            }
            SignedIn | Roles(_) => {
                assert!(needs_token, "{method} {path}");
                answer.refused(401, "unauthorized");
            }
        }
    }
}
