//! Servers and databases of a cluster die in turn, under writers who insist, readers who come back, and a technician who
//! acknowledges assignments. All of them come by the proxy. Nothing acknowledged may be lost or done twice, and every
//! screen must be right again.
//!
//! - `breaker`: what dies, and how long until every screen is right again.
//! - `technician`: assignments and their receipts.

mod breaker;
mod technician;

use std::rc::Rc;
use std::time::Duration;

use self::breaker::Breaker;

pub use self::technician::Technician;
use self::technician::{Assigned, Assignments};
use super::agreement::{differing_lists, final_lists};
use super::torture::{find_lost_changes, screens::ScreenChecks, shortened};
use super::{RETURN, Run, orders, returning};
use crate::error::LoadTestError;
use crate::example_cluster::ExampleCluster;
use crate::order::List;
use crate::reader::Role;
use crate::report::{Report, newest};
use crate::settled_changes::SettledChanges;
use crate::target::SignIn;
use crate::writer::{WritePolicy, WriteSchedule, Written, write_together};

/// Longer than any run takes.
const MAX_DURATION: Duration = Duration::from_secs(86_400);

pub struct Options {
    pub owner: SignIn,
    pub technician: Technician,
    pub kills: u32,
    pub failovers: u32,
    pub readers: u32,
    pub writers: u32,
    /// Changes a second.
    pub rate: f64,
    /// How long a screen that says it is live may be without an acknowledged change.
    pub grace: Duration,
    pub seed: u64,
}

pub async fn run(cluster: &ExampleCluster, options: &Options) -> Result<Report, LoadTestError> {
    let address = cluster.address()?;
    let mut run = Run::begin(&address, &options.owner, options.seed).await?;
    let mut report = Report::new(format!(
        "{} servers behind HAProxy, a primary and a standby: {} readers, {} writers, seed {}",
        cluster.servers(),
        options.readers,
        options.writers,
        options.seed
    ));
    run.crowd.join(options.readers, &returning()).await?;
    let portal = Role {
        technician: Some(options.technician.number),
        ..returning()
    };
    run.crowd.join(1, &portal).await?;
    let first = run.open(&mut report.faults).await?;

    let settled = Rc::new(SettledChanges::new(options.grace));
    let schedule =
        WriteSchedule::new(u32::MAX, Some(options.rate), MAX_DURATION).noted_in(&settled);
    let policy = WritePolicy {
        batch_size: 1,
        retries_until_answered: true,
    };
    let mut written_orders = orders(&first, None, options.writers)?;
    let assigned_orders = written_orders.split_off(written_orders.len() / 2);
    let (writers, writing) = (options.writers as usize, written_orders.into_iter());
    let writing = write_together(&run.desk, run.clock, &schedule, writing, writers, policy);
    let assignments = Assignments::open(&address, &options.technician, run.desk.clone()).await?;
    let theirs = first.of_technician(options.technician.number);
    let numbers = assigned_orders.iter().map(|order| order.number);
    let numbers: Vec<i64> = numbers
        .filter(|number| !theirs.orders.contains_key(number))
        .collect();
    // The technician's screen has other orders.
    let mut desks = run.crowd.each();
    desks.retain(|reader| reader.role.technician.is_none());
    let mut screens = ScreenChecks::new(desks, &run.context, &settled);
    let breaker = Breaker::new(cluster, run.clock, &settled, run.crowd.each(), options.seed);
    let breaking = async {
        let broken = breaker.break_things(options.kills, options.failovers).await;
        schedule.stop();
        assignments.stop();
        broken
    };
    let (written, assigned, broken) = tokio::select! {
        () = screens.watch() => return Err(LoadTestError::Machine("the clock stopped".to_owned())),
        worked = async { tokio::join!(writing, assignments.work(&numbers), breaking) } => worked,
    };
    broken?.tell(&mut report);
    screens.tell(&mut report);
    let outcome = Outcome {
        first,
        written,
        assigned: assigned?,
    };
    judge(cluster, options, run, outcome, &mut report).await?;
    Ok(report)
}

/// What was there, and what was acknowledged since.
struct Outcome {
    first: List,
    written: Vec<Written>,
    assigned: Assigned,
}

/// After the last fault.
async fn judge(
    cluster: &ExampleCluster,
    options: &Options,
    run: Run,
    outcome: Outcome,
    report: &mut Report,
) -> Result<(), LoadTestError> {
    let Outcome {
        first,
        written,
        assigned,
    } = outcome;
    run.crowd.all_back(RETURN).await;
    // Any server may answer what is asked from here on.
    let servers = cluster.server_addresses()?;
    let lists = final_lists(&servers, &options.owner, newest(&written)).await?;
    report
        .faults
        .extend(differing_lists(&lists, newest(&written)));
    let lost = find_lost_changes(&run.desk, &written).await?;
    report.value("lost", "acknowledged and lost", lost.len());
    report.faults.extend(shortened(lost));
    report.written(&written, None);
    tell_overtaken(&written, report);
    assigned.tell(report);
    check_log(cluster, report).await?;
    let context = run.context.clone();
    let others = run.end(report, &written, &first).await?;
    let doubled = others - assigned.events;
    report.value("doubled", "done twice", doubled);
    if doubled != 0 {
        let fault = "events more than were acknowledged: something was done twice, or not at all";
        report.faults.push(format!("{doubled} {fault}"));
    }
    report.came_back(&context.tallies, false);
    report.latency("awayMs", "away", &context.returns.borrow());
    Ok(())
}

fn tell_overtaken(written: &[Written], report: &mut Report) {
    let overtaken: usize = written.iter().map(|written| written.overtaken).sum();
    if overtaken > 0 {
        let fault = "requests that were sent again were taken for others";
        report.faults.push(format!("{overtaken} {fault}"));
    }
}

/// Event numbers and each order's versions are dense, and nothing is there twice.
async fn check_log(cluster: &ExampleCluster, report: &mut Report) -> Result<(), LoadTestError> {
    let holes = "SELECT (SELECT top FROM event_log) - count(*) FROM events";
    let doubled = "SELECT count(*) - count(DISTINCT seq) FROM events";
    let versions = "SELECT count(*) FROM (SELECT max(version) - min(version) + 1 - count(*) AS holes, \
                    count(*) - count(DISTINCT version) AS doubled FROM events GROUP BY ro_number) AS orders \
                    WHERE holes <> 0 OR doubled <> 0";
    for (key, what, sql) in [
        ("logHoles", "event numbers missing in the log", holes),
        ("logDoubled", "event numbers twice in the log", doubled),
        (
            "versionHoles",
            "orders whose versions are not dense",
            versions,
        ),
    ] {
        let found = cluster.query(sql).await?;
        if found != "0" {
            report.faults.push(format!("{what}: {found}"));
        }
        report.value(key, what, found.parse::<i64>().unwrap_or(-1));
    }
    Ok(())
}
