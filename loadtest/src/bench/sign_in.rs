//! How long refused sign-ins take, whoever they are for: the times must not tell who has an account.
//! It judges nothing.

use std::time::Instant;

use clap::{Args, value_parser};
use serde_json::json;

use super::Output;
use super::figures::{Figures, median, milliseconds};
use crate::error::LoadTestError;
use crate::http::{Connections, Post};
use crate::target::Address;

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The running server; --sign-in-limit must let all tries through
    #[arg(long, value_name = "URL")]
    pub url: Address,

    /// Who has an account and a password
    #[arg(long, value_name = "EMAIL")]
    pub known: String,

    /// Who has an account, and no password yet
    #[arg(long, value_name = "EMAIL")]
    pub invited: String,

    /// Who has none
    #[arg(long, value_name = "EMAIL", default_value = "nobody@example.com")]
    pub unknown: String,

    /// Wrong passwords for each of the three
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u32).range(1..=100_000))]
    pub tries: u32,

    #[command(flatten)]
    pub output: Output,
}

pub async fn run(options: &Options) -> Result<Figures, LoadTestError> {
    let server = Connections::new(&options.url);
    let people = [
        ("known email", &options.known),
        ("unknown email", &options.unknown),
        ("invited, without a password", &options.invited),
    ];
    let mut times = people.map(|_| Vec::new());
    for round in 0..options.tries as usize {
        // In turn, each as often first as the others, so that the machine's moods are everybody's.
        for step in 0..people.len() {
            let index = (round + step) % people.len();
            times[index].push(refused(&server, people[index].1).await?);
        }
    }
    let mut figures = Figures::new(format!(
        "sign-in: {} wrong passwords each, in turn",
        options.tries
    ));
    let medians = times.each_ref().map(|times| median(times.clone()));
    let slow = times.each_ref().map(|times| ninetieth(times.clone()));
    for (index, (name, _)) in people.iter().enumerate() {
        figures.value(format!("{name}: median"), milliseconds(medians[index]));
        figures.value(format!("{name}: p90"), milliseconds(slow[index]));
    }
    for (index, (name, _)) in people.iter().enumerate().skip(1) {
        figures.value(
            format!("{name} against {}: median", people[0].0),
            milliseconds(medians[index] - medians[0]),
        );
        figures.value(
            format!("{name} against {}: p90", people[0].0),
            milliseconds(slow[index] - slow[0]),
        );
    }
    Ok(figures)
}

/// Milliseconds until a wrong password was refused.
async fn refused(server: &Connections, email: &str) -> Result<f64, LoadTestError> {
    let body = json!({ "email": email, "password": "a wrong password" }).to_string();
    let started = Instant::now();
    let answer = server
        .post(&Post {
            path: "/api/auth/sign-in",
            token: "",
            headers: &[],
            body: body.as_bytes(),
            content_type: "application/json",
        })
        .await;
    let took = started.elapsed();
    let unexpected = |why| LoadTestError::Unexpected {
        what: "a wrong password",
        why,
    };
    let answer = answer.map_err(unexpected)?;
    if answer.status != 401 {
        return Err(unexpected(format!("status {}", answer.status)));
    }
    Ok(took.as_secs_f64() * 1_000.0)
}

fn ninetieth(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() * 9 / 10).copied().unwrap_or(0.0)
}
