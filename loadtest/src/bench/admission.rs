//! Whether an owner gets in while everybody wants to: on a device that is known they sign in again and
//! again, alone, beside hundreds who sign in at the same moment, and under a flood of guesses from a
//! thousand networks. It judges nothing but whether a goal was met.

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
use crate::http::{Connections, Post};
use crate::latency::Latencies;
use crate::server::{Server, free_address};
use crate::target::SignIn;
use crate::trouble::Trouble;

const GOAL_MS: f64 = 2_000.0;
/// In kilobytes of 1,024.
const MEMORY: u64 = 200 * 1_024;

/// Between two sign-ins of the owner.
const PAUSE: Duration = Duration::from_millis(50);

/// Somebody who was refused comes back after half of this to one and a half: not all at once.
const RETRY: Duration = Duration::from_millis(1_000);

/// A flood that gets no answer does not wait longer.
const GIVE_UP: Duration = Duration::from_millis(100);

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

/// What was seen of one kind of visitor.
struct Seen {
    latencies: Latencies,
    statuses: Statuses,
}

impl Seen {
    fn new() -> Self {
        Self {
            latencies: Latencies::new(),
            statuses: Statuses::new(),
        }
    }

    fn answer(&mut self, status: u16) {
        *self.statuses.entry(status).or_default() += 1;
    }

    fn took(&mut self, took: Duration) {
        self.latencies
            .record(i64::try_from(took.as_micros()).unwrap_or(i64::MAX));
    }
}

pub async fn run(options: &Options) -> Result<Figures, Trouble> {
    let address = free_address().await?;
    // Who asks is what the test says.
    let proxy = ["--trusted-proxy", "127.0.0.1"];
    let server = Server::start(&options.server, &options.data_dir, &address, &proxy).await?;
    let shop = Shop {
        server: Rc::new(Connections::new(&address)),
        who: options.who.clone(),
    };
    let cookies = shop.meet_owner().await?;
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
            until: Instant::now() + Duration::from_secs(options.seconds),
        };
        part.run(&shop, &cookies).await.tell(name, &mut figures);
    }
    let memory = server.process().memory()?;
    figures.goal(
        "server's memory at most",
        megabytes(memory.peak),
        "under 200 MB",
        memory.peak < MEMORY,
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

    /// What the owner's browser keeps from a sign-in long ago, but for the session's cookie.
    async fn meet_owner(&self) -> Result<String, Trouble> {
        let SignIn { email, password } = &self.who;
        let (status, cookies) = self.sign_in(email, password, ("192.0.2.1", "")).await;
        if status != 200 {
            return Err(Trouble::Refused {
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
    until: Instant,
}

/// What was seen in one part.
struct Report {
    owner: Seen,
    people: Seen,
    /// Who was in in the end.
    signed_in: u64,
    flood: Seen,
}

impl Part {
    async fn run(&self, shop: &Shop, cookies: &str) -> Report {
        let people = Rc::new(RefCell::new(Seen::new()));
        let flood = Rc::new(RefCell::new(Seen::new()));
        let flooding: Vec<_> = (0..self.networks)
            .map(|network| spawn_local(guess(shop.clone(), network, self.until, Rc::clone(&flood))))
            .collect();
        if self.networks > 0 {
            // Until it has filled whatever it can.
            sleep(RETRY).await;
        }
        let coming: Vec<_> = (1..=self.people)
            .map(|number| spawn_local(come(shop.clone(), number, self.until, Rc::clone(&people))))
            .collect();
        let owner = sign_in_again_and_again(shop, cookies, self.until).await;
        let mut signed_in = 0;
        for person in coming {
            signed_in += u64::from(person.await.unwrap_or(false));
        }
        for guessing in flooding {
            // It ends by itself.
            let _ = guessing.await;
        }
        let taken = |seen: Rc<RefCell<Seen>>| seen.replace(Seen::new());
        Report {
            owner,
            people: taken(people),
            signed_in,
            flood: taken(flood),
        }
    }
}

/// From another network each time, so that the device is all that is known.
async fn sign_in_again_and_again(shop: &Shop, cookies: &str, until: Instant) -> Seen {
    let mut seen = Seen::new();
    let SignIn { email, password } = &shop.who;
    for round in 0_u32.. {
        if Instant::now() >= until {
            break;
        }
        let address = format!("198.51.{}.{}", 100 + round / 250 % 100, 1 + round % 250);
        let asked = Instant::now();
        let (status, _) = shop.sign_in(email, password, (&address, cookies)).await;
        seen.took(asked.elapsed());
        seen.answer(status);
        sleep(PAUSE).await;
    }
    seen
}

/// A person in a browser that nobody knows, who tries until they are in.
async fn come(shop: Shop, number: u32, until: Instant, seen: Rc<RefCell<Seen>>) -> bool {
    let email = format!("person{number}@example.com");
    let address = format!("10.{}.{}.9", number / 250, number % 250);
    let came = Instant::now();
    while Instant::now() < until {
        let from = (address.as_str(), "");
        let (status, _) = shop.sign_in(&email, &shop.who.password, from).await;
        seen.borrow_mut().answer(status);
        if status == 200 {
            seen.borrow_mut().took(came.elapsed());
            return true;
        }
        sleep(RETRY.mul_f64(0.5 + f64::from(number % 100) / 100.0)).await;
    }
    false
}

/// Guesses at the owner's account and at others, as fast as there are answers.
async fn guess(shop: Shop, network: u32, until: Instant, seen: Rc<RefCell<Seen>>) {
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
        seen.borrow_mut().took(asked.elapsed());
        seen.borrow_mut().answer(status);
        if status == 0 {
            sleep_until(until.min(tokio::time::Instant::now() + GIVE_UP)).await;
        }
        if tokio::time::Instant::now() >= until {
            break;
        }
    }
}

impl Report {
    fn tell(&self, part: &str, figures: &mut Figures) {
        let owner = self.owner.latencies.spread();
        for (what, value) in [("p50", owner.p50), ("p99", owner.p99)] {
            figures.value(
                format!("owner's sign-in {part}: {what}"),
                milliseconds(value),
            );
        }
        figures.goal(
            format!("owner's sign-in {part}: max"),
            milliseconds(owner.max),
            "under 2 s",
            owner.max < GOAL_MS,
        );
        let refused = self.owner.statuses.keys().any(|status| *status != 200);
        figures.goal(
            format!("owner's sign-in {part}: answers"),
            told(&self.owner.statuses),
            "200 alone",
            !refused,
        );
        if !self.people.statuses.is_empty() {
            let people = self.people.latencies.spread();
            figures.value(
                format!("people {part}: signed in"),
                self.signed_in.to_string(),
            );
            for (what, value) in [("p50", people.p50), ("max", people.max)] {
                let what = format!("people {part}: until they are in, {what}");
                figures.value(what, milliseconds(value));
            }
            figures.value(
                format!("people {part}: answers"),
                told(&self.people.statuses),
            );
        }
        if !self.flood.statuses.is_empty() {
            figures.value(format!("flood {part}: answers"), told(&self.flood.statuses));
        }
    }
}

/// As `200: 17, 429: 3`.
fn told(statuses: &Statuses) -> String {
    let each = statuses.iter().map(|(status, count)| match status {
        0 => format!("none: {count}"),
        status => format!("{status}: {count}"),
    });
    each.collect::<Vec<_>>().join(", ")
}
