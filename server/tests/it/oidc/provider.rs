//! A certified provider in a process of its own (`server/tests/openid`).

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::fixture::{PATIENCE, Server, http};

pub const CLIENT_SECRET: &str = "a secret with a / and a +";

/// It ends when this is dropped.
pub struct Provider {
    _process: Child,
    pub issuer: String,
    http: reqwest::Client,
}

impl Provider {
    /// It answers 503 until it is told what it is.
    pub async fn start() -> Self {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let installed = checkout.join("target/openid");
        assert!(
            installed.join("node_modules/oidc-provider").exists(),
            "there is no OpenID Connect provider in {}: run `make tools`",
            installed.display()
        );
        let mut process = Command::new("node")
            .arg(checkout.join("server/tests/openid/provider.mjs"))
            .current_dir(installed)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap()).lines();
        let issuer = timeout(PATIENCE, out.next_line()).await;
        let issuer = issuer.expect("the provider starts").unwrap().unwrap();
        Self {
            _process: process,
            issuer,
            http: http(),
        }
    }

    /// With these people, who may come back to this server.
    pub async fn for_server(&self, server: &Server, accounts: Value) {
        let back = server.url("/api/auth/oidc/callback");
        self.is(json!({ "redirectUris": [back], "accounts": accounts }))
            .await;
    }

    /// Tells it what it is from now on; the rest stays.
    pub async fn is(&self, told: Value) {
        let request = self.http.post(format!("{}/test/configure", self.issuer));
        let answer = request.json(&told).send().await.unwrap();
        assert_eq!(answer.status(), 200);
    }

    /// How often that address was asked for.
    pub async fn asked(&self, path: &str) -> u64 {
        let request = self.http.get(format!("{}/test/asked", self.issuer));
        let asked: Value = request.send().await.unwrap().json().await.unwrap();
        asked[path].as_u64().unwrap_or(0)
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
