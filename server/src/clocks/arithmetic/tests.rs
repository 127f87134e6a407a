use std::collections::BTreeMap;

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use jiff::civil::{DateTime, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap()
}

/// Chicago's clock.
fn local(at: DateTime) -> Timestamp {
    at.to_zoned(zone("America/Chicago")).unwrap().timestamp()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn job(job: i32) -> Work {
    Work {
        order: RoNumber::try_from(7).unwrap(),
        job,
    }
}

fn entry(id: i64, from: Timestamp, to: Option<Timestamp>, work: Option<Work>) -> Entry {
    Entry {
        id,
        started_at: from,
        ended_at: to,
        work,
        corrected: false,
    }
}

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

fn minutes(minutes: i64) -> SignedDuration {
    SignedDuration::from_mins(minutes)
}

const NOON: &str = "2026-11-18T12:00:00Z";

fn chain(running: Option<Entry>, last: Option<Entry>) -> Chain {
    Chain { running, last }
}

#[test]
fn each_tap_does_what_its_name_says_and_a_tap_without_effect_changes_nothing() {
    let now = at(NOON);
    let begun = now - hours(1);
    let off = Chain::default();
    let idle = chain(Some(entry(1, begun, None, None)), None);
    let on_job = chain(Some(entry(1, begun, None, Some(job(1)))), None);
    let turns = |begins| TapEffect::Changed { at: now, begins };
    let (stays, to_idle, to_job) = (
        TapEffect::Unchanged,
        turns(Some(None)),
        turns(Some(Some(job(1)))),
    );
    for (action, from_off, from_idle, from_job) in [
        (Action::ClockIn, to_idle, stays, stays),
        (Action::Start(job(1)), to_job, to_job, stays),
        (Action::Stop(None), stays, stays, to_idle),
        (Action::Stop(Some(job(1))), stays, stays, to_idle),
        (Action::Stop(Some(job(2))), stays, stays, stays),
        (Action::Finish(job(1)), stays, stays, to_idle),
        (Action::Finish(job(2)), stays, stays, stays),
        (Action::Reopen(job(1)), stays, stays, stays),
        (Action::ClockOut, stays, turns(None), turns(None)),
    ] {
        for (from, expected) in [(off, from_off), (idle, from_idle), (on_job, from_job)] {
            let effect = from.tap(action, TapTime::Now, now);
            assert_eq!(effect, Ok(expected), "{action:?} from {from:?}");
        }
    }
    let switched = on_job.tap(Action::Start(job(2)), TapTime::Now, now);
    assert_eq!(switched, Ok(turns(Some(Some(job(2))))));
}

#[test]
fn a_tap_may_come_up_to_a_day_late_and_a_minute_early() {
    let now = at(NOON);
    for (tapped, expected) in [
        (None, Ok(TapTime::Now)),
        (Some(now), Ok(TapTime::Now)),
        (Some(now + minutes(1)), Ok(TapTime::Now)),
        (
            Some(now + minutes(1) + SignedDuration::from_millis(1)),
            Err(ClockRefusal::InFuture),
        ),
        (Some(now - hours(24)), Ok(TapTime::At(now - hours(24)))),
        (
            Some(now - hours(24) - SignedDuration::from_millis(1)),
            Err(ClockRefusal::TooOld),
        ),
    ] {
        assert_eq!(TapTime::at(tapped, now), expected, "{tapped:?}");
    }
}

#[test]
fn a_late_tap_lies_after_earlier_taps() {
    let now = at(NOON);
    let running = entry(2, now - hours(1), None, Some(job(1)));
    let last = entry(1, now - hours(3), Some(now - hours(1)), None);
    let early = TapTime::At(now - hours(2));
    let refused = chain(Some(running), Some(last)).tap(Action::ClockOut, early, now);
    assert_eq!(
        refused,
        Err(ClockRefusal::EndsBeforeItBegins(Some(running)))
    );
    let refused = chain(None, Some(last)).tap(Action::ClockIn, early, now);
    assert_eq!(refused, Err(ClockRefusal::Overlaps(last)));
    // A tap that changes nothing conflicts with nothing.
    let stays = chain(Some(running), Some(last)).tap(Action::Start(job(1)), early, now);
    assert_eq!(stays, Ok(TapEffect::Unchanged));
}

#[test]
fn a_device_clock_that_was_ahead_does_not_lock_the_technician_out() {
    let now = at(NOON);
    let ahead = now + minutes(5);
    let running = entry(1, ahead, None, None);
    let effect = chain(Some(running), None).tap(Action::ClockOut, TapTime::Now, now);
    let begins = None;
    assert_eq!(effect, Ok(TapEffect::Changed { at: ahead, begins }));
}

#[test]
fn an_entry_is_forgotten_after_a_shift_or_past_midnight_until_it_is_corrected() {
    let chicago = zone("America/Chicago");
    let day = |hour, minute| local(date(2026, 11, 18).at(hour, minute, 0, 0));
    let next = |hour, minute| local(date(2026, 11, 19).at(hour, minute, 0, 0));
    for (from, to, now, forgotten) in [
        (day(7, 0), Some(day(19, 0)), day(20, 0), false),
        (day(7, 0), Some(day(19, 1)), day(20, 0), true),
        (day(7, 0), None, day(19, 0), false),
        (day(7, 0), None, day(19, 1), true),
        (day(20, 0), None, next(0, 0), false),
        (day(20, 0), None, next(0, 1), true),
        (day(20, 0), Some(next(0, 0)), next(9, 0), false),
        (day(20, 0), Some(next(6, 30)), next(9, 0), true),
    ] {
        let mut one = entry(1, from, to, None);
        assert_eq!(one.is_forgotten(now, &chicago), forgotten, "{one:?}");
        one.corrected = true;
        assert!(!one.is_forgotten(now, &chicago));
    }
}

#[test]
fn a_correction_may_touch_its_neighbours_and_not_their_time() {
    let now = at(NOON);
    let ago = |hours_ago| now - hours(hours_ago);
    let others = [
        entry(1, ago(8), Some(ago(6)), None),
        entry(2, ago(6), Some(ago(4)), None),
        entry(3, ago(2), None, None),
    ];
    let fits =
        |id, from: i64, to: Option<i64>| entry(id, ago(from), to.map(ago), None).fits(&others, now);
    assert_eq!(fits(0, 4, Some(2)), Ok(()));
    assert_eq!(fits(0, 4, Some(1)), Err(ClockRefusal::Overlaps(others[2])));
    assert_eq!(fits(0, 5, Some(2)), Err(ClockRefusal::Overlaps(others[1])));
    assert_eq!(fits(2, 6, Some(3)), Ok(()), "it may take its own time");
    assert_eq!(
        fits(2, 6, Some(6)),
        Err(ClockRefusal::EndsBeforeItBegins(None))
    );
    assert_eq!(
        fits(2, 5, Some(6)),
        Err(ClockRefusal::EndsBeforeItBegins(None))
    );
    assert_eq!(fits(3, 4, None), Ok(()), "what runs may have begun earlier");
    assert_eq!(fits(3, 5, None), Err(ClockRefusal::Overlaps(others[1])));
    assert_eq!(fits(3, -1, None), Err(ClockRefusal::InFuture));
    assert_eq!(fits(3, 2, Some(-1)), Err(ClockRefusal::InFuture));
}

#[test]
fn days_are_as_long_as_the_clocks_of_the_zone_make_them() {
    let chicago = zone("America/Chicago");
    for (day, length) in [
        (date(2026, 3, 8), 23),
        (date(2026, 11, 1), 25),
        (date(2026, 11, 18), 24),
    ] {
        let begins = midnight(day, &chicago).unwrap();
        let ends = midnight(day.tomorrow().unwrap(), &chicago).unwrap();
        let around = entry(1, begins - hours(30), Some(ends + hours(30)), Some(job(1)));
        let clocked = Clocked::within(&[around], begins, ends);
        assert_eq!(clocked.on_jobs, hours(length), "{day}");
    }
    // Cairo's clocks went from 00:00 to 01:00: that day began with 01:00 and had 23 hours.
    let cairo = zone("Africa/Cairo");
    let begins = midnight(date(2026, 4, 24), &cairo).unwrap();
    assert_eq!(begins, at("2026-04-23T22:00:00Z"));
}

#[test]
fn a_week_begins_with_monday_also_across_a_change_of_the_clocks() {
    let chicago = |at: DateTime| at.to_zoned(zone("America/Chicago")).unwrap();
    for (now, today, week) in [
        // Sunday 8 March 2026 has 23 hours.
        (
            date(2026, 3, 8).at(23, 0, 0, 0),
            "2026-03-08T06:00:00Z",
            "2026-03-02T06:00:00Z",
        ),
        (
            date(2026, 3, 9).at(0, 0, 0, 0),
            "2026-03-09T05:00:00Z",
            "2026-03-09T05:00:00Z",
        ),
        (
            date(2026, 11, 1).at(12, 0, 0, 0),
            "2026-11-01T05:00:00Z",
            "2026-10-26T05:00:00Z",
        ),
    ] {
        let calendar = Calendar::at(&chicago(now)).unwrap();
        assert_eq!((calendar.today, calendar.week), (at(today), at(week)));
    }
}

#[test]
fn flagged_are_the_forgotten_ones_of_this_week() {
    let chicago = zone("America/Chicago");
    let day = |day, hour| local(date(2026, 11, day).at(hour, 0, 0, 0));
    let now = day(18, 12);
    let week = day(16, 0);
    let mut corrected = entry(4, day(17, 6), Some(day(17, 19)), None);
    corrected.corrected = true;
    let entries = [
        entry(1, day(13, 17), Some(day(14, 7)), None),
        // From Sunday into Monday.
        entry(2, day(15, 17), Some(day(16, 7)), None),
        entry(3, day(16, 8), Some(day(16, 17)), None),
        corrected,
        entry(5, day(17, 19), None, None),
    ];
    assert_eq!(flagged(&entries, week, now, &chicago), 2);
}

const ANN: TechnicianId = 11;
const BEN: TechnicianId = 12;

fn finished(
    finisher: TechnicianId,
    sold: Option<i64>,
    clocked: &[(TechnicianId, SignedDuration)],
) -> FinishedWork {
    FinishedWork {
        finisher,
        sold,
        clocked: clocked.iter().copied().collect(),
    }
}

/// By hand, of Ann's jobs of a week:
///
/// | sold | clocked by Ann | by Ben | finished by | Ann's part  |
/// |------|----------------|--------|-------------|-------------|
/// | 1.50 | 1.25 h         |        | Ann         | 1.50        |
/// | 0.80 | 0.25 h         | 0.75 h | Ben         | 0.20        |
/// | -    | 2 h            |        | Ann         | no hours    |
/// | 0.50 |                |        | Ann         | 0.50        |
/// | 1.60 |                | 1 h    | Ann         | nothing     |
///
/// Sold 2.20 h over clocked 1.50 h is 146.7 %.
#[test]
fn efficiency_is_the_part_in_sold_hours_over_clocked_hours_of_finished_jobs() {
    let jobs = [
        finished(ANN, Some(150), &[(ANN, minutes(75))]),
        finished(BEN, Some(80), &[(ANN, minutes(15)), (BEN, minutes(45))]),
        finished(ANN, None, &[(ANN, hours(2))]),
        finished(ANN, Some(50), &[]),
        finished(ANN, Some(160), &[(BEN, hours(1))]),
    ];
    let efficiency = Efficiency::of(ANN, &jobs);
    assert_eq!(efficiency.sold_hours(), 2.20);
    assert_eq!(efficiency.clocked_hours(), 1.50);
    assert_eq!(efficiency.jobs_without_hours, 1);
    assert_eq!(efficiency.percent(), Some(146.7));
    // Nothing was clocked on what is finished.
    let none = Efficiency::of(ANN, &jobs[3..]);
    assert_eq!((none.percent(), none.sold_hours()), (None, 0.5));
}

#[test]
fn two_seconds_on_a_job_of_an_hour_earn_next_to_nothing_of_it() {
    let two_seconds = SignedDuration::from_secs(2);
    let job = finished(BEN, Some(160), &[(ANN, hours(1)), (BEN, two_seconds)]);
    assert_eq!(job.shares(), BTreeMap::from([(ANN, 160), (BEN, 0)]));
}

proptest! {
    #[test]
    fn the_parts_of_a_job_add_up_to_what_was_sold_and_who_clocked_more_has_no_less(
        sold in 0..100_000i64,
        finisher in 1..6i64,
        clocked in proptest::collection::btree_map(1..6i64, 0..50_000_000i64, 0..5),
    ) {
        let time = |(id, ms): (&i64, &i64)| (*id, SignedDuration::from_millis(*ms));
        let clocked: Vec<_> = clocked.iter().map(time).collect();
        let job = finished(finisher, Some(sold), &clocked);
        let shares = job.shares();
        prop_assert_eq!(shares.values().sum::<i64>(), sold);
        for (technician, share) in &shares {
            prop_assert!(*share >= 0);
            prop_assert!(*share == 0 || job.has(*technician));
        }
        for (one, his) in &job.clocked {
            for (other, hers) in &job.clocked {
                if his > hers && shares.len() > 1 {
                    prop_assert!(shares[one] >= shares[other]);
                }
            }
        }
    }
}

/// A technician's taps, each some milliseconds after the one before; some come late.
#[derive(Clone, Debug)]
struct Story {
    zone: &'static str,
    begins: Timestamp,
    taps: Vec<(i64, Action, i64)>,
}

fn action() -> impl Strategy<Value = Action> {
    let work = || (1..4).prop_map(job);
    prop_oneof![
        2 => Just(Action::ClockIn),
        6 => work().prop_map(Action::Start),
        2 => Just(Action::Stop(None)),
        1 => work().prop_map(|work| Action::Stop(Some(work))),
        3 => work().prop_map(Action::Finish),
        1 => work().prop_map(Action::Reopen),
        2 => Just(Action::ClockOut),
    ]
}

fn story() -> impl Strategy<Value = Story> {
    let zones = select(
        &[
            "America/Chicago",
            "Europe/Berlin",
            "Asia/Kolkata",
            "Pacific/Auckland",
            "Australia/Lord_Howe",
            "America/St_Johns",
            "Africa/Cairo",
            "UTC",
        ][..],
    );
    // Over changes of the clocks, in spring and in autumn.
    let begins = select(
        &[
            "2026-03-06T20:00:00Z",
            "2026-03-28T05:00:00Z",
            "2026-04-03T10:00:00Z",
            "2026-04-22T10:00:00Z",
            "2026-09-25T10:00:00Z",
            "2026-10-24T05:00:00Z",
            "2026-10-30T20:00:00Z",
        ][..],
    );
    // From the same millisecond to more than a day.
    let pause = prop_oneof![
        1 => Just(0_i64),
        4 => 0..60_000_i64,
        8 => 0..7_200_000_i64,
        1 => 0..100_000_000_i64,
    ];
    let late = prop_oneof![4 => Just(0_i64), 1 => 0..90_000_000_i64];
    let taps = vec((pause, action(), late), 1..40);
    (zones, begins, taps).prop_map(|(zone, begins, taps)| Story {
        zone,
        begins: at(begins),
        taps,
    })
}

/// Carries a turn out, as the store does.
fn apply_effect(entries: &mut Vec<Entry>, effect: TapEffect) {
    let TapEffect::Changed { at, begins } = effect else {
        return;
    };
    if let Some(running) = entries.iter_mut().find(|entry| entry.runs()) {
        running.ended_at = Some(at);
    }
    if let Some(work) = begins {
        let id = entries.len() as i64 + 1;
        entries.push(entry(id, at, None, work));
    }
}

fn millis(milliseconds: i64) -> SignedDuration {
    SignedDuration::from_millis(milliseconds)
}

/// Every entry there is after these taps, and when the last of them was; and what runs after each.
fn live(story: &Story) -> (Vec<Entry>, Timestamp) {
    let mut entries = Vec::new();
    let mut now = story.begins;
    for (pause, action, late) in &story.taps {
        now += millis(*pause);
        let late = (*late > 0).then(|| now - millis(*late));
        let chain = Chain::of(&entries);
        if let Ok(effect) =
            TapTime::at(late, now).and_then(|tapped| chain.tap(*action, tapped, now))
        {
            apply_effect(&mut entries, effect);
        }
    }
    (entries, now)
}

proptest! {
    #[test]
    fn entries_never_overlap_and_one_at_most_runs(story in story()) {
        let (entries, _) = live(&story);
        prop_assert!(entries.iter().filter(|entry| entry.runs()).count() <= 1);
        for pair in entries.windows(2) {
            let ended = pair[0].ended_at.unwrap();
            prop_assert!(pair[0].started_at <= ended);
            prop_assert!(ended <= pair[1].started_at);
            prop_assert!(!pair[0].overlaps(&pair[1]));
        }
    }

    #[test]
    fn the_chain_has_no_gap_from_clocking_in_to_clocking_out(story in story()) {
        let mut entries = Vec::new();
        let mut now = story.begins;
        // Moments at which the technician went off the clock and came back.
        let (mut left, mut came) = (Vec::new(), Vec::new());
        for (pause, action, late) in &story.taps {
            now += millis(*pause);
            let late = (*late > 0).then(|| now - millis(*late));
            let chain = Chain::of(&entries);
            let effect = TapTime::at(late, now).and_then(|tapped| chain.tap(*action, tapped, now));
            let Ok(effect) = effect else { continue };
            if let TapEffect::Changed { at, begins } = effect {
                if chain.running.is_none() {
                    came.push(at);
                } else if begins.is_none() {
                    left.push(at);
                }
            }
            apply_effect(&mut entries, effect);
        }
        let attended = Clocked::within(&entries, story.begins - hours(48), now).attended;
        left.resize(came.len(), now);
        let on_the_clock: SignedDuration = came
            .iter()
            .zip(&left)
            .map(|(came, left)| left.duration_since(*came))
            .sum();
        prop_assert_eq!(attended, on_the_clock);
    }

    #[test]
    fn days_add_up_to_the_whole(story in story()) {
        let zone = zone(story.zone);
        let (entries, now) = live(&story);
        let first = (story.begins - hours(48)).to_zoned(zone.clone()).date();
        let begins = midnight(first, &zone).unwrap();
        let mut sum = Clocked::default();
        let mut day = first;
        loop {
            let tomorrow = day.tomorrow().unwrap();
            let (from, to) = (midnight(day, &zone).unwrap(), midnight(tomorrow, &zone).unwrap());
            let of_day = Clocked::within(&entries, from, to.min(now));
            prop_assert!(of_day.attended <= to.duration_since(from));
            prop_assert!(of_day.on_jobs <= of_day.attended);
            sum.on_jobs += of_day.on_jobs;
            sum.attended += of_day.attended;
            if to >= now {
                break;
            }
            day = tomorrow;
        }
        prop_assert_eq!(sum, Clocked::within(&entries, begins, now));
    }

    #[test]
    fn a_restart_changes_nothing(story in story(), restart in 0..40_usize) {
        let (whole, _) = live(&story);
        let place = restart.min(story.taps.len());
        let (before, after) = story.taps.split_at(place);
        let first = Story { taps: before.to_vec(), ..story.clone() };
        let (mut entries, mut now) = live(&first);
        // Rows come back in any order.
        entries.reverse();
        for (pause, action, late) in after {
            now += millis(*pause);
            let late = (*late > 0).then(|| now - millis(*late));
            let chain = Chain::of(&entries);
            if let Ok(effect) =
                TapTime::at(late, now).and_then(|tapped| chain.tap(*action, tapped, now))
            {
                apply_effect(&mut entries, effect);
            }
        }
        entries.sort_by_key(|entry| entry.id);
        prop_assert_eq!(entries, whole);
    }

    #[test]
    fn a_tap_that_is_repeated_changes_nothing_more(story in story(), action in action()) {
        let (mut entries, now) = live(&story);
        if let Ok(effect) = Chain::of(&entries).tap(action, TapTime::Now, now) {
            apply_effect(&mut entries, effect);
            let again = Chain::of(&entries).tap(action, TapTime::Now, now);
            prop_assert_eq!(again, Ok(TapEffect::Unchanged));
        }
    }
}
