//! The machine's clock, and the shop's time zone.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::process::Command;
use tokio::time::timeout;

use super::Patient;
use super::finding::Finding;
use crate::shop_settings::{machine_zone, unnamed_machine_zone};

const CHECK: &str = "clock";

/// systemd answers at once, or not at all.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

/// The events of a machine whose clock is set a little back are no sign of a wrong one.
const TOLERANCE: SignedDuration = SignedDuration::from_secs(60);

pub(super) async fn check(patient: &Patient, newest_event: Option<Timestamp>) -> Vec<Finding> {
    vec![
        clock(Timestamp::now(), newest_event, is_synchronised().await),
        time_zone(patient),
    ]
}

fn clock(now: Timestamp, newest_event: Option<Timestamp>, synchronised: Option<bool>) -> Finding {
    let shown = now.strftime("%Y-%m-%d %H:%M:%S UTC");
    if let Some(newest) = newest_event
        && newest > now + TOLERANCE
    {
        return Finding::wrong(
            CHECK,
            format!("it is {shown}, and the newest change in the database is of {newest}"),
            "set the clock; if that time is to come, the clock was ahead before",
        );
    }
    match synchronised {
        Some(true) => Finding::ok(CHECK, format!("it is {shown}, synchronised by NTP")),
        Some(false) => Finding::warning(
            CHECK,
            format!("it is {shown}, and nothing keeps the clock right"),
            "timedatectl set-ntp true",
        ),
        None => Finding::ok(
            CHECK,
            format!("it is {shown}; whether it is synchronised this machine does not say"),
        ),
    }
}

/// None where systemd does not tell.
async fn is_synchronised() -> Option<bool> {
    let asked = Command::new("timedatectl")
        .args(["show", "--property=NTPSynchronized", "--value"])
        .kill_on_drop(true)
        .output();
    let answer = timeout(ANSWER_TIMEOUT, asked).await.ok()?.ok()?;
    match answer.stdout.trim_ascii() {
        b"yes" => Some(true),
        b"no" => Some(false),
        _ => None,
    }
}

/// An option that names no zone is refused before this.
fn time_zone(patient: &Patient) -> Finding {
    const CHECK: &str = "time zone";
    let zone = &patient.config.shop.time_zone;
    let option = zone.as_ref().and_then(|zone| zone.iana_name());
    match (option, unnamed_machine_zone()) {
        (Some(name), _) => Finding::ok(CHECK, format!("{name}, by --time-zone")),
        (None, Some(name)) => Finding::warning(
            CHECK,
            format!("TZ is '{name}', which is not the name of a time zone, so UTC is used"),
            "set TZ or --time-zone to a name such as America/Chicago",
        ),
        (None, None) => {
            let machine = machine_zone();
            let machine = machine.iana_name().unwrap_or("UTC");
            Finding::ok(
                CHECK,
                format!("as the set-up page kept it, else the machine's ({machine})"),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::*;

    #[test]
    fn a_change_of_the_future_tells_that_the_clock_is_wrong() {
        let now: Timestamp = "2026-11-24T12:00:00Z".parse().unwrap();
        let after = |seconds| Some(now + SignedDuration::from_secs(seconds));
        for (newest, synchronised, verdict) in [
            (after(3_600), Some(true), Verdict::Wrong),
            (after(5), Some(true), Verdict::Ok),
            (after(-3_600), None, Verdict::Ok),
            (None, Some(false), Verdict::Warning),
        ] {
            assert_eq!(clock(now, newest, synchronised).verdict, verdict);
        }
    }
}
