//! `dispatch staff import`: reads the files, hands their entries to the one writer, and says what
//! became of each.

use std::path::Path;
use std::process::ExitCode;

use dispatch_server::cli::{IdentityName, StaffImport};
use dispatch_server::config::Shop;
use dispatch_server::staff::house_move::{AT_ONCE, Entry, Export, HashConfig, Outcome, What};

use crate::commands::{Sentence, say, sentence};
use crate::writer::Writer;

#[derive(Default)]
struct Count {
    created: usize,
    left: usize,
    refused: usize,
}

/// Exit code 1 when something was refused. A file that cannot be read at all stops it before
/// anything is taken.
pub async fn run(options: StaffImport) -> Result<ExitCode, Sentence> {
    let StaffImport {
        files,
        hash_config,
        place,
        people,
    } = options;
    let shop = Shop::new(place, people).map_err(sentence)?;
    let hashes = match hash_config {
        Some(path) => {
            let config = HashConfig::parse(&read(&path)?);
            Some(config.map_err(|error| format!("{}: {error}", path.display()))?)
        }
        None => None,
    };
    let mut exports = Vec::with_capacity(files.len());
    for path in files {
        let export = Export::parse(&read(&path)?, hashes.as_ref());
        let export = export.map_err(|error| format!("{}: {error}", path.display()))?;
        let is_account = |entry: &Entry| matches!(entry.what, What::Account { .. });
        if shop.people.identity == IdentityName::Firebase && export.entries.iter().any(is_account) {
            return Err(format!(
                "{}: the accounts stay with Firebase as long as --identity says so",
                path.display()
            ));
        }
        exports.push((path, export));
    }
    let writer = Writer::find(&shop).await?;
    let mut count = Count::default();
    let mut taken = Ok(());
    for (path, export) in &exports {
        taken = take(&writer, path, &export.entries, &mut count).await;
        if taken.is_err() {
            break;
        }
    }
    writer.finish().await;
    let Count {
        created,
        left,
        refused,
    } = count;
    say(format!(
        "{created} created, {left} left as they were, {refused} refused."
    ));
    taken?;
    Ok(ExitCode::from(u8::from(refused > 0)))
}

fn read(path: &Path) -> Result<String, Sentence> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

async fn take(
    writer: &Writer,
    path: &Path,
    entries: &[Entry],
    count: &mut Count,
) -> Result<(), Sentence> {
    for some in entries.chunks(AT_ONCE) {
        let outcomes = writer.move_house(some).await?;
        for (Entry { line, name, .. }, outcome) in some.iter().zip(outcomes) {
            let (counted, what) = match outcome {
                Outcome::Created => (&mut count.created, "created".to_owned()),
                Outcome::Left(why) => (&mut count.left, format!("left: {why}")),
                Outcome::Refused(why) => (&mut count.refused, format!("refused: {why}")),
            };
            *counted += 1;
            say(format!("{}:{line}: {name}: {what}", path.display()));
        }
    }
    Ok(())
}
