//! How what is logged is written: an event is one line, whatever texts of others are in it. A file's
//! name, a header or what another server answered could else end the line and begin one that this
//! server never wrote, or hide what stands before it.

mod json;
mod text;

use std::backtrace::BacktraceStatus;
use std::fmt::{self, Debug, Write};
use std::io::IsTerminal;

use clap::ValueEnum;
use serde::Deserialize;
use tracing::field::Field;
use tracing_subscriber::field::{MakeExt, MakeVisitor, RecordFields, VisitOutput};
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::{self, Writer};
use tracing_subscriber::layer::{Layered, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use crate::traces::TraceLayer;

/// How lines of the log are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line, for programs.
    Json,
}

/// Of lines or of traces.
type AnyLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Begins to write to standard error what the filter lets through, and to trace where there is a layer for it.
pub fn start(format: LogFormat, filter: EnvFilter, traces: Option<TraceLayer>) {
    subscriber(format, filter, traces).init();
}

fn subscriber(
    format: LogFormat,
    filter: EnvFilter,
    traces: Option<TraceLayer>,
) -> Layered<Vec<AnyLayer>, Registry> {
    // Whatever reads a log that nobody looks at finds text in it.
    let colours = std::io::stderr().is_terminal() && format == LogFormat::Text;
    let lines = tracing_subscriber::fmt::layer()
        .fmt_fields(OneLine)
        .with_writer(std::io::stderr)
        .with_ansi(colours);
    let lines = match format {
        LogFormat::Text => lines
            .event_format(text::TextLines::new(colours))
            .with_filter(filter)
            .boxed(),
        LogFormat::Json => lines
            .event_format(json::JsonLines)
            .with_filter(filter)
            .boxed(),
    };
    // Each of them has a filter. With one that has none (no traces as `None`, say) nothing is ever disabled, and each
    // request would describe itself for nobody.
    let layers = traces.into_iter().chain([lines]);
    tracing_subscriber::registry().with(layers.collect::<Vec<_>>())
}

/// Writes an event's message and fields as usual, on one line.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneLine;

impl<'writer> FormatFields<'writer> for OneLine {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        let make = format::debug_fn(write_field).delimited(" ");
        let mut visitor = make.make_visitor(writer);
        fields.record(&mut visitor);
        visitor.finish()
    }
}

fn write_field(writer: &mut Writer<'_>, field: &Field, value: &dyn Debug) -> fmt::Result {
    let name = field.name();
    if name != "message" {
        write!(writer, "{}=", name.trim_start_matches("r#"))?;
    }
    write!(Escaped(writer), "{value:?}")
}

struct Escaped<'a, 'w>(&'a mut Writer<'w>);

impl Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if is_hidden(c) {
                write!(self.0, "{}", c.escape_default())?;
            } else {
                self.0.write_char(c)?;
            }
        }
        Ok(())
    }
}

/// Control characters (line ends, terminal sequences), those that turn the direction of text or begin
/// another line, those of no width, and those that are reserved or private: none of them is a letter
/// that anybody reads.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            u32::from(c),
            0xAD | 0x034F
                | 0x061C
                | 0x115F..=0x1160
                | 0x17B4..=0x17B5
                | 0x180B..=0x180F
                | 0x200B..=0x200F
                | 0x2028..=0x202E
                | 0x2060..=0x206F
                | 0x3164
                | 0xE000..=0xF8FF
                | 0xFE00..=0xFE0F
                | 0xFEFF
                | 0xFFA0
                | 0xFFF0..=0xFFFF
                | 0xE0000..=0x10FFFF
        )
}

/// A text of somebody else's in a line for a person: on one line, with nothing in it that is not seen.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// What a thread died of, as a line of the log: the standard library's own is several, with whatever is
/// in the message.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("no message");
        let location = panic.location().map(ToString::to_string);
        let location = location.unwrap_or_default();
        // Empty unless RUST_BACKTRACE asks for it.
        let trace = std::backtrace::Backtrace::capture();
        match trace.status() {
            BacktraceStatus::Captured => {
                tracing::error!(%trace, "panicked at {location}: {message}");
            }
            _ => tracing::error!("panicked at {location}: {message}"),
        }
    }));
}

