//! Lines for programs: one JSON object each.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Debug, Write};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;
use uuid::Uuid;

use super::is_hidden;
use crate::http::request_id;

pub struct JsonLines;

#[derive(Serialize)]
struct JsonLine<'a> {
    timestamp: String,
    level: &'static str,
    /// The part of the program that says it.
    target: &'a str,
    message: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    fields: BTreeMap<&'static str, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<Uuid>,
    /// What it happened in, from the outside in: there is none at the default level.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spans: Vec<String>,
}

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut recorded = RecordedFields::default();
        event.record(&mut recorded);
        let about = event.metadata();
        let line = JsonLine {
            timestamp: Timestamp::now().to_string(),
            level: about.level().as_str(),
            target: about.target(),
            message: recorded.message,
            fields: recorded.fields,
            request_id: request_id::current(),
            spans: spans(context),
        };
        let line = serde_json::to_string(&line).map_err(|_| fmt::Error)?;
        write_visibly(&mut writer, &line)?;
        writeln!(writer)
    }
}

fn spans<S, N>(context: &FmtContext<'_, S, N>) -> Vec<String>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    let scope = context.event_scope();
    let spans = scope.into_iter().flat_map(|scope| scope.from_root());
    let texts = spans.map(|span| {
        let extensions = span.extensions();
        let fields = extensions.get::<FormattedFields<N>>();
        let fields = fields.map_or("", |fields| fields.as_str());
        format!("{}{{{fields}}}", span.name())
    });
    texts.collect()
}

/// A line with nothing in it that is not seen: outside ASCII there are only texts in it, in which JSON
/// lets any letter stand as its number.
fn write_visibly(writer: &mut impl Write, json: &str) -> fmt::Result {
    for c in json.chars() {
        if is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
        } else {
            writer.write_char(c)?;
        }
    }
    Ok(())
}

/// An event's message and fields.
#[derive(Default)]
struct RecordedFields {
    message: String,
    fields: BTreeMap<&'static str, Value>,
}

impl RecordedFields {
    fn add(&mut self, field: &Field, value: Value) {
        let name = field.name().trim_start_matches("r#");
        self.fields.insert(name, value);
    }
}

impl Visit for RecordedFields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let text = format!("{value:?}");
        if field.name() == "message" {
            self.message = text;
        } else {
            self.add(field, text.into());
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            value.clone_into(&mut self.message);
        } else {
            self.add(field, value.into());
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value.into());
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.add(field, value.to_string().into());
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::logged_as;
    use super::*;

    fn logged(event: impl FnOnce()) -> String {
        logged_as(JsonLines, event)
    }

    #[test]
    fn a_line_is_one_object_with_the_types_of_its_fields() {
        let line = logged(|| tracing::warn!(count = 3, late = true, why = %"b", "{} files", 2));
        assert!(line.ends_with('\n') && line.lines().count() == 1, "{line}");
        let mut line: Value = serde_json::from_str(&line).unwrap();
        let timestamp = line["timestamp"].take();
        assert!(timestamp.as_str().unwrap().parse::<Timestamp>().is_ok());
        let expected = serde_json::json!({
            "timestamp": null, "level": "WARN", "target": "dispatch_server::log_lines::json::tests",
            "message": "2 files", "fields": { "count": 3, "late": true, "why": "b" },
        });
        assert_eq!(line, expected);
    }

    #[tokio::test]
    async fn a_line_of_a_request_has_its_id() {
        let id = Uuid::new_v4();
        let line = request_id::within(id, async { logged(|| tracing::info!("done")) }).await;
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(line["request_id"], id.to_string());
    }

    #[test]
    fn what_is_not_seen_is_written_as_its_number() {
        let hidden = "a\n\u{202e}b\u{e0041}\u{7f}";
        let line = logged(|| tracing::info!(text = hidden, "{hidden}"));
        assert!(line.trim_end().chars().all(|c| !is_hidden(c)), "{line}");
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(
            (&line["message"], &line["fields"]["text"]),
            (&hidden.into(), &hidden.into())
        );
    }
}
