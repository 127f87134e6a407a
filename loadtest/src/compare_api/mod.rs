//! Compares the HTTP faces of two builds: their OpenAPI documents, and what they answer to the same
//! requests on the same data.
//!
//! It knows no operation by itself: what is asked is in `loadtest/api-requests.json`, and the
//! document says what there is to ask.

mod accepted;
mod documents;
mod equivalence;
mod exchange;
mod misuse;
mod requests;
mod server_pair;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;
use tokio::process::Command;

use accepted::AcceptedDifferences;
use documents::{DocumentComparison, compare_documents};
use equivalence::Equivalence;
use exchange::ApiAnswer;
use misuse::with_misuse;
use requests::{RecordedRequest, recorded_requests};
use server_pair::ServerPair;

use crate::error::LoadTestError;
use crate::work_folder::WorkFolder;

/// Headers that say nothing of what was answered.
const IGNORED_HEADERS: [&str; 4] = ["date", "content-length", "connection", "x-request-id"];

/// The tolerance for the waiting times of two servers, since they run down.
const MAX_RETRY_AFTER_DIFFERENCE: i64 = 2;

/// Asked for at each path besides what the document has there.
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// Fewer show little of an operation.
const MIN_REQUESTS: usize = 4;

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The binary that is right
    #[arg(long, value_name = "FILE")]
    pub old: PathBuf,

    /// The binary that is to do the same
    #[arg(long, value_name = "FILE")]
    pub new: PathBuf,

    /// Differences that are meant: a pattern a line, `*` stands for anything, `#` begins a comment
    #[arg(long, value_name = "FILE")]
    pub accept: Option<PathBuf>,

    /// Differences of descriptions and summaries count, too
    #[arg(long)]
    pub descriptions: bool,

    /// Only the documents; no server is started
    #[arg(long)]
    pub documents_only: bool,

    /// Print the old server's status for each request, too
    #[arg(long)]
    pub statuses: bool,

    /// Only requests whose name contains this, and those that keep something for others
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub only: String,
}

/// What is printed, and whether every difference was accepted.
pub struct Comparison {
    pub text: String,
    pub is_same: bool,
}

pub async fn run(options: &Options) -> Result<Comparison, LoadTestError> {
    let accepted = AcceptedDifferences::read(options.accept.as_deref())?;
    let old = openapi_document(&options.old).await?;
    let new = openapi_document(&options.new).await?;
    let mut output = Output {
        text: String::new(),
        accepted,
        unaccepted: 0,
    };
    output.tell_documents(&compare_documents(&old, &new), options.descriptions);
    if !options.documents_only {
        compare_answers(options, &old, &mut output).await?;
    }
    Ok(output.finished())
}

async fn openapi_document(binary: &Path) -> Result<Value, LoadTestError> {
    let failed =
        |why: String| LoadTestError::Machine(format!("{} openapi: {why}", binary.display()));
    let run = Command::new(binary).arg("openapi").output().await;
    let run = run.map_err(|error| failed(error.to_string()))?;
    if !run.status.success() {
        return Err(failed(String::from_utf8_lossy(&run.stderr).into_owned()));
    }
    serde_json::from_slice(&run.stdout).map_err(|error| failed(error.to_string()))
}

/// By operation and answered status, as the old server has it.
type Coverage = BTreeMap<String, BTreeMap<u16, usize>>;

