//! The demo shop's clocks: what its technicians have worked on by now, and what they do next, by the
//! same code as everybody's taps.

use std::time::Duration;

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::sample_shop::SampleClocks;
use jiff::Timestamp;
use jiff::civil::Time;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::DemoShop;
use crate::change_request::AnswerKeeper;
use crate::clocks::{Action, Entry, Finished, Running, TapRequest, Work};
use crate::error::ApiError;

pub(super) async fn fill(state: &DemoShop, clocks: &SampleClocks) -> Result<(), ApiError> {
    let entries: Vec<(TechnicianId, Entry)> = clocks
        .entries
        .iter()
        .map(|entry| {
            let entry_of = Entry {
                id: 0,
                started_at: entry.started_at,
                ended_at: entry.ended_at,
                work: entry.work.map(|(order, job)| Work { order, job }),
                corrected: false,
            };
            (entry.technician, entry_of)
        })
        .collect();
    let finished: Vec<Finished> = clocks
        .finished
        .iter()
        .map(|one| Finished {
            work: Work {
                order: one.number,
                job: one.job_number,
            },
            technician: one.technician,
            at: one.at,
        })
        .collect();
    state.clocks.begin_with(&entries, &finished).await
}

/// These technicians at work, until the server stops.
pub(super) async fn keep_moving(state: DemoShop, technicians: &[TechnicianId], seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    loop {
        let pause = Duration::from_millis(rng.random_range(2_000..6_000));
        actix_web::rt::time::sleep(pause).await;
        let Some(technician) = technicians.choose(&mut rng).copied() else {
            return;
        };
        // An order may be closed meanwhile, or somebody else tapped; the shop goes on.
        if let Err(error) = move_on(&state, &mut rng, technician).await {
            tracing::debug!(%error, technician, "a demo tap was refused");
        }
    }
}

async fn move_on(
    state: &DemoShop,
    rng: &mut StdRng,
    technician: TechnicianId,
) -> Result<(), ApiError> {
    let clock = state.clocks.of(technician).await?;
    // Who forgot to clock out stays so, until somebody puts it right.
    if clock.running.is_some_and(|running| running.forgotten) {
        return Ok(());
    }
    let is_done = |work: &Work| {
        clock
            .finished_jobs
            .iter()
            .any(|done| (done.ro_number, done.job_number) == (work.order.get(), work.job))
    };
    let running = state.clocks.running().remove(&technician);
    let to_do: Vec<(Work, Duration)> = state.snapshot.read(|open| {
        let own = open
            .orders
            .values()
            .filter(|order| order.has_technician(technician));
        let jobs = own.flat_map(|order| order.jobs.iter().map(|job| (order.number, job)));
        let jobs = jobs.map(|(order, job)| {
            let sold = job
                .sold_hours()
                .map_or(50, |sold| sold.hundredths().max(15));
            let work = Work {
                order,
                job: job.job_number,
            };
            (work, Duration::from_secs(sold.unsigned_abs().into()) * 36)
        });
        jobs.filter(|(work, _)| !is_done(work)).collect()
    });
    let now = Timestamp::now();
    let local = now.to_zoned(state.shop.time_zone()).time();
    let Some(action) = next(rng, running.as_ref(), &to_do, now, local) else {
        return Ok(());
    };
    let request = TapRequest {
        technician,
        action,
        at: None,
    };
    state
        .clocks
        .tap(request, &AnswerKeeper::none())
        .await
        .map(drop)
}

/// What a technician does next, who has these jobs to do, each with the time it is sold for.
fn next(
    rng: &mut StdRng,
    running: Option<&Running>,
    to_do: &[(Work, Duration)],
    now: Timestamp,
    local: Time,
) -> Option<Action> {
    let is_open = (7..17).contains(&local.hour());
    let Some(running) = running else {
        return is_open.then_some(Action::ClockIn);
    };
    let Some(work) = running.entry.work else {
        if !is_open && rng.random_bool(0.3) {
            return Some(Action::ClockOut);
        }
        let (work, _) = to_do.choose(rng)?;
        return Some(Action::Start(*work));
    };
    let sold = to_do
        .iter()
        .find(|(one, _)| *one == work)
        .map_or(Duration::ZERO, |(_, sold)| *sold);
    let worked = Duration::try_from(now.duration_since(running.entry.started_at));
    if worked.unwrap_or_default() < sold.mul_f64(0.8) {
        // Now and then a part is missing.
        return rng.random_bool(0.01).then_some(Action::Stop(None));
    }
    Some(Action::Finish(work))
}

#[cfg(test)]
mod tests {
    use dispatch_actors::repair_order::RoNumber;
    use jiff::SignedDuration;
    use jiff::civil::time;

    use super::*;

    #[test]
    fn a_technician_clocks_in_works_for_about_what_is_sold_and_is_done() {
        let mut rng = StdRng::seed_from_u64(7);
        let now: Timestamp = "2026-11-18T16:00:00Z".parse().unwrap();
        let work = Work {
            order: RoNumber::try_from(7).unwrap(),
            job: 1,
        };
        let to_do = [(work, Duration::from_secs(3_600))];
        let since = |minutes: i64, work: Option<Work>| Running {
            entry: Entry {
                id: 1,
                started_at: now - SignedDuration::from_mins(minutes),
                ended_at: None,
                work,
                corrected: false,
            },
            display_number: None,
        };
        let mut does = |running: Option<Running>, to_do: &[(Work, Duration)], hour: i8| {
            next(&mut rng, running.as_ref(), to_do, now, time(hour, 0, 0, 0))
        };
        assert_eq!(does(None, &to_do, 10), Some(Action::ClockIn));
        assert_eq!(does(None, &to_do, 20), None);
        let idle = Some(since(5, None));
        assert_eq!(does(idle.clone(), &to_do, 10), Some(Action::Start(work)));
        assert_eq!(does(idle, &[], 10), None);
        let on_job = Some(since(50, Some(work)));
        assert_eq!(does(on_job, &to_do, 10), Some(Action::Finish(work)));
        // The order is gone.
        let without_order = Some(since(5, Some(work)));
        assert_eq!(does(without_order, &[], 10), Some(Action::Finish(work)));
    }
}
