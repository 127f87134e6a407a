//! Whether an owner gets in while everybody wants to: on a device that is known they sign in again and
//! again, alone, beside hundreds who sign in at the same moment, and under a flood of guesses from a
//! thousand networks. It measures, and says which goals were met.
//!
//! `visitors` are those who sign in.

mod visitors;

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use tokio::task::spawn_local;
use tokio::time::sleep;

use self::visitors::{
    RETRY_INTERVAL, SignInClient, SignIns, guess_passwords, sign_in_again_and_again,
    sign_in_until_admitted,
};
use super::Output;
use super::figures::{Figures, megabytes, milliseconds};
use crate::error::LoadTestError;
use crate::server::{Server, free_address};
use crate::target::SignIn;

/// In milliseconds.
const MAX_OWNER_SIGN_IN: f64 = 2_000.0;

/// In kilobytes of 1,024.
const MAX_MEMORY: u64 = 200 * 1_024;

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The server's binary
    #[arg(long, value_name = "FILE")]
    pub server: PathBuf,

    /// The data folder it is started on
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,

    #[command(flatten)]
    pub sign_in: SignIn,

    /// Who sign in at the same moment: person1@example.com and so on, with the same password
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = value_parser!(u32).range(..=10_000))]
    pub people: u32,

    /// Networks from which passwords are guessed, with a connection each
    #[arg(long, value_name = "N", default_value_t = 1_120, value_parser = value_parser!(u32).range(..=10_000))]
    pub networks: u32,

    /// Seconds of each part
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u64).range(1..=3_600))]
    pub seconds: u64,

    #[command(flatten)]
    pub output: Output,
}

pub async fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let address = free_address().await?;
    // The test sets the caller's address.
    let proxy = ["--trusted-proxy", "127.0.0.1"];
    let server = Server::start(&options.server, &options.data_dir, &address, &proxy).await?;
    let client = SignInClient::new(&address, &options.sign_in);
    let cookies = client.make_device_known().await?;
    let mut figures = Figures::new(format!(
        "admission: {} people at the same moment, guesses from {} networks, {} s each",
        options.people, options.networks, options.seconds
    ));
    for (name, people, networks) in [
        ("alone", 0, 0),
        ("beside the people", options.people, 0),
        ("under the flood", 0, options.networks),
        ("under both", options.people, options.networks),
    ] {
        let part = Part {
            people,
            networks,
            time: Duration::from_secs(options.seconds),
        };
        part.run(&client, &cookies)
            .await
            .add_to(name, &part, &mut figures);
    }
    let memory = server.process().memory()?;
    figures.goal(
        "server's memory at most",
        megabytes(memory.peak),
        "under 200 MB",
        memory.peak < MAX_MEMORY,
    );
    server.stop().await?;
    Ok(figures)
}

struct Part {
    people: u32,
    networks: u32,
    time: Duration,
}

/// What was measured in one part.
struct PartResult {
    owner: SignIns,
    /// From a person's first try until they are in.
    people: SignIns,
    admitted: u64,
    flood: SignIns,
}

impl Part {
    /// Of the people: all where nobody guesses. A flood gets its share of turns, and fills the
    /// queue of strangers: while it lasts, only a part of the people from unknown places signs in.
    fn least_admitted(&self) -> u32 {
        match self.networks {
            0 => self.people,
            _ => self.people / 8,
        }
    }

    async fn run(&self, client: &SignInClient, cookies: &str) -> PartResult {
        let until = Instant::now() + self.time;
        let people = Rc::new(RefCell::new(SignIns::new()));
        let flood = Rc::new(RefCell::new(SignIns::new()));
        let flooding: Vec<_> = (0..self.networks)
            .map(|network| {
                spawn_local(guess_passwords(
                    client.clone(),
                    network,
                    until,
                    Rc::clone(&flood),
                ))
            })
            .collect();
        if self.networks > 0 {
            // Until it has filled whatever it can.
            sleep(RETRY_INTERVAL).await;
        }
        let arriving: Vec<_> = (1..=self.people)
            .map(|number| {
                spawn_local(sign_in_until_admitted(
                    client.clone(),
                    number,
                    until,
                    Rc::clone(&people),
                ))
            })
            .collect();
        let owner = sign_in_again_and_again(client, cookies, until).await;
        let mut admitted = 0;
        for person in arriving {
            admitted += u64::from(person.await.unwrap_or(false));
        }
        for guessing in flooding {
            // It ends by itself.
            let _ = guessing.await;
        }
        let drained = |sign_ins: Rc<RefCell<SignIns>>| sign_ins.replace(SignIns::new());
        PartResult {
            owner,
            people: drained(people),
            admitted,
            flood: drained(flood),
        }
    }
}

impl PartResult {
    fn add_to(&self, name: &str, part: &Part, figures: &mut Figures) {
        let owner = self.owner.latencies.spread();
        for (what, value) in [("p50", owner.p50), ("max", owner.max)] {
            figures.goal(
                format!("owner's sign-in {name}: {what}"),
                milliseconds(value),
                "under 2 s",
                value < MAX_OWNER_SIGN_IN,
            );
        }
        let sign_ins = self.owner.total();
        figures.goal(
            format!("owner's sign-in {name}: let in"),
            format!("{} of {sign_ins}", self.owner.admitted()),
            "all",
            sign_ins > 0 && self.owner.admitted() == sign_ins,
        );
        if part.people > 0 {
            self.add_people(name, part, figures);
        }
        if part.networks > 0 {
            self.add_flood(name, figures);
        }
    }

    fn add_people(&self, name: &str, part: &Part, figures: &mut Figures) {
        let least = part.least_admitted();
        figures.goal(
            format!("people {name}: let in"),
            format!("{} of {}", self.admitted, part.people),
            format!("{least} within {} s", part.time.as_secs()),
            self.admitted >= u64::from(least),
        );
        let times = self.people.latencies.spread();
        for (what, value) in [("half of these", times.p50), ("the last", times.max)] {
            figures.value(format!("people {name}: {what} after"), milliseconds(value));
        }
        figures.value(format!("people {name}: answers"), self.people.by_status());
    }

    fn add_flood(&self, name: &str, figures: &mut Figures) {
        let answered = self.flood.total() - self.flood.count(0);
        let refused = answered - self.flood.admitted();
        figures.goal(
            format!("flood {name}: refused"),
            format!("{refused} of {answered}"),
            "all",
            refused == answered,
        );
        figures.value(format!("flood {name}: answers"), self.flood.by_status());
    }
}
