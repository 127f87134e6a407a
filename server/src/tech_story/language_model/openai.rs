//! OpenAI's chat completions, as many others serve them, a model on the dealer's own machine among
//! them.

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use super::prompt::Prompt;
use super::remote::{RequestTo, Wire};

pub const WIRE: Wire = Wire {
    name: "OpenAI-compatible",
    ask,
    text,
    is_end: |event| event["choices"][0]["finish_reason"].is_string(),
};

fn ask(to: RequestTo, prompt: &Prompt) -> RequestBuilder {
    let request = to.post("chat/completions");
    let request = match to.key {
        Some(key) => request.bearer_auth(key),
        None => request,
    };
    request.json(&json!({
        "model": to.model,
        "messages": [
            { "role": "system", "content": prompt.rules },
            { "role": "user", "content": prompt.data },
        ],
        "temperature": 0,
        "stream": to.streamed,
    }))
}

/// Whole, or a piece of a stream.
fn text(answer: &Value) -> Option<String> {
    let choice = &answer["choices"][0];
    choice["message"]["content"]
        .as_str()
        .or_else(|| choice["delta"]["content"].as_str())
        .map(str::to_owned)
}
