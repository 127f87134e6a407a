//! A language model as the interviewer: `remote` asks it, by `gemini` or `openai`; `prompt` is what it
//! is asked, `reply_parser` reads its reply, `server_sent` a reply that comes in parts; `call_counts`: what became of calls.

pub(super) mod call_counts;
pub(super) mod gemini;
pub(super) mod openai;
pub(super) mod prompt;
pub(super) mod remote;
pub(super) mod reply_parser;
pub(super) mod server_sent;
