//! Certified providers in one process, which every test has one of (`server/tests/openid`).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::fixture::{Server, http};

pub const CLIENT_SECRET: &str = "a secret with a / and a +";

pub struct Provider {
    pub issuer: String,
    http: reqwest::Client,
}

/// Node, with one provider that opens the others.
struct Providers {
    issuer: String,
    /// Held open: its end, however this process ends, ends the providers.
    _alive: ChildStdin,
    _node: Child,
}

impl Providers {
    fn start() -> Self {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let installed = checkout.join("target/openid");
        assert!(
            installed.join("node_modules/oidc-provider").exists(),
            "there is no OpenID Connect provider in {}: run `make tools`",
            installed.display()
        );
        let mut node = Command::new("node")
            .arg(checkout.join("server/tests/openid/provider.mjs"))
            .current_dir(installed)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(node.stdout.take().unwrap()).lines();
        Self {
            issuer: lines.next().expect("the provider starts").unwrap(),
            _alive: node.stdin.take().unwrap(),
            _node: node,
        }
    }

    /// They are started once, which takes a second of a processor.
    fn issuer() -> &'static str {
        static RUNNING: OnceLock<Providers> = OnceLock::new();
        &RUNNING.get_or_init(Self::start).issuer
    }
}

impl Provider {
    /// It answers 503 until it is configured.
    pub async fn start() -> Self {
        let others = tokio::task::spawn_blocking(Providers::issuer);
        let http = http();
        let opened = http.post(format!("{}/test/open", others.await.unwrap()));
        let issuer = opened.send().await.unwrap().text().await.unwrap();
        Self { issuer, http }
    }

    /// With these people, who may come back to this server.
    pub async fn for_server(&self, server: &Server, accounts: Value) {
        let back = server.url("/api/auth/oidc/callback");
        self.configure(json!({ "redirectUris": [back], "accounts": accounts }))
            .await;
    }

    /// Tells it what it is from now on; the rest stays.
    pub async fn configure(&self, configuration: Value) {
        let request = self.http.post(format!("{}/test/configure", self.issuer));
        let answer = request.json(&configuration).send().await.unwrap();
        assert_eq!(answer.status(), 200);
    }

    /// How often that address was asked for.
    pub async fn request_count(&self, path: &str) -> u64 {
        let request = self.http.get(format!("{}/test/asked", self.issuer));
        let counts: Value = request.send().await.unwrap().json().await.unwrap();
        counts[path].as_u64().unwrap_or(0)
    }

    /// What a server is started with to trust it.
    pub fn options(&self) -> [&str; 8] {
        [
            "--oidc-issuer",
            &self.issuer,
            "--oidc-client-id",
            "dispatch",
            "--oidc-client-secret",
            CLIENT_SECRET,
            "--oidc-name",
            "Example Motors",
        ]
    }
}
