//! A push service of the test's own, and a browser that opens what came for it.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::fixture::WAIT_TIMEOUT;

/// It accepts every push, unless the test sets another answer.
pub struct PushService {
    pub origin: String,
    pushes: mpsc::UnboundedReceiver<Pushed>,
    answers: Arc<Mutex<VecDeque<String>>>,
}

/// What it was sent.
#[derive(Debug)]
pub struct Pushed {
    pub path: String,
    /// By their names in small letters.
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
    /// When it was here, before it was answered.
    pub at: Instant,
}

impl PushService {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let (sender, pushes) = mpsc::unbounded_channel();
        let answers = Arc::<Mutex<VecDeque<String>>>::default();
        let next = Arc::clone(&answers);
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                tokio::spawn(serve(tcp, sender.clone(), Arc::clone(&next)));
            }
        });
        Self {
            origin,
            pushes,
            answers,
        }
    }

    /// Answers the next request so: the status line without its version, and headers.
    pub fn answer_next(&self, answer: &str) {
        self.answers.lock().unwrap().push_back(answer.to_owned());
    }

    /// The next request.
    pub async fn pushed(&mut self) -> Pushed {
        let pushed = timeout(WAIT_TIMEOUT, self.pushes.recv()).await;
        pushed.expect("something is pushed").unwrap()
    }

    /// Nothing was pushed, and nothing is within the time that a message is gathered for and some
    /// more.
    pub async fn stays_silent(&mut self) {
        self.stays_silent_for(Duration::from_millis(1_500)).await;
    }

    /// Takes what was pushed, until nothing more comes.
    pub async fn passes_over(&mut self) {
        let gathered = Duration::from_millis(1_500);
        while timeout(gathered, self.pushes.recv()).await.is_ok() {}
    }

    pub async fn stays_silent_for(&mut self, time: Duration) {
        let pushed = timeout(time, self.pushes.recv()).await;
        assert!(pushed.is_err(), "{pushed:?}");
    }
}

async fn serve(
    tcp: TcpStream,
    sender: mpsc::UnboundedSender<Pushed>,
    answers: Arc<Mutex<VecDeque<String>>>,
) {
    let mut tcp = BufReader::new(tcp);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if tcp.read_line(&mut line).await.unwrap_or(0) == 0 {
            return;
        }
        if line.trim().is_empty() {
            break;
        }
        lines.push(line.trim_end().to_owned());
    }
    let request = lines.remove(0);
    let path = request
        .strip_prefix("POST ")
        .and_then(|rest| rest.strip_suffix(" HTTP/1.1"))
        .unwrap_or_else(|| panic!("{request}"))
        .to_owned();
    let headers: HashMap<String, String> = lines
        .iter()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    tcp.read_exact(&mut body).await.unwrap();
    let answer = answers.lock().unwrap().pop_front();
    let answer = answer.unwrap_or_else(|| "201 Created".to_owned());
    let answer = format!("HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    let pushed = Pushed {
        path,
        headers,
        body,
        at: Instant::now(),
    };
    let _ = sender.send(pushed);
    let _ = tcp.write_all(answer.as_bytes()).await;
}

/// A browser with a service worker: it has keys, and no page need be open.
pub struct Browser {
    keys: Value,
    /// Where its push service takes messages for it.
    pub endpoint: String,
}

/// A message as the browser finds it.
#[derive(Debug)]
pub struct Opened {
    pub message: Value,
    /// The signer, the audience and the expiry.
    pub claims: Value,
}

impl Browser {
    pub async fn new(service: &PushService, name: &str) -> Self {
        Self {
            keys: python("keys", Value::Null).await,
            endpoint: format!("{}/push/{name}", service.origin),
        }
    }

    /// What it sends to the server.
    pub fn subscription(&self) -> Value {
        json!({
            "endpoint": self.endpoint,
            "expirationTime": null,
            "keys": { "p256dh": self.keys["p256dh"], "auth": self.keys["auth"] },
        })
    }

    /// Opens what came, signed with the key that the server says is its own.
    pub async fn open(&self, pushed: &Pushed, public_key: &str) -> Opened {
        let mut opened = python(
            "open",
            json!({
                "privateKey": self.keys["privateKey"],
                "auth": self.keys["auth"],
                "body": URL_SAFE_NO_PAD.encode(&pushed.body),
                "authorization": pushed.headers["authorization"],
                "publicKey": public_key,
            }),
        )
        .await;
        assert_eq!(opened["head"], json!({ "typ": "JWT", "alg": "ES256" }));
        Opened {
            message: opened["message"].take(),
            claims: opened["claims"].take(),
        }
    }
}

async fn python(command: &str, input: Value) -> Value {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = tests.join("../target/python/bin/python");
    assert!(
        python.exists(),
        "there is no {}: run `make tools`",
        python.display()
    );
    let mut child = Command::new(python)
        .arg(tests.join("tests/clients/push-browser.py"))
        .arg(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.to_string().as_bytes()).await.unwrap();
    drop(stdin);
    let ran = timeout(WAIT_TIMEOUT, child.wait_with_output()).await;
    let ran = ran.expect("Python answers").unwrap();
    assert!(
        ran.status.success(),
        "the message is not as the standard says"
    );
    serde_json::from_slice(&ran.stdout).unwrap()
}
