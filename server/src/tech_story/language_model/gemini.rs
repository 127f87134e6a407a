//! Gemini's `generateContent`. The key goes in a header, since addresses are logged.

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use super::prompt::Prompt;
use super::remote::{RequestTo, Wire};

pub const WIRE: Wire = Wire {
    name: "Gemini",
    ask,
    text,
    is_end: |event| event["candidates"][0]["finishReason"].is_string(),
};

/// Where it is unless the operator says otherwise.
pub const ADDRESS: &str = "https://generativelanguage.googleapis.com";
pub const MODEL: &str = "gemini-2.5-flash";

fn ask(to: RequestTo, prompt: &Prompt) -> RequestBuilder {
    let call = if to.streamed {
        "streamGenerateContent?alt=sse"
    } else {
        "generateContent"
    };
    let request = to.post(&format!("v1beta/models/{}:{call}", to.model));
    let request = match to.key {
        Some(key) => request.header("x-goog-api-key", key),
        None => request,
    };
    request.json(&json!({
        "systemInstruction": { "parts": [{ "text": prompt.rules }] },
        "contents": [{ "role": "user", "parts": [{ "text": prompt.data }] }],
        "generationConfig": { "temperature": 0, "responseMimeType": "application/json" },
    }))
}

/// Of the first candidate; its thoughts are not meant for anybody.
fn text(answer: &Value) -> Option<String> {
    let parts = answer["candidates"][0]["content"]["parts"].as_array()?;
    let spoken_parts = parts.iter().filter(|part| part["thought"] != json!(true));
    Some(
        spoken_parts
            .filter_map(|part| part["text"].as_str())
            .collect(),
    )
}
