//! Whether an owner gets in while everybody wants to: on a device that is known they sign in again and
//! again, alone, beside hundreds who sign in at the same moment, and under a flood of guesses from a
//! thousand networks. It measures, and says which goals were met.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use serde_json::json;
use tokio::task::spawn_local;
use tokio::time::{sleep, sleep_until, timeout_at};

use super::Output;
use super::figures::{Figures, megabytes, milliseconds};
use crate::error::LoadTestError;
use crate::http::{Connections, Post};
use crate::latency::Latencies;
use crate::server::{Server, free_address};
use crate::target::SignIn;

/// In milliseconds.
const MAX_OWNER_SIGN_IN: f64 = 2_000.0;

/// In kilobytes of 1,024.
const MAX_MEMORY: u64 = 200 * 1_024;

/// Between two sign-ins of the owner.
const OWNER_INTERVAL: Duration = Duration::from_millis(50);

/// Somebody who was refused comes back after half of this to one and a half: not all at once.
const RETRY_INTERVAL: Duration = Duration::from_millis(1_000);

/// Before a guess that follows one without an answer.
const RECONNECT_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The server's binary
    #[arg(long, value_name = "FILE")]
    pub server: PathBuf,

    /// The data folder it is started on
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,

    #[command(flatten)]
    pub who: SignIn,

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

/// How often there was which status; 0 for no answer.
type Statuses = BTreeMap<u16, u64>;

#[derive(Clone)]
struct Shop {
    server: Rc<Connections>,
    who: SignIn,
}

/// The sign-ins of one kind of visitor.
struct SignIns {
    latencies: Latencies,
    statuses: Statuses,
}

impl SignIns {
    fn new() -> Self {
        Self {
            latencies: Latencies::new(),
            statuses: Statuses::new(),
        }
    }

    fn count_status(&mut self, status: u16) {
        *self.statuses.entry(status).or_default() += 1;
    }

    fn count(&self, status: u16) -> u64 {
        self.statuses.get(&status).copied().unwrap_or_default()
    }

    fn admitted(&self) -> u64 {
        self.count(200)
    }

    fn total(&self) -> u64 {
        self.statuses.values().sum()
    }

    /// As `200: 17, 429: 3`.
    fn by_status(&self) -> String {
        let each = self.statuses.iter().map(|(status, count)| match status {
            0 => format!("none: {count}"),
            status => format!("{status}: {count}"),
        });
        each.collect::<Vec<_>>().join(", ")
    }

    fn record_time(&mut self, took: Duration) {
        self.latencies
            .record(i64::try_from(took.as_micros()).unwrap_or(i64::MAX));
    }
}

pub async fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let address = free_address().await?;
    // Who asks is what the test says.
    let proxy = ["--trusted-proxy", "127.0.0.1"];
    let server = Server::start(&options.server, &options.data_dir, &address, &proxy).await?;
    let shop = Shop {
        server: Rc::new(Connections::new(&address)),
        who: options.who.clone(),
    };
    let cookies = shop.make_device_known().await?;
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
        part.run(&shop, &cookies)
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

impl Shop {
    /// The status of an answer, and the cookies that it set.
    async fn sign_in(
        &self,
        email: &str,
        password: &str,
        (address, cookies): (&str, &str),
    ) -> (u16, Vec<String>) {
        let body = json!({ "email": email, "password": password }).to_string();
        let answer = self
            .server
            .post(&Post {
                path: "/api/auth/sign-in",
                token: "",
                headers: &[("X-Forwarded-For", address), ("Cookie", cookies)],
                body: body.as_bytes(),
                content_type: "application/json",
            })
            .await;
        match answer {
            Ok(answer) => (answer.status, answer.cookies),
            Err(_) => (0, Vec::new()),
        }
    }

