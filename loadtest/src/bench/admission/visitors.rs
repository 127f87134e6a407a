//! The visitors who sign in: the owner, people in unknown browsers, and those who guess passwords.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::time::{sleep, sleep_until, timeout_at};

use crate::error::LoadTestError;
use crate::http::{Connections, Post};
use crate::latency::Latencies;
use crate::target::{Address, SignIn};

/// Between two sign-ins of the owner.
const OWNER_INTERVAL: Duration = Duration::from_millis(50);

/// A refused visitor returns after half of this to one and a half times this: not all at once.
pub const RETRY_INTERVAL: Duration = Duration::from_millis(1_000);

/// Before a guess that follows one without an answer.
const RECONNECT_INTERVAL: Duration = Duration::from_millis(100);

/// How often there was which status; 0 for no answer.
type Statuses = BTreeMap<u16, u64>;

#[derive(Clone)]
pub struct SignInClient {
    server: Rc<Connections>,
    sign_in: SignIn,
}

/// The sign-ins of one kind of visitor.
pub struct SignIns {
    pub latencies: Latencies,
    statuses: Statuses,
}

impl SignIns {
    pub fn new() -> Self {
        Self {
            latencies: Latencies::new(),
            statuses: Statuses::new(),
        }
    }

    fn count_status(&mut self, status: u16) {
        *self.statuses.entry(status).or_default() += 1;
    }

    pub fn count(&self, status: u16) -> u64 {
        self.statuses.get(&status).copied().unwrap_or_default()
    }

    pub fn admitted(&self) -> u64 {
        self.count(200)
    }

    pub fn total(&self) -> u64 {
        self.statuses.values().sum()
    }

    /// As `200: 17, 429: 3`.
    pub fn by_status(&self) -> String {
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

impl SignInClient {
    pub fn new(address: &Address, sign_in: &SignIn) -> Self {
        Self {
            server: Rc::new(Connections::new(address)),
            sign_in: sign_in.clone(),
        }
    }

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
    pub async fn make_device_known(&self) -> Result<String, LoadTestError> {
        let SignIn { email, password } = &self.sign_in;
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

/// From another network each time, so that the device is all that is known.
pub async fn sign_in_again_and_again(
    client: &SignInClient,
    cookies: &str,
    until: Instant,
) -> SignIns {
    let mut sign_ins = SignIns::new();
    let SignIn { email, password } = &client.sign_in;
    for round in 0_u32.. {
        if Instant::now() >= until {
            break;
        }
        let address = format!("198.51.{}.{}", 100 + round / 250 % 100, 1 + round % 250);
        let started = Instant::now();
        let (status, _) = client.sign_in(email, password, (&address, cookies)).await;
        sign_ins.record_time(started.elapsed());
        sign_ins.count_status(status);
        sleep(OWNER_INTERVAL).await;
    }
    sign_ins
}

/// A person in an unknown browser, who tries until they are signed in.
pub async fn sign_in_until_admitted(
    client: SignInClient,
    number: u32,
    until: Instant,
    sign_ins: Rc<RefCell<SignIns>>,
) -> bool {
    let email = format!("person{number}@example.com");
    let address = format!("10.{}.{}.9", number / 250, number % 250);
    let came = Instant::now();
    while Instant::now() < until {
        let from = (address.as_str(), "");
        let (status, _) = client.sign_in(&email, &client.sign_in.password, from).await;
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
pub async fn guess_passwords(
    client: SignInClient,
    network: u32,
    until: Instant,
    sign_ins: Rc<RefCell<SignIns>>,
) {
    let address = format!("100.{}.{}.9", 64 + network / 250, network % 250);
    let until = tokio::time::Instant::from_std(until);
    for number in 0_u32.. {
        let email = match number % 2 {
            0 => client.sign_in.email.clone(),
            _ => format!("guess{number}of{network}@example.com"),
        };
        let started = Instant::now();
        let from = (address.as_str(), "");
        let answered = client.sign_in(&email, "a wrong password", from);
        let Ok((status, _)) = timeout_at(until, answered).await else {
            break;
        };
        sign_ins.borrow_mut().record_time(started.elapsed());
        sign_ins.borrow_mut().count_status(status);
        if status == 0 {
            sleep_until(until.min(tokio::time::Instant::now() + RECONNECT_INTERVAL)).await;
        }
        if tokio::time::Instant::now() >= until {
            break;
        }
    }
}