async fn compare_answers(
    options: &Options,
    document: &Value,
    output: &mut Output,
) -> Result<(), LoadTestError> {
    let requests = all_requests(document, recorded_requests()?);
    let folder = WorkFolder::create("compare-api")?;
    let mut servers = ServerPair::start(&options.old, &options.new, folder.path()).await?;
    let mut same = Equivalence::new()?;
    let mut coverage = Coverage::new();
    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    for (number, request) in requests.iter().enumerate() {
        let is_needed = !request.keep.is_empty() || !request.choose.is_empty();
        if !is_needed && !request.name().contains(&options.only) {
            continue;
        }
        let (old, new) = servers.send(request, number).await?;
        if options.statuses {
            output.line(&format!("{} {}", old.status, request.name()));
        }
        *statuses.entry(old.status).or_default() += 1;
        let operation = coverage.entry(request.call.clone()).or_default();
        *operation.entry(old.status).or_default() += 1;
        for (place, change) in answer_differences(&mut same, &old, &new) {
            output.tell(&format!("answer {}: {place}: {change}", request.name()));
        }
    }
    servers.stop().await?;
    let total: usize = statuses.values().sum();
    let by_status = statuses
        .iter()
        .map(|(status, count)| format!("{status}: {count}"));
    let by_status = by_status.collect::<Vec<_>>().join(", ");
    output.line(&format!(
        "answers: {total} requests to each server ({by_status})"
    ));
    if options.only.is_empty() {
        output.tell_coverage(document, &coverage);
    }
    Ok(())
}

/// The recorded ones, those with misuse several times, and then each path with methods it has not.
fn all_requests(document: &Value, recorded: Vec<RecordedRequest>) -> Vec<RecordedRequest> {
    let mut requests = Vec::new();
    let mut paths: BTreeMap<String, RecordedRequest> = BTreeMap::new();
    for (number, request) in recorded.into_iter().enumerate() {
        paths
            .entry(request.path_template().to_owned())
            .or_insert_with(|| request.clone());
        if request.misuse {
            requests.extend(with_misuse(&request, takes_key(document, &request), number));
        } else {
            requests.push(request);
        }
    }
    for (path, request) in paths {
        let Some(documented) = document["paths"].get(&path) else {
            continue;
        };
        let other = METHODS
            .into_iter()
            .filter(|method| documented.get(method.to_lowercase()).is_none());
        requests.extend(other.map(|method| RecordedRequest {
            call: format!("{method} {path}"),
            note: "a method that it has not".to_owned(),
            signed_in_as: Some("owner".to_owned()),
            body: None,
            text: None,
            keep: BTreeMap::new(),
            choose: BTreeMap::new(),
            misuse: false,
            ..request.clone()
        }));
    }
    requests
}

fn operation_names(document: &Value) -> Vec<String> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let names = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(move |(method, _)| format!("{} {path}", method.to_uppercase()))
    });
    names.collect()
}

fn takes_key(document: &Value, request: &RecordedRequest) -> bool {
    let operation = &document["paths"][request.path_template()][request.method().to_lowercase()];
    let mut parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.any(|parameter| parameter["name"] == "Idempotency-Key")
}

fn answer_differences(
    same: &mut Equivalence,
    old: &ApiAnswer,
    new: &ApiAnswer,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if old.status != new.status {
        found.push((
            "status".to_owned(),
            format!("{} -> {}", old.status, new.status),
        ));
    }
    let names: BTreeSet<&String> = old.headers.keys().chain(new.headers.keys()).collect();
    for name in names {
        if IGNORED_HEADERS.contains(&name.as_str()) {
            continue;
        }
        let values = |answer: &ApiAnswer| {
            answer
                .headers
                .get(name)
                .map(|it| it.join("\n"))
                .unwrap_or_default()
        };
        let (old, new) = (values(old), values(new));
        let is_same = match name.as_str() {
            "retry-after" => is_same_wait(&old, &new),
            _ => same.is_same_text(&old, &new),
        };
        if !is_same {
            found.push((format!("header {name}"), format!("{old:?} -> {new:?}")));
        }
    }
    match (
        serde_json::from_slice(&old.body),
        serde_json::from_slice(&new.body),
    ) {
        (Ok(old), Ok(new)) => {
            let differences = same.differences(&old, &new).into_iter();
            found.extend(differences.map(|(place, change)| (format!("body {place}"), change)));
        }
        _ => found.extend(text_difference(same, &old.body, &new.body)),
    }
    found
}

