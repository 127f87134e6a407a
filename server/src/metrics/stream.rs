//! The stream: who is connected, what they were sent, and who was cut off.

use std::fmt;

use super::families::{Families, NO_LABELS};
use super::sources::MetricSources;
use crate::socket::SessionKind;

pub(super) fn write(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    let (stream, sockets) = (sources.stream.read(), &sources.sockets);
    families.gauge(
        "dispatch_stream_sessions",
        "Clients that are connected to the stream, by what their screens show.",
        SessionKind::ALL.map(|kind| ([("kind", kind.name())], sockets.connected(kind) as f64)),
    )?;
    families.counter(
        "dispatch_stream_deliveries",
        "Times that a session was written what was new, which may be several messages at once.",
        [(NO_LABELS, stream.deliveries)],
    )?;
    families.counter(
        "dispatch_stream_readers_cut",
        "Sessions that were closed because they did not read what they were sent (behind), or did not \
         answer a ping (silent). Their clients come back by themselves.",
        [
            ([("reason", "behind")], stream.cut_behind),
            ([("reason", "silent")], stream.cut_silent),
        ],
    )?;
    families.counter(
        "dispatch_stream_recoveries",
        "Clients that came back: to be sent what they had missed (recovered), or to load everything \
         again, because they were away for too long or the log is another one (started-over).",
        [
            ([("outcome", "recovered")], sockets.recovered.get()),
            ([("outcome", "started-over")], sockets.not_recovered.get()),
        ],
    )
}
