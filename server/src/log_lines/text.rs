//! Lines for people, and for programs that read the trail: as they are usually written, and at the end
//! the request that they belong to.

use std::fmt;

use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{Format, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::http::request_id;

pub struct TextLines(Format);

impl TextLines {
    /// `colours`: for a terminal.
    pub fn new(colours: bool) -> Self {
        Self(Format::default().with_ansi(colours))
    }
}

impl<S, N> FormatEvent<S, N> for TextLines
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
        let Some(request_id) = request_id::current() else {
            return self.0.format_event(context, writer, event);
        };
        let mut line = String::new();
        self.0
            .format_event(context, Writer::new(&mut line), event)?;
        writeln!(writer, "{} request_id={request_id}", line.trim_end())
    }
}