fn is_same_wait(old: &str, new: &str) -> bool {
    match (old.parse::<i64>(), new.parse::<i64>()) {
        (Ok(old), Ok(new)) => (old - new).abs() <= MAX_RETRY_AFTER_DIFFERENCE,
        _ => old == new,
    }
}

/// The first line that is another.
fn text_difference(same: &mut Equivalence, old: &[u8], new: &[u8]) -> Option<(String, String)> {
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let (mut old_lines, mut new_lines) = (old.split('\n'), new.split('\n'));
    for number in 1.. {
        match (old_lines.next(), new_lines.next()) {
            (None, None) => break,
            (Some(old), Some(new)) if same.is_same_text(old, new) => {}
            (old, new) => {
                let shown = |line: Option<&str>| line.unwrap_or("(none)").to_owned();
                let change = format!("{:?} -> {:?}", shown(old), shown(new));
                return Some((format!("line {number}"), change));
            }
        }
    }
    None
}

struct Output {
    text: String,
    accepted: AcceptedDifferences,
    unaccepted: usize,
}

impl Output {
    fn line(&mut self, line: &str) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn tell(&mut self, difference: &str) {
        if !self.accepted.contains(difference) {
            self.unaccepted += 1;
            self.line(&format!("  {difference}"));
        }
    }

    fn tell_documents(&mut self, compared: &DocumentComparison, descriptions: bool) {
        let (wording, structural): (Vec<_>, Vec<_>) =
            compared.differences.iter().partition(|it| it.is_wording);
        self.line(&format!(
            "documents: {} differences, and {} of descriptions",
            structural.len(),
            wording.len()
        ));
        let findings = structural
            .into_iter()
            .chain(wording.into_iter().filter(|_| descriptions));
        for difference in findings {
            let reach = match difference.operations.len() {
                0 | 1 => String::new(),
                count => {
                    let first = difference.operations.first().map_or("", String::as_str);
                    format!(" ({first} and {} more)", count - 1)
                }
            };
            self.tell(&format!(
                "document {}: {}{reach}",
                difference.place, difference.change
            ));
        }
        for (old, new) in &compared.renamed {
            self.line(&format!("  renamed: schema {old} -> {new}"));
        }
        for (which, names) in [("old", &compared.only_old), ("new", &compared.only_new)] {
            if !names.is_empty() {
                let names = names
                    .iter()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .join(", ");
                self.line(&format!(
                    "  schemas that only the {which} document names: {names}"
                ));
            }
        }
    }

    /// An operation of which little was asked is a difference that nobody would have seen.
    fn tell_coverage(&mut self, document: &Value, coverage: &Coverage) {
        let mut never_good = Vec::new();
        let calls = operation_names(document);
        for call in &calls {
            let answers = coverage.get(call);
            let count: usize = answers.into_iter().flatten().map(|(_, count)| count).sum();
            if count < MIN_REQUESTS {
                self.tell(&format!("coverage {call}: {count} requests"));
            }
            if !answers
                .into_iter()
                .flatten()
                .any(|(status, _)| *status < 400)
            {
                never_good.push(call.as_str());
            }
        }
        self.line(&format!(
            "coverage: {} operations of the old document",
            calls.len()
        ));
        if !never_good.is_empty() {
            self.line(&format!("  always refused: {}", never_good.join(", ")));
        }
    }

    fn finished(mut self) -> Comparison {
        let unused: Vec<String> = self.accepted.unused().map(str::to_owned).collect();
        for pattern in unused {
            self.line(&format!("accepts nothing: {pattern}"));
        }
        let verdict = match self.unaccepted {
            0 => "no difference that is not accepted".to_owned(),
            count => format!("{count} differences that are not accepted"),
        };
        self.line(&verdict);
        Comparison {
            is_same: self.unaccepted == 0,
            text: self.text,
        }
    }
}