/// A name as a line begins with it: as it is, or in quotes where something in it could be taken for
/// what the server says.
pub fn name(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let is_name = !name.is_empty() && name.chars().all(plain);
    if is_name {
        name.to_owned()
    } else {
        format!("{name:?}")
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing::callsite::Identifier;
    use tracing::field::FieldSet;
    use tracing::metadata::Kind;
    use tracing::subscriber::Interest;
    use tracing::{Callsite, Level, Metadata, Subscriber};
    use tracing_subscriber::fmt::FormatEvent;

    use super::*;
    use crate::http::request_id;

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Log {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Says of spans of this target whether any of the log's layers wants them.
    struct SpanOf(&'static Metadata<'static>);

    impl Callsite for SpanOf {
        fn set_interest(&self, _: Interest) {}

        fn metadata(&self) -> &Metadata<'_> {
            self.0
        }
    }

    #[test]
    fn what_the_filter_leaves_out_costs_nothing() {
        static QUIET: SpanOf = SpanOf(&Metadata::new(
            "request",
            "quiet",
            Level::INFO,
            None,
            None,
            None,
            FieldSet::new(&[], Identifier(&QUIET)),
            Kind::SPAN,
        ));
        let traces = || tracing_subscriber::fmt::layer().with_filter(EnvFilter::new("traces"));
        for (filter, is_left_out) in [("info,quiet=error", true), ("info", false)] {
            for traces in [None, Some(traces().boxed())] {
                let log = subscriber(LogFormat::Text, EnvFilter::new(filter), traces);
                assert_eq!(
                    log.register_callsite(QUIET.0).is_never(),
                    is_left_out,
                    "{filter}"
                );
            }
        }
    }

    fn logged(event: impl FnOnce()) -> String {
        logged_as(text::TextLines::new(false), event)
    }

    pub(super) fn logged_as<Lines>(lines: Lines, event: impl FnOnce()) -> String
    where
        Lines: FormatEvent<Registry, OneLine> + Send + Sync + 'static,
    {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .fmt_fields(OneLine)
            .event_format(lines)
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, event);
        log.text()
    }

    #[test]
    fn an_event_is_one_line_whatever_is_in_it() {
        let bad = "a\nINFO forged\r\u{1b}[2J\u{202e}b\u{2028}c\0";
        let log = logged(|| {
            let span = tracing::info_span!("request", agent = bad);
            let _in = span.enter();
            tracing::warn!(error = %bad, debug = ?bad, text = bad, "{bad}: refused");
        });
        assert_eq!(log.lines().count(), 1, "{log}");
        let line = log.trim_end();
        assert!(!line.chars().any(is_hidden), "{line:?}");
        assert!(
            line.contains(
                r"a\nINFO forged\r\u{1b}[2J\u{202e}b\u{2028}c\u{0}: refused error=a\nINFO"
            ),
            "{line}"
        );
    }

    #[test]
    fn what_is_not_seen_is_written_as_its_number() {
        let hidden = [
            "\u{ad}",
            "\u{180e}",
            "\u{202e}",
            "\u{200b}",
            "\u{e0041}",
            "\u{1b}",
        ];
        for text in hidden {
            let number = text.escape_default().to_string();
            assert_eq!(one_line(text), number);
            let log = logged(|| tracing::info!("{text}"));
            assert!(log.trim_end().ends_with(&number), "{log:?}");
        }
        assert_eq!(one_line("a\nb"), r"a\nb");
        assert_eq!(one_line("Jürgen Łódź 王 🚗"), "Jürgen Łódź 王 🚗");
    }

    #[test]
    fn a_panic_is_one_line() {
        let before = std::panic::take_hook();
        log_panics();
        let log = logged(|| {
            let panic = std::panic::catch_unwind(|| panic!("a\nINFO forged"));
            assert!(panic.is_err());
        });
        std::panic::set_hook(before);
        assert_eq!(log.lines().count(), 1, "{log}");
        assert!(
            log.contains("panicked at server/src/log_lines.rs:"),
            "{log}"
        );
        assert!(log.contains(r": a\nINFO forged"), "{log}");
    }

    #[tokio::test]
    async fn a_line_of_a_request_ends_with_its_id() {
        let id = uuid::Uuid::new_v4();
        let log = request_id::within(id, async { logged(|| tracing::info!(count = 3, "done")) });
        let log = log.await;
        let end = format!(": done count=3 request_id={id}\n");
        assert!(log.ends_with(&end) && log.lines().count() == 1, "{log}");
    }

    #[test]
    fn what_is_usual_is_written_as_it_is() {
        let log = logged(|| tracing::info!(count = 3, path = %"/a b/ü", "Größe: 1 créé"));
        assert!(
            log.ends_with(": Größe: 1 créé count=3 path=/a b/ü\n"),
            "{log}"
        );
        assert_eq!(name("orders-2.csv"), "orders-2.csv");
        assert_eq!(name("a: 5 created"), "\"a: 5 created\"");
        assert_eq!(name("a\nb"), r#""a\nb""#);
    }
}
