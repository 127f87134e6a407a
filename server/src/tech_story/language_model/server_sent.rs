//! Server-sent events: those of a provider read as their bytes come, and our own written.

use serde::Serialize;

/// What has come of a stream and is no whole event yet.
#[derive(Default)]
pub struct Events {
    rest: Vec<u8>,
    data: String,
}

impl Events {
    /// The data of the events that are whole now.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<String> {
        self.rest.extend_from_slice(bytes);
        let mut whole = Vec::new();
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches(['\n', '\r']);
            if line.is_empty() {
                if !self.data.is_empty() {
                    whole.push(std::mem::take(&mut self.data));
                }
            } else if let Some(data) = line.strip_prefix("data:") {
                if !self.data.is_empty() {
                    self.data.push('\n');
                }
                self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
            }
        }
        whole
    }
}

/// One event. JSON has no line ends of its own.
pub fn event(name: &str, data: &impl Serialize) -> String {
    // Fails for maps with keys that are no texts; here is none.
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_wherever_their_bytes_are_cut() {
        let stream = ": hello\r\ndata: {\"é\":1}\r\n\r\nevent: x\ndata: a\ndata:b\n\ndata: left";
        for cut in 0..stream.len() {
            let mut events = Events::default();
            let (first, second) = stream.as_bytes().split_at(cut);
            let mut read = events.take(first);
            read.extend(events.take(second));
            assert_eq!(read, ["{\"é\":1}", "a\nb"], "cut at {cut}");
        }
    }

    #[test]
    fn an_event_is_written_on_lines_of_its_own() {
        let written = event("progress", &serde_json::json!({ "text": "a\nb" }));
        assert_eq!(written, "event: progress\ndata: {\"text\":\"a\\nb\"}\n\n");
    }
}
