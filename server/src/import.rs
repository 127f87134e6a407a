//! `dispatch import`: hands files to whoever writes, shows how far it is, keeps what was refused.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dispatch_intake::{FormatChoice, Reject, rejects_ndjson};
use dispatch_server::cli::{Import, People};
use dispatch_server::config::Shop;
use dispatch_server::control::{ImportRequest, News};
use dispatch_server::folder_handle::{FolderHandle, NewFile, is_file};
use dispatch_server::intake::Progress;
use dispatch_server::log_lines;
use uuid::Uuid;

use crate::commands::{Sentence, say, sentence};
use crate::writer::{Pieces, Writer};

/// Refused rows of a file, and warnings, that are printed; a file of a million rows may be wrong
/// in all of them.
const MOST_TOLD: usize = 1_000;

pub async fn run(options: Import) -> Result<ExitCode, Sentence> {
    let shop = Shop::new(options.place.clone(), People::default()).map_err(sentence)?;
    let writer = Writer::find(&shop).await?;
    let mut rejects = Rejects::default();
    let imported = import_files(&options, &writer, &mut rejects).await;
    writer.finish().await;
    imported.and(rejects.close())?;
    Ok(if rejects.any {
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
            Some(one_for_all) => Some(one_for_all.clone()),
            None => (!options.dry_run).then(|| beside(file)),
        };
        if let Some(path) = &rejects.path {
            // Before anything is taken.
            require_plain_file(path).map_err(|error| cannot_write(path, &error))?;
        }
        let name = &request.file_name;
        let mut heard = Heard::default();
        let shown = log_lines::one_line(name);
        let line = ProgressLine::of(&shown);
        let imported = writer
            .import(&request, Pieces::of(file)?, |news| {
                match news {
                    News::Progress(progress) => line.show(progress),
                    News::Reject(reject) => {
                        rejects.take(name, &reject)?;
                        heard.reject(name, &reject);
                    }
                    News::Warning(warning) => heard.warning(&warning),
                    News::Summary(_) | News::Error(_) => {}
                }
                Ok(())
            })
            .await;
        line.clear();
        if let Ok(progress) = &imported {
            say(summary(name, *progress, options.dry_run));
            heard.tell();
        }
        if options.rejects.is_none() {
            rejects.close()?;
        }
        imported?;
    }
    Ok(())
}

fn summary(name: &str, progress: Progress, dry_run: bool) -> String {
    let would = if dry_run { "would be " } else { "" };
    let Progress {
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

/// What is printed below a file's summary.
#[derive(Default)]
struct Heard {
    warnings: Vec<String>,
    rejects: Vec<String>,
    untold: usize,
}

impl Heard {
    fn warning(&mut self, warning: &str) {
        if self.warnings.len() < MOST_TOLD {
            let warning = log_lines::one_line(warning);
            self.warnings.push(format!("  {warning}"));
        } else {
            self.untold += 1;
        }
    }

    fn reject(&mut self, name: &str, reject: &Reject) {
        let Reject {
            place,
            field,
            reason,
            ..
        } = reject;
        if self.rejects.len() < MOST_TOLD {
            let line = format!("{name}, {place}: {field}: {reason}");
            self.rejects
                .push(format!("  {}", log_lines::one_line(&line)));
        } else {
            self.untold += 1;
        }
    }

    fn tell(self) {
        for line in self.warnings.into_iter().chain(self.rejects) {
            say(line);
        }
        if self.untold > 0 {
            say(format!("  and {} more", counted(self.untold)));
        }
    }
}

/// Where refused rows are written, as they come: a hidden file beside the one that they are in at the end.
#[derive(Default)]
struct Rejects {
    path: Option<PathBuf>,
    file: Option<RejectsFile>,
    any: bool,
}

impl Rejects {
    fn take(&mut self, name: &str, reject: &Reject) -> Result<(), Sentence> {
        self.any = true;
        let Some(path) = &self.path else {
            return Ok(());
        };
        let row = rejects_ndjson(name, std::slice::from_ref(reject));
        let mut write = || {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(RejectsFile::create(path)?),
            };
            file.file.write_all(row.as_bytes())
        };
        write().map_err(|error| cannot_write(path, &error))
    }

    /// Says where they are; the next file has its own.
    fn close(&mut self) -> Result<(), Sentence> {
        if let (Some(path), Some(file)) = (&self.path, self.file.take()) {
            let finished = file.finish();
            finished.map_err(|error| cannot_write(path, &error))?;
            let path = path.display().to_string();
            say(format!(
                "The refused rows are in {}",
                log_lines::one_line(&path)
            ));
        }
        Ok(())
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Sentence {
    format!(
        "cannot write the refused rows to {}: {error}",
        path.display()
    )
}

fn require_plain_file(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(there) if !there.is_file() => Err(no_plain_file()),
        // What is not there is made; what cannot be looked at is told when it is written.
        _ => Ok(()),
    }
}

/// Also of standard output, which is a link.
fn no_plain_file() -> io::Error {
    io::Error::other(
        "that is a link, a pipe, a device or a folder, and customers' data is written to a plain file \
         alone: name one with --rejects",
    )
}

/// Rows have customers in them, and whoever can write to the folder may have put something in the way.
struct RejectsFile {
    file: File,
    folder: FolderHandle,
    hidden_name: OsString,
    name: OsString,
}

impl RejectsFile {
    fn create(path: &Path) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let folder = FolderHandle::open(folder)?;
        let Some(name) = path.file_name().map(ToOwned::to_owned) else {
            return Err(io::Error::other("it is a folder"));
        };
        if folder.stat(&name)?.is_some_and(|there| !is_file(&there)) {
            return Err(no_plain_file());
        }
        let hidden_name = OsString::from(format!(".rejects-{}.part", Uuid::new_v4()));
        let file = folder.create(&hidden_name, NewFile::Private)?;
        Ok(Self {
            file,
            folder,
            hidden_name,
            name,
        })
    }

    fn finish(self) -> io::Result<()> {
        self.folder.rename(&self.hidden_name, &self.name)
    }
}

fn beside(file: &Path) -> PathBuf {
    if file == Path::new("-") {
        return PathBuf::from("stdin.rejects.ndjson");
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".rejects.ndjson");
    PathBuf::from(name)
}

/// How far a file is, in one line that is written anew; nothing where nobody looks.
struct ProgressLine<'a> {
    name: &'a str,
    shown: bool,
}

impl<'a> ProgressLine<'a> {
    fn of(name: &'a str) -> Self {
        let shown = std::io::stderr().is_terminal();
        Self { name, shown }
    }

    fn show(&self, progress: Progress) {
        let Progress {
            created,
            changed,
            unchanged,
            refused,
        } = progress;
        let orders = counted(created + changed + unchanged);
        let refused = counted(refused);
        self.write(format_args!(
            "{}: {orders} repair orders, {refused} refused",
            self.name
        ));
    }

    fn clear(&self) {
        self.write(format_args!(""));
    }

    /// To the line's beginning, and away with what stood behind the new text.
    fn write(&self, text: std::fmt::Arguments<'_>) {
        if self.shown {
            let mut stderr = std::io::stderr();
            let _ = write!(stderr, "\r{text}\x1b[K").and_then(|()| stderr.flush());
        }
    }
}

/// 3200 is 3,200.
fn counted(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