    /// Signs the owner in, and gives the device cookie that their browser keeps.
    async fn make_device_known(&self) -> Result<String, LoadTestError> {
        let SignIn { email, password } = &self.who;
        let (status, cookies) = self.sign_in(email, password, ("192.0.2.1", "")).await;
        if status != 200 {
            return Err(LoadTestError::Refused {
                what: "the owner's sign-in",
                answer: format!("status {status}"),
            });
        }
        let device = cookies
            .into_iter()
            .find(|cookie| cookie.contains("dispatch_device"));
        Ok(device.unwrap_or_default())
    }
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
    /// Of the people: all where nobody guesses. A flood has its turns, too, and fills the queue of
    /// strangers: of those who come from a place that nobody knows a part gets in while it lasts.
    fn least_admitted(&self) -> u32 {
        match self.networks {
            0 => self.people,
            _ => self.people / 8,
        }
    }

    async fn run(&self, shop: &Shop, cookies: &str) -> PartResult {
        let until = Instant::now() + self.time;
        let people = Rc::new(RefCell::new(SignIns::new()));
        let flood = Rc::new(RefCell::new(SignIns::new()));
        let flooding: Vec<_> = (0..self.networks)
            .map(|network| {
                spawn_local(guess_passwords(
                    shop.clone(),
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
                    shop.clone(),
                    number,
                    until,
                    Rc::clone(&people),
                ))
            })
            .collect();
        let owner = sign_in_again_and_again(shop, cookies, until).await;
        let mut admitted = 0;
        for person in arriving {
            admitted += u64::from(person.await.unwrap_or(false));
        }
        for guessing in flooding {
            // It ends by itself.
            let _ = guessing.await;
        }
        let taken = |sign_ins: Rc<RefCell<SignIns>>| sign_ins.replace(SignIns::new());
        PartResult {
            owner,
            people: taken(people),
            admitted,
            flood: taken(flood),
        }
    }
}

/// From another network each time, so that the device is all that is known.
async fn sign_in_again_and_again(shop: &Shop, cookies: &str, until: Instant) -> SignIns {
    let mut sign_ins = SignIns::new();
    let SignIn { email, password } = &shop.who;
    for round in 0_u32.. {
        if Instant::now() >= until {
            break;
        }
        let address = format!("198.51.{}.{}", 100 + round / 250 % 100, 1 + round % 250);
        let asked = Instant::now();
        let (status, _) = shop.sign_in(email, password, (&address, cookies)).await;
        sign_ins.record_time(asked.elapsed());
        sign_ins.count_status(status);
        sleep(OWNER_INTERVAL).await;
    }
    sign_ins
}

/// A person in a browser that nobody knows, who tries until they are in.
async fn sign_in_until_admitted(
    shop: Shop,
    number: u32,
    until: Instant,
    sign_ins: Rc<RefCell<SignIns>>,
) -> bool {
    let email = format!("person{number}@example.com");
    let address = format!("10.{}.{}.9", number / 250, number % 250);
    let came = Instant::now();
    while Instant::now() < until {
        let from = (address.as_str(), "");
        let (status, _) = shop.sign_in(&email, &shop.who.password, from).await;
        sign_ins.borrow_mut().count_status(status);
        if status == 200 {
            sign_ins.borrow_mut().record_time(came.elapsed());
            return true;
        }
        sleep(RETRY_INTERVAL.mul_f64(0.5 + f64::from(number % 100) / 100.0)).await;
    }
    false
}

/// Guesses at the owner's account and at others, as fast as there are answers.
async fn guess_passwords(shop: Shop, network: u32, until: Instant, sign_ins: Rc<RefCell<SignIns>>) {
    let address = format!("100.{}.{}.9", 64 + network / 250, network % 250);
    let until = tokio::time::Instant::from_std(until);
    for number in 0_u32.. {
        let email = match number % 2 {
            0 => shop.who.email.clone(),
            _ => format!("guess{number}of{network}@example.com"),
        };
        let asked = Instant::now();
        let from = (address.as_str(), "");
        let answered = shop.sign_in(&email, "a wrong password", from);
        let Ok((status, _)) = timeout_at(until, answered).await else {
            break;
        };
        sign_ins.borrow_mut().record_time(asked.elapsed());
        sign_ins.borrow_mut().count_status(status);
        if status == 0 {
            sleep_until(until.min(tokio::time::Instant::now() + RECONNECT_INTERVAL)).await;
        }
        if tokio::time::Instant::now() >= until {
            break;
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
