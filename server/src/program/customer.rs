//! `dispatch customer`: one customer's data.

use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::ExitCode;

use dispatch_server::customers::api_types::{
    CustomerAction, CustomerAnswer, CustomerRequest, FoundOrder,
};
use dispatch_server::options::cli::{
    Customer, CustomerOrders, DataOptions, EraseCustomer, ExportCustomer, IdentityOptions,
};
use dispatch_server::options::config::Shop;
use serde_json::Value;

use crate::program::commands::{Sentence, say, sentence};
use crate::program::writer::Writer;

pub async fn run(command: Customer) -> Result<ExitCode, Sentence> {
    match command {
        Customer::Export(options) => export(options).await,
        Customer::Erase(options) => erase(options).await,
    }
}

async fn export(options: ExportCustomer) -> Result<ExitCode, Sentence> {
    let ExportCustomer { orders, to, data } = options;
    if to.exists() {
        return Err(format!(
            "{} is there already; give another name with --to",
            to.display()
        ));
    }
    let writer = find_writer(data).await?;
    let answer = writer
        .customer(&request(CustomerAction::Export, &orders))
        .await;
    let answer = writer.finish(answer).await?;
    if answer.orders.is_empty() {
        return Err(nobody());
    }
    write_export(&to, &answer.export.unwrap_or_default())?;
    say(format!(
        "{} has all of {} repair orders. It can be read by you alone: it has a customer's data in it.",
        to.display(),
        answer.orders.len()
    ));
    Ok(ExitCode::SUCCESS)
}

/// For its writer alone, and never over another file.
fn write_export(to: &Path, export: &Value) -> Result<(), Sentence> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", to.display());
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    let mut file = options.open(to).map_err(failed)?;
    let text = serde_json::to_string_pretty(export).map_err(sentence)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.sync_all().map_err(failed)
}

async fn erase(options: EraseCustomer) -> Result<ExitCode, Sentence> {
    let is_asked = !options.yes && !options.dry_run;
    if is_asked && !std::io::stdin().is_terminal() {
        return Err(
            "this erases for good, and there is nobody to ask: look with --dry-run, then give --yes"
                .to_owned(),
        );
    }
    let writer = find_writer(options.data.clone()).await?;
    let erased = erase_with(&writer, &options, is_asked).await;
    writer.finish(erased).await?;
    Ok(ExitCode::SUCCESS)
}

async fn erase_with(
    writer: &Writer,
    options: &EraseCustomer,
    is_asked: bool,
) -> Result<(), Sentence> {
    let asked = |action| CustomerRequest {
        intake_dir: options.intake_dir.clone(),
        ..request(action, &options.orders)
    };
    if !options.yes || options.dry_run {
        let found = writer.customer(&asked(CustomerAction::Find)).await?;
        say(description(&found));
        if options.dry_run || found.orders.is_empty() {
            return Ok(());
        }
    }
    if is_asked && !is_confirmed()? {
        say("Nothing is erased.");
        return Ok(());
    }
    let answer = writer.customer(&asked(CustomerAction::Erase)).await?;
    let Some(erased) = answer.erased else {
        return Ok(());
    };
    if answer.orders.is_empty() {
        say(nobody());
    }
    say(format!("Erased: {erased}."));
    for file in &erased.files {
        say(format!("Deleted: {file}"));
    }
    for file in &erased.unread_files {
        say(unread(file));
    }
    if !erased.is_log_written_back {
        say(
            "The database's write-ahead log still has what was erased, because somebody reads it; it goes \
             when the server is stopped, or with the next erasure.",
        );
    }
    say("Backups that were made before have the customer until they are deleted.");
    Ok(())
}

fn is_confirmed() -> Result<bool, Sentence> {
    say("This cannot be undone. Type erase to go on:");
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).map_err(sentence)?;
    Ok(line.trim() == "erase")
}

async fn find_writer(data: DataOptions) -> Result<Writer, Sentence> {
    let shop = Shop::new(data, IdentityOptions::default()).map_err(sentence)?;
    Writer::find_existing(&shop).await
}

fn request(action: CustomerAction, orders: &CustomerOrders) -> CustomerRequest {
    let user = ["SUDO_USER", "USER", "LOGNAME"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok())
        .unwrap_or_else(|| "unknown".to_owned());
    CustomerRequest {
        action,
        name: orders.name.clone(),
        vin: orders.vin.clone(),
        numbers: orders.numbers.clone(),
        intake_dir: None,
        requested_by: user,
    }
}

fn nobody() -> Sentence {
    "No repair order has this customer, this VIN and one of these numbers.".to_owned()
}

fn description(found: &CustomerAnswer) -> Sentence {
    if found.orders.is_empty() {
        return nobody();
    }
    let mut lines = vec![format!("{} repair orders:", found.orders.len())];
    lines.extend(found.orders.iter().map(line));
    if !found.also_mentioned_in.is_empty() {
        let numbers: Vec<String> = found
            .also_mentioned_in
            .iter()
            .map(ToString::to_string)
            .collect();
        lines.push(format!(
            "Other orders that name the customer or the car, and stay as they are unless you add them with \
             --ro: {}",
            numbers.join(", ")
        ));
    }
    lines.extend(
        found
            .files
            .iter()
            .map(|file| format!("File to delete: {file}")),
    );
    lines.extend(found.unread_files.iter().map(|file| unread(file)));
    lines.join("\n")
}

/// A file of which only a person can say whether it is the customer's.
fn unread(file: &str) -> Sentence {
    format!("Not read as text, and not deleted; look into it: {file}")
}

fn line(order: &FoundOrder) -> String {
    let FoundOrder {
        number,
        customer,
        vin,
        vehicle,
        is_open,
    } = order;
    let state = if *is_open { "open" } else { "closed" };
    format!("  {number} ({state}): {customer}, {vehicle}, {vin}")
}
