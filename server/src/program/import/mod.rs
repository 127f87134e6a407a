//! `dispatch import`: hands files to the one writer, shows how far it is, and writes refused rows to a file.

mod progress_line;
mod rejects_file;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dispatch_intake::{FormatChoice, Reject};
use dispatch_server::control::{ImportEvent, ImportRequest};
use dispatch_server::intake::ImportProgress;
use dispatch_server::log_lines;
use dispatch_server::options::cli::{IdentityOptions, Import};
use dispatch_server::options::config::Shop;

use crate::program::commands::{Sentence, say, sentence};
use crate::program::file_chunks::FileChunks;
use crate::program::writer::Writer;
use progress_line::{ProgressLine, with_separators};
use rejects_file::{Rejects, require_plain_file, write_error};

/// Refused rows of a file, and warnings, that are printed; a file of a million rows may be wrong
/// in all of them.
const MAX_PRINTED: usize = 1_000;

pub async fn run(options: Import) -> Result<ExitCode, Sentence> {
    let shop = Shop::new(options.data.clone(), IdentityOptions::default()).map_err(sentence)?;
    let writer = Writer::find(&shop).await?;
    let mut rejects = Rejects::default();
    let imported = import_files(&options, &writer, &mut rejects).await;
    let imported = writer.finish(imported).await;
    imported.and(rejects.close())?;
    Ok(if rejects.has_rows {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

async fn import_files(
    options: &Import,
    writer: &Writer,
    rejects: &mut Rejects,
) -> Result<(), Sentence> {
    for file in &options.files {
        let request = ImportRequest {
            file_name: file.display().to_string(),
            format: FormatChoice::from(options.format),
            dry_run: options.dry_run,
        };
        rejects.path = match &options.rejects {
            Some(same_for_all) => Some(same_for_all.clone()),
            None => (!options.dry_run).then(|| default_rejects_path(file)),
        };
        if let Some(path) = &rejects.path {
            // Before anything is taken.
            require_plain_file(path).map_err(|error| write_error(path, &error))?;
        }
        let name = &request.file_name;
        let mut printed = PrintedRows::default();
        let shown = log_lines::one_line(name);
        let line = ProgressLine::new(&shown);
        let imported = writer
            .import(&request, FileChunks::open(file)?, |event| {
                match event {
                    ImportEvent::Progress(progress) => line.show(progress),
                    ImportEvent::Reject(reject) => {
                        rejects.write(name, &reject)?;
                        printed.add_reject(name, &reject);
                    }
                    ImportEvent::Warning(warning) => printed.add_warning(&warning),
                    ImportEvent::Summary(_) | ImportEvent::Error(_) => {}
                }
                Ok(())
            })
            .await;
        line.clear();
        if let Ok(progress) = &imported {
            say(summary(name, *progress, options.dry_run));
            printed.print();
        }
        if options.rejects.is_none() {
            rejects.close()?;
        }
        imported?;
    }
    Ok(())
}

fn summary(name: &str, progress: ImportProgress, dry_run: bool) -> String {
    let would = if dry_run { "would be " } else { "" };
    let ImportProgress {
        created,
        changed,
        unchanged,
        refused,
    } = progress;
    let name = log_lines::one_line(name);
    format!(
        "{name}: {created} {would}created, {changed} {would}changed, {unchanged} unchanged, {refused} {would}refused"
    )
}

/// The lines below a file's summary.
#[derive(Default)]
struct PrintedRows {
    warnings: Vec<String>,
    rejects: Vec<String>,
    not_listed: usize,
}

impl PrintedRows {
    fn add_warning(&mut self, warning: &str) {
        if self.warnings.len() < MAX_PRINTED {
            let warning = log_lines::one_line(warning);
            self.warnings.push(format!("  {warning}"));
        } else {
            self.not_listed += 1;
        }
    }

    fn add_reject(&mut self, name: &str, reject: &Reject) {
        let Reject {
            place,
            field,
            reason,
            ..
        } = reject;
        if self.rejects.len() < MAX_PRINTED {
            let line = format!("{name}, {place}: {field}: {reason}");
            self.rejects
                .push(format!("  {}", log_lines::one_line(&line)));
        } else {
            self.not_listed += 1;
        }
    }

    fn print(self) {
        for line in self.warnings.into_iter().chain(self.rejects) {
            say(line);
        }
        if self.not_listed > 0 {
            say(format!("  and {} more", with_separators(self.not_listed)));
        }
    }
}

fn default_rejects_path(file: &Path) -> PathBuf {
    if file == Path::new("-") {
        return PathBuf::from("stdin.rejects.ndjson");
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".rejects.ndjson");
    PathBuf::from(name)
}
