//! A provider of the test's own that speaks Gemini's and OpenAI's wire format, well or badly.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::fixture::WAIT_TIMEOUT;

/// It sends the answers that it was given, in that order; then it does not answer.
pub struct Provider {
    pub origin: String,
    requests: mpsc::UnboundedReceiver<ProviderRequest>,
    disconnects: mpsc::UnboundedReceiver<()>,
    replies: Arc<Mutex<VecDeque<ProviderReply>>>,
}

/// A request as it came.
#[derive(Debug)]
pub struct ProviderRequest {
    /// With its query.
    pub path: String,
    /// By their names in small letters.
    pub headers: HashMap<String, String>,
    pub body: Value,
}

pub enum ProviderReply {
    /// A status line without its version, headers, and a body.
    Http(&'static str, String),
    /// Events of a stream, which then ends as it should, or is cut.
    Events(Vec<String>),
    /// Nothing, with the connection open.
    Nothing,
}

impl Provider {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let (sender, requests) = mpsc::unbounded_channel();
        let (left, disconnects) = mpsc::unbounded_channel();
        let replies = Arc::<Mutex<VecDeque<ProviderReply>>>::default();
        let next = Arc::clone(&replies);
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                tokio::spawn(serve(tcp, sender.clone(), left.clone(), Arc::clone(&next)));
            }
        });
        Self {
            origin,
            requests,
            disconnects,
            replies,
        }
    }

    pub fn will_reply(&self, reply: ProviderReply) {
        self.replies.lock().unwrap().push_back(reply);
    }

    /// The next request.
    pub async fn next_request(&mut self) -> ProviderRequest {
        let request = timeout(WAIT_TIMEOUT, self.requests.recv()).await;
        request.expect("the provider is asked").unwrap()
    }

    /// Nothing more has been asked.
    pub fn was_left_alone(&mut self) {
        assert!(self.requests.try_recv().is_err());
    }

    /// The caller who got no answer has given up.
    pub async fn was_left(&mut self) {
        let disconnect = timeout(WAIT_TIMEOUT, self.disconnects.recv()).await;
        disconnect.expect("the request is given up").unwrap();
    }
}

/// What a model says in Gemini's envelope.
pub fn gemini(text: &str) -> String {
    json!({
        "candidates": [{
            "content": { "role": "model", "parts": [{ "text": text }] },
            "finishReason": "STOP",
            "index": 0,
        }],
        "usageMetadata": { "promptTokenCount": 5, "totalTokenCount": 9 },
        "modelVersion": "gemini-2.5-flash",
    })
    .to_string()
}

/// The same in pieces, without the last event that says that it is the end.
pub fn gemini_pieces(pieces: &[&str]) -> Vec<String> {
    let event = |text: &&str| {
        let parts = json!([{ "text": text }]);
        json!({ "candidates": [{ "content": { "parts": parts, "role": "model" } }] }).to_string()
    };
    pieces.iter().map(event).collect()
}

pub fn gemini_end() -> String {
    json!({ "candidates": [{ "content": { "parts": [{ "text": "" }] }, "finishReason": "STOP" }] })
        .to_string()
}

/// What a model says in OpenAI's envelope.
pub fn openai(text: &str) -> String {
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "llama3.1",
        "choices": [{
            "index": 0,
            "message": { "role": "assistant", "content": text },
            "finish_reason": "stop",
        }],
    })
    .to_string()
}

/// The same as a stream, from the role to `[DONE]`.
pub fn openai_pieces(pieces: &[&str]) -> Vec<String> {
    let event = |delta: Value, reason: Value| {
        json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] }).to_string()
    };
    let mut events = vec![event(json!({ "role": "assistant" }), Value::Null)];
    events.extend(
        pieces
            .iter()
            .map(|text| event(json!({ "content": text }), Value::Null)),
    );
    events.push(event(json!({}), json!("stop")));
    events.push("[DONE]".to_owned());
    events
}

pub fn question(text: &str) -> String {
    json!({ "type": "question", "content": text }).to_string()
}

pub fn story(text: &str) -> String {
    json!({ "type": "techStory", "content": text }).to_string()
}

async fn serve(
    tcp: TcpStream,
    requests: mpsc::UnboundedSender<ProviderRequest>,
    left: mpsc::UnboundedSender<()>,
    replies: Arc<Mutex<VecDeque<ProviderReply>>>,
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
    let _ = requests.send(ProviderRequest {
        path,
        headers,
        body: serde_json::from_slice(&body).unwrap(),
    });
    let reply = replies
        .lock()
        .unwrap()
        .pop_front()
        .unwrap_or(ProviderReply::Nothing);
    match reply {
        ProviderReply::Http(status, body) => {
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = tcp.write_all(answer.as_bytes()).await;
        }
        ProviderReply::Events(events) => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
                        Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
            let _ = tcp.write_all(head.as_bytes()).await;
            for event in events {
                let event = format!("data: {event}\r\n\r\n");
                let chunk = format!("{:x}\r\n{event}\r\n", event.len());
                let _ = tcp.write_all(chunk.as_bytes()).await;
                // So that they come one by one, to a busy machine, too.
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            let _ = tcp.write_all(b"0\r\n\r\n").await;
        }
        ProviderReply::Nothing => {
            let mut rest = Vec::new();
            let _ = tcp.read_to_end(&mut rest).await;
            let _ = left.send(());
        }
    }
}
