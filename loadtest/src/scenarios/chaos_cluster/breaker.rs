//! Servers that are killed and primaries that fail, one after the other, and how long until every screen is right again.

use std::rc::Rc;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use tokio::time::{sleep, timeout};

use crate::clock::{Clock, Micros};
use crate::error::LoadTestError;
use crate::example_cluster::{ExampleCluster, PrimaryFailure};
use crate::latency::Latencies;
use crate::reader::State;
use crate::report::Report;
use crate::settled_changes::SettledChanges;

const LOOK: Duration = Duration::from_millis(10);

/// Screens that are not right again by then never are.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(120);

/// The share of failovers whose primary does not die but stands still.
const SILENT_SHARE: f64 = 0.3;

/// The share of failovers during which a server is killed besides.
const KILL_SHARE: f64 = 0.3;

#[derive(Clone, Copy, Debug)]
enum Fault {
    Kill,
    Failover,
}

pub struct Breaker<'a> {
    cluster: &'a ExampleCluster,
    clock: Clock,
    settled: &'a SettledChanges,
    readers: Vec<Rc<State>>,
    rng: StdRng,
    made: Made,
}

/// What was broken.
pub struct Made {
    kills: u32,
    failovers: u32,
    silent: u32,
    with_kill: u32,
    after_kill: Latencies,
    after_failover: Latencies,
    /// Not right again.
    faults: Vec<String>,
}

impl<'a> Breaker<'a> {
    pub fn new(
        cluster: &'a ExampleCluster,
        clock: Clock,
        settled: &'a SettledChanges,
        readers: Vec<Rc<State>>,
        seed: u64,
    ) -> Self {
        Self {
            cluster,
            clock,
            settled,
            readers,
            rng: StdRng::seed_from_u64(seed),
            made: Made {
                kills: 0,
                failovers: 0,
                silent: 0,
                with_kill: 0,
                after_kill: Latencies::new(),
                after_failover: Latencies::new(),
                faults: Vec::new(),
            },
        }
    }

    pub async fn break_things(mut self, kills: u32, failovers: u32) -> Result<Made, LoadTestError> {
        let mut faults = vec![Fault::Kill; kills as usize];
        faults.resize((kills + failovers) as usize, Fault::Failover);
        faults.shuffle(&mut self.rng);
        for fault in faults {
            sleep(self.up_to_seconds(0.3..1.5)).await;
            match fault {
                Fault::Kill => self.kill().await?,
                Fault::Failover => self.fail_over().await?,
            }
        }
        Ok(self.made)
    }

    async fn kill(&mut self) -> Result<(), LoadTestError> {
        let server = self.rng.random_range(1..=self.cluster.servers());
        let pause = self.up_to_seconds(0.0..2.0);
        let at = self.clock.now();
        self.cluster.kill(server).await?;
        self.made.kills += 1;
        let restart = async {
            sleep(pause).await;
            self.cluster.start_server(server).await
        };
        let (right, restarted) = tokio::join!(self.until_right(at), restart);
        restarted?;
        match right {
            Some(length) => self.made.after_kill.record(length),
            None => self
                .made
                .never_right(format!("the death of server {server}")),
        }
        Ok(())
    }

    async fn fail_over(&mut self) -> Result<(), LoadTestError> {
        let how = match self.rng.random_bool(SILENT_SHARE) {
            true => PrimaryFailure::FallsSilent,
            false => PrimaryFailure::Dies,
        };
        let is_killed = self.rng.random_bool(KILL_SHARE);
        let killed = is_killed.then(|| self.rng.random_range(1..=self.cluster.servers()));
        let at = self.clock.now();
        if let Some(server) = killed {
            self.cluster.kill(server).await?;
        }
        self.cluster.fail_over(how).await?;
        self.made.failovers += 1;
        self.made.silent += u32::from(how == PrimaryFailure::FallsSilent);
        self.made.with_kill += u32::from(is_killed);
        match self.until_right(at).await {
            Some(length) => self.made.after_failover.record(length),
            None => self.made.never_right(format!("a primary that {how:?}")),
        }
        self.cluster.rejoin().await?;
        match killed {
            Some(server) => self.cluster.start_server(server).await,
            None => Ok(()),
        }
    }

    /// Until a change that was asked for after that moment is acknowledged and on every screen; how long that took.
    async fn until_right(&self, at: Micros) -> Option<Micros> {
        let right = async {
            let seq = loop {
                if let Some(acknowledged) = self.settled.newest_sent_after(at) {
                    break acknowledged.last;
                }
                sleep(LOOK).await;
            };
            while !self.readers.iter().all(|reader| has(reader, seq)) {
                sleep(LOOK).await;
            }
        };
        let right = timeout(RECOVERY_TIMEOUT, right).await;
        right.ok().map(|()| self.clock.now() - at)
    }

    fn up_to_seconds(&mut self, seconds: std::ops::Range<f64>) -> Duration {
        Duration::from_secs_f64(self.rng.random_range(seconds))
    }
}

/// One who hears only what is theirs learns of other numbers by the next tick: it must be there.
fn has(reader: &State, seq: i64) -> bool {
    let is_dense = reader.role.technician.is_none();
    reader.has_ended() || reader.live.get() && (!is_dense || reader.hearing.borrow().upto() >= seq)
}

impl Made {
    fn never_right(&mut self, after: String) {
        let seconds = RECOVERY_TIMEOUT.as_secs();
        let fault = format!("screens were not right again {seconds} s after {after}");
        self.faults.push(fault);
    }

    pub fn tell(self, report: &mut Report) {
        report.value("kills", "servers killed", self.kills);
        report.value("failovers", "failovers", self.failovers);
        report.value("silent", "of these, primary silent", self.silent);
        report.value("withKill", "of these, a server killed", self.with_kill);
        let mut all = Latencies::new();
        all.add(&self.after_kill);
        all.add(&self.after_failover);
        for (key, what, latencies) in [
            ("rightAgainMs", "right again", &all),
            ("rightAfterKillMs", "after a kill", &self.after_kill),
            (
                "rightAfterFailoverMs",
                "after a failover",
                &self.after_failover,
            ),
        ] {
            report.latency(key, what, latencies);
        }
        report.faults.extend(self.faults);
    }
}
