//! What each command does, and what it prints.

use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use dispatch_actors::store::Store;
use dispatch_server::app::{App, Services};
use dispatch_server::cli::{Command, Import, Place, Serve, User, UserAdd};
use dispatch_server::config::{Config, DEFAULT_DATA_DIR, Shop};
use dispatch_server::control::{self, Answer, ImportRequest, UserChange};
use dispatch_server::demo;
use dispatch_server::intake::{self, Format, Summary};
use dispatch_server::lock::{DataLock, Locked};
use dispatch_server::openapi;

/// A sentence for the person at the keyboard.
type Sentence = String;

pub async fn run(command: Command) -> Result<ExitCode, Sentence> {
    match command {
        Command::Serve(options) => serve(options).await,
        Command::Migrate(place) => migrate(place).await,
        Command::Import(options) => import(options).await,
        Command::User(user) => change_user(user).await,
        Command::Openapi => {
            say(openapi::json().map_err(sentence)?);
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// A line for the person at the keyboard; that nobody reads it any more stops nothing.
fn say(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn sentence(error: impl std::fmt::Display) -> Sentence {
    error.to_string()
}

async fn serve(options: Serve) -> Result<ExitCode, Sentence> {
    let config = Config::new(options).map_err(sentence)?;
    let demo = config.demo;
    let first_owner = first_owner(&config.shop.data_dir);
    let app = App::build(config).await.map_err(sentence)?;
    say(format!("Dispatch is ready at http://{}", app.address));
    if demo.is_some() {
        say(demo::sign_ins());
    } else if app
        .services
        .identity
        .count_accounts()
        .await
        .map_err(sentence)?
        == 0
    {
        say(format!(
            "There are no users yet. Make the first owner with:\n  {first_owner}"
        ));
    }
    app.run().await.map_err(sentence)?;
    Ok(ExitCode::SUCCESS)
}

/// What to type beside this server, wherever its data is.
fn first_owner(data_dir: &Path) -> String {
    let command = "dispatch user add you@example.com --name \"Your Name\" --role Owner";
    if data_dir == Path::new(DEFAULT_DATA_DIR) {
        return command.to_owned();
    }
    let data_dir = data_dir.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if data_dir.chars().all(plain) {
        return format!("{command} --data-dir {data_dir}");
    }
    format!("{command} --data-dir '{}'", data_dir.replace('\'', r"'\''"))
}

async fn migrate(place: Place) -> Result<ExitCode, Sentence> {
    let shop = Shop::new(place).map_err(sentence)?;
    let _lock = DataLock::take(&shop.data_dir).map_err(sentence)?;
    let store = Store::open(&shop.database).await.map_err(sentence)?;
    store.migrate(&shop.database).await.map_err(sentence)?;
    say(format!("The database {} is up to date.", shop.database));
    Ok(ExitCode::SUCCESS)
}

/// The one writer: a running server, or this process.
enum Writer {
    Server(reqwest::Client),
    Here {
        services: Box<Services>,
        _lock: DataLock,
    },
}

impl Writer {
    async fn find(shop: &Shop) -> Result<Self, Sentence> {
        match DataLock::take(&shop.data_dir) {
            Ok(lock) => {
                let services = Services::start(shop).await.map_err(sentence)?;
                Ok(Self::Here {
                    services: Box::new(services),
                    _lock: lock,
                })
            }
            Err(Locked::InUse(_)) => {
                let path = control::socket_path(&shop.data_dir);
                wait_for(&path).await?;
                reqwest::Client::builder()
                    .unix_socket(path.as_path())
                    .build()
                    .map(Self::Server)
                    .map_err(sentence)
            }
            Err(unusable) => Err(sentence(unusable)),
        }
    }

    async fn import(&self, request: &ImportRequest, file: Vec<u8>) -> Result<Summary, Sentence> {
        match self {
            Self::Here { services, .. } => intake::take(
                services,
                &request.file_name,
                &file,
                request.format,
                request.dry_run,
            )
            .await
            .map_err(sentence),
            Self::Server(client) => {
                let call = client
                    .post("http://dispatch/import")
                    .query(request)
                    .body(file);
                answered(call).await
            }
        }
    }

    async fn change_user(&self, change: UserChange) -> Result<(), Sentence> {
        match self {
            Self::Here { services, .. } => control::change_user(services, change)
                .await
                .map_err(|error| error.error),
            Self::Server(client) => {
                answered(client.post("http://dispatch/user").json(&change)).await
            }
        }
    }
}

/// A server that is just starting holds the lock before it listens.
async fn wait_for(socket: &Path) -> Result<(), Sentence> {
    for _ in 0..100 {
        if tokio::net::UnixStream::connect(socket).await.is_ok() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!(
        "the data folder is in use, but no server answers at {}; try again when it has started or stopped",
        socket.display()
    ))
}

async fn answered<T: serde::de::DeserializeOwned>(
    call: reqwest::RequestBuilder,
) -> Result<T, Sentence> {
    let answer: Answer<serde_json::Value> = call
        .send()
        .await
        .map_err(lost)?
        .json()
        .await
        .map_err(lost)?;
    match answer {
        // What is done without a result has null for one.
        Answer {
            ok: true, result, ..
        } => serde_json::from_value(result.unwrap_or_default()).map_err(lost),
        Answer { error, .. } => {
            Err(error.unwrap_or_else(|| "the running server refused".to_owned()))
        }
    }
}

fn lost(error: impl std::fmt::Display) -> Sentence {
    format!("the running server did not answer: {error}")
}

async fn import(options: Import) -> Result<ExitCode, Sentence> {
    let shop = Shop::new(options.place).map_err(sentence)?;
    let writer = Writer::find(&shop).await?;
    let format = Format::from(options.format);
    let mut refused = Vec::new();
    for file in &options.files {
        let name = file.display().to_string();
        let bytes = read(file).map_err(|error| format!("cannot read {name}: {error}"))?;
        let request = ImportRequest {
            file_name: name.clone(),
            format,
            dry_run: options.dry_run,
        };
        let summary = writer
            .import(&request, bytes)
            .await
            .map_err(|why| format!("{name}: {why}"))?;
        print_summary(&name, &summary, options.dry_run);
        if !summary.rejects.is_empty() && !options.dry_run {
            let rows = intake::rejects_file(&name, &summary.rejects);
            match &options.rejects {
                Some(_) => refused.push(rows),
                None => write_rejects(&rejects_path(file), &rows)?,
            }
        }
        if !summary.rejects.is_empty() && refused.is_empty() {
            refused.push(String::new());
        }
    }
    if let Some(path) = &options.rejects {
        let rows = refused.concat();
        if !rows.is_empty() {
            write_rejects(path, &rows)?;
        }
    }
    Ok(if refused.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        Ok(bytes)
    } else {
        std::fs::read(file)
    }
}

fn rejects_path(file: &Path) -> PathBuf {
    if file == Path::new("-") {
        return PathBuf::from("stdin.rejects.ndjson");
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".rejects.ndjson");
    PathBuf::from(name)
}

fn write_rejects(path: &Path, rows: &str) -> Result<(), Sentence> {
    std::fs::write(path, rows).map_err(|error| {
        format!(
            "cannot write the refused rows to {}: {error}",
            path.display()
        )
    })?;
    say(format!("The refused rows are in {}", path.display()));
    Ok(())
}

fn print_summary(name: &str, summary: &Summary, dry_run: bool) {
    let would = if dry_run { "would be " } else { "" };
    say(format!(
        "{name}: {} {would}created, {} {would}changed, {} unchanged, {} {would}refused",
        summary.created,
        summary.changed,
        summary.unchanged,
        summary.rejects.len()
    ));
    for warning in &summary.warnings {
        say(format!("  {warning}"));
    }
    for reject in &summary.rejects {
        say(format!(
            "  {name}, {}: {}: {}",
            reject.place, reject.field, reject.reason
        ));
    }
}

async fn change_user(user: User) -> Result<ExitCode, Sentence> {
    let (place, change, done) = match user {
        User::Add(add) => {
            let password = password(&add)?;
            let UserAdd {
                email,
                name,
                roles,
                technician,
                place,
                ..
            } = add;
            let name =
                name.unwrap_or_else(|| email.split('@').next().unwrap_or_default().to_owned());
            let done = format!("{email} can sign in now.");
            (
                place,
                UserChange::Add {
                    email,
                    name,
                    roles,
                    technician_id: technician,
                    password,
                },
                done,
            )
        }
        User::Role(role) => {
            let done = format!("The roles of {} are changed.", role.email);
            (
                role.place,
                UserChange::SetRoles {
                    email: role.email,
                    roles: role.roles,
                },
                done,
            )
        }
        User::Remove(remove) => {
            let done = format!("{} is removed.", remove.email);
            (
                remove.place,
                UserChange::Remove {
                    email: remove.email,
                },
                done,
            )
        }
    };
    let shop = Shop::new(place).map_err(sentence)?;
    Writer::find(&shop).await?.change_user(change).await?;
    say(done);
    Ok(ExitCode::SUCCESS)
}

fn password(add: &UserAdd) -> Result<String, Sentence> {
    if add.password_stdin || !std::io::stdin().is_terminal() {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map_err(sentence)?;
        return Ok(line.trim_end_matches(['\n', '\r']).to_owned());
    }
    rpassword::prompt_password(format!("Password for {}: ", add.email)).map_err(sentence)
}
