//! `dispatch staff import`: reads the files, hands their entries to the one writer, and says what
//! became of each.

use std::path::Path;
use std::process::ExitCode;

use dispatch_server::hosted_import::{
    BATCH_SIZE, Entry, EntryContent, Export, HashConfig, Outcome,
};
use dispatch_server::options::cli::{IdentityName, StaffImport};
use dispatch_server::options::config::Shop;

use crate::program::commands::{Sentence, say, sentence};
use crate::program::file_chunks::cannot_read;
use crate::program::writer::Writer;

#[derive(Default)]
struct Counts {
    created: usize,
    left: usize,
    refused: usize,
}

/// Exit code 1 when something was refused. A file that cannot be read at all stops it before
/// anything is imported.
pub async fn run(options: StaffImport) -> Result<ExitCode, Sentence> {
    let StaffImport {
        files,
        hash_config,
        shop,
    } = options;
    let shop = Shop::new(shop.data, shop.identity).map_err(sentence)?;
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
        let is_account = |entry: &Entry| matches!(entry.content, EntryContent::Account { .. });
        if shop.identity.identity == IdentityName::Firebase && export.entries.iter().any(is_account)
        {
            return Err(format!(
                "{}: the accounts stay with Firebase as long as --identity says so",
                path.display()
            ));
        }
        exports.push((path, export));
    }
    let writer = Writer::find(&shop).await?;
    let mut counts = Counts::default();
    let mut imported = Ok(());
    for (path, export) in &exports {
        imported = import_file(&writer, path, &export.entries, &mut counts).await;
        if imported.is_err() {
            break;
        }
    }
    let imported = writer.finish(imported).await;
    let Counts {
        created,
        left,
        refused,
    } = counts;
    say(format!(
        "{created} created, {left} left as they were, {refused} refused."
    ));
    imported?;
    Ok(ExitCode::from(u8::from(refused > 0)))
}

fn read(path: &Path) -> Result<String, Sentence> {
    std::fs::read_to_string(path).map_err(|error| cannot_read(path, &error))
}

async fn import_file(
    writer: &Writer,
    path: &Path,
    entries: &[Entry],
    counts: &mut Counts,
) -> Result<(), Sentence> {
    for batch in entries.chunks(BATCH_SIZE) {
        let outcomes = writer.import_staff(batch).await?;
        for (Entry { line, name, .. }, outcome) in batch.iter().zip(outcomes) {
            let (count, text) = match outcome {
                Outcome::Created => (&mut counts.created, "created".to_owned()),
                Outcome::Left(why) => (&mut counts.left, format!("left: {why}")),
                Outcome::Refused(why) => (&mut counts.refused, format!("refused: {why}")),
            };
            *count += 1;
            say(format!("{}:{line}: {name}: {text}", path.display()));
        }
    }
    Ok(())
}
