//! HTTP requests, those for whose bodies there was no room, and the queue for the hashing of passwords,
//! which is their narrowest place.

use std::fmt;

use super::families::{Families, NO_LABELS};
use super::sources::MetricSources;
use crate::http::request_counts::STATUS_CLASSES;
use crate::identity::hash_queue_load;

pub(super) fn write(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    write_calls(families, sources)?;
    write_bodies(families, sources)?;
    write_passwords(families)
}

fn write_calls(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    let calls = sources.requests.calls();
    let by_status = calls.iter().flat_map(|((route, method), counts)| {
        let statuses = STATUS_CLASSES.iter().zip(&counts.by_status);
        let asked = statuses.filter(|(_, counter)| counter.get() > 0);
        asked.map(move |(status, counter)| {
            let labels = [
                ("route", route.as_str()),
                ("method", *method),
                ("status", *status),
            ];
            (labels, counter.get())
        })
    });
    families.counter(
        "dispatch_http_requests",
        "HTTP requests that were answered, by route, method and class of status. The route none is \
         that of the page and of whatever there is not. WebSockets are not in it.",
        by_status,
    )?;
    families.times(
        "dispatch_http_request_duration_seconds",
        "Time from the head of a request to the head of its answer. A long poll of the stream waits \
         for as long as there is nothing to say.",
        calls.iter().map(|((route, method), counts)| {
            ([("route", route.as_str()), ("method", *method)], counts.times.read())
        }),
    )
}

fn write_bodies(families: &mut Families<'_>, sources: &MetricSources) -> fmt::Result {
    families.counter(
        "dispatch_request_bodies_turned_away",
        "Requests that were answered busy because bodies that had not arrived whole held all the memory \
         there is for them.",
        [(NO_LABELS, sources.requests.bodies_turned_away().get())],
    )
}

fn write_passwords(families: &mut Families<'_>) -> fmt::Result {
    let load = hash_queue_load();
    families.gauge(
        "dispatch_password_queue_requests",
        "Requests that wait until a password can be hashed: of browsers and people that are known, \
         and of strangers.",
        [
            ([("lane", "known")], load.known as f64),
            ([("lane", "strangers")], load.strangers as f64),
        ],
    )?;
    families.gauge(
        "dispatch_password_hashes_running",
        "Passwords that are being hashed now.",
        [(NO_LABELS, load.hashing as f64)],
    )?;
    families.counter(
        "dispatch_password_queue_turned_away",
        "Requests that were answered busy because too many waited before them, or for too long.",
        [(NO_LABELS, load.turned_away)],
    )
}
