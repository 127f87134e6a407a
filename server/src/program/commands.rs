//! What each command does, and what it prints.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use dispatch_server::app::App;
use dispatch_server::backup::{self, ContentsSentence};
use dispatch_server::control::{ListedUser, TokenKeyRotation, UserChange};
use dispatch_server::database;
use dispatch_server::demo;
use dispatch_server::doctor;
use dispatch_server::files::lock::DataLock;
use dispatch_server::http::page;
use dispatch_server::log_lines;
use dispatch_server::openapi;
use dispatch_server::options::cli::{
    AddUser, Backup, Command, DataOptions, Doctor, IdentityOptions, Restore, RotateTokenKey, Serve,
    SetUserRoles, ShopOptions, Staff, TokenKey, User,
};
use dispatch_server::options::config::{Config, DEFAULT_DATA_DIR, Shop, backup_passphrase};
use dispatch_server::public_url::OwnAddresses;
use dispatch_server::staff::Role;
use jiff::Timestamp;

use crate::program::customer;
use crate::program::hangups;
use crate::program::import;
use crate::program::service_manager;
use crate::program::staff_import;
use crate::program::writer::Writer;

/// A sentence for the person at the keyboard.
pub type Sentence = String;

pub async fn run(command: Command) -> Result<ExitCode, Sentence> {
    match command {
        Command::Serve(options) => serve(*options).await,
        Command::Doctor(options) => examine(*options).await,
        Command::Migrate(data) => migrate(data).await,
        Command::Backup(options) => back_up(options).await,
        Command::Restore(options) => restore(options).await,
        Command::Import(options) => import::run(options).await,
        Command::User(user) => change_user(user).await,
        Command::Customer(command) => customer::run(command).await,
        Command::TokenKey(TokenKey::Rotate(options)) => rotate_token_key(options).await,
        Command::Staff(Staff::Import(options)) => staff_import::run(options).await,
        Command::Openapi => {
            say(openapi::json().map_err(sentence)?);
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Lines for the person at the keyboard, whose terminal obeys nothing in them; that nobody reads them
/// any more stops nothing.
pub fn say(lines: impl std::fmt::Display) {
    let lines = lines.to_string();
    let mut shown: Vec<String> = Vec::new();
    for line in lines.split('\n') {
        shown.push(log_lines::one_line(line));
    }
    let _ = writeln!(std::io::stdout(), "{}", shown.join("\n"));
}

/// Nobody is left to warn when standard error is closed.
pub fn warn(warning: impl std::fmt::Display) {
    let warning = log_lines::one_line(&warning.to_string());
    let _ = writeln!(std::io::stderr(), "dispatch: warning: {warning}");
}

pub fn sentence(error: impl std::fmt::Display) -> Sentence {
    error.to_string()
}

async fn serve(options: Serve) -> Result<ExitCode, Sentence> {
    hangups::ignore().map_err(sentence)?;
    let config = Config::new(options).map_err(sentence)?;
    let demo = config.demo;
    let options_file = config.options_file.clone();
    let first_owner = first_owner(&config.shop.data_dir);
    let (database, data_dir) = (config.shop.database.clone(), config.shop.data_dir.clone());
    let app = match App::build(config).await {
        Ok(app) => app,
        Err(error) if error.may_be_damage() => {
            let failure = error.to_string();
            let damaged = database::find_damage(&database, &failure).await;
            return Err(damaged.map_or(failure, sentence));
        }
        Err(error) => return Err(sentence(error)),
    };
    let metrics = app.metrics_address().map(tracing::field::display);
    tracing::info!(
        version = page::build(), address = %app.address, metrics, %database,
        data_dir = %data_dir.display(), "the server has started"
    );
    if let Some(file) = options_file {
        tracing::info!("options are read from {}", file.display());
    }
    let own = OwnAddresses::new(app.address);
    say(format!("Dispatch is ready at {}", own.all().join(" and ")));
    if demo.is_some() {
        say(demo::sign_ins(app.demo_board_link()));
    } else if let [link, elsewhere @ ..] = app.set_up_links() {
        let elsewhere: String = elsewhere
            .iter()
            .map(|link| format!("or from another machine with:\n  {link}\n"))
            .collect();
        say(format!(
            "Nobody can sign in yet. Make the first owner with this link, which works once and until the server \
             stops:\n  {link}\n{elsewhere}or here, with:\n  {first_owner}"
        ));
    } else if app.count_accounts().await.map_err(sentence)? == 0 {
        say(format!(
            "There are no users yet. Make the first owner with:\n  {first_owner}"
        ));
    }
    service_manager::notify_ready();
    app.run(service_manager::notify_stopping)
        .await
        .map_err(sentence)?;
    tracing::info!("the server has stopped");
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

async fn examine(options: Doctor) -> Result<ExitCode, Sentence> {
    let report = doctor::examine(options.serve).await;
    match options.json {
        true => say(report.json().map_err(sentence)?),
        false => say(&report),
    }
    Ok(ExitCode::from(report.exit_code()))
}

async fn migrate(data: DataOptions) -> Result<ExitCode, Sentence> {
    let shop = Shop::new(data, IdentityOptions::default()).map_err(sentence)?;
    let _lock = DataLock::take(&shop.data_dir).map_err(sentence)?;
    let store = database::open(&shop).await.map_err(sentence)?;
    store.close().await;
    say(format!("The database {} is up to date.", shop.database));
    Ok(ExitCode::SUCCESS)
}

async fn back_up(options: Backup) -> Result<ExitCode, Sentence> {
    let config = options.data.config.as_deref();
    let passphrase = backup_passphrase(options.backup_passphrase_file, config).map_err(sentence)?;
    let how = if passphrase.is_some() {
        "an encrypted backup"
    } else {
        "a backup"
    };
    let shop = Shop::new(options.data, IdentityOptions::default()).map_err(sentence)?;
    let backup = backup::write(&shop.database, &options.to, passphrase, Timestamp::now()).await;
    let (backup, damaged) = backup.map_err(sentence)?;
    say(format!(
        "{} is {how} of {}: {}, {} bytes, read once more and whole.",
        backup.file.display(),
        shop.database,
        ContentsSentence(backup.contents),
        backup.bytes
    ));
    if let Some(damaged) = damaged {
        warn(format!(
            "{damaged}. This backup is made of the rows that could be read, and is whole; keep the earlier ones, too"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

async fn restore(options: Restore) -> Result<ExitCode, Sentence> {
    let config = options.data.config.as_deref();
    let passphrase = backup_passphrase(options.backup_passphrase_file, config).map_err(sentence)?;
    let shop = Shop::new(options.data, IdentityOptions::default()).map_err(sentence)?;
    let _lock = DataLock::take(&shop.data_dir).map_err(sentence)?;
    let restored = backup::restore(
        &options.from,
        &shop.database,
        passphrase.as_ref(),
        options.replace,
        Timestamp::now(),
    );
    let restored = restored.await;
    let (backup, kept) = restored.map_err(sentence)?;
    say(format!(
        "{} is restored from {}: {}.",
        shop.database,
        backup.file.display(),
        ContentsSentence(backup.contents)
    ));
    if let Some(kept) = kept {
        say(format!("The database before it is {}.", kept.display()));
    }
    Ok(ExitCode::SUCCESS)
}

async fn change_user(user: User) -> Result<ExitCode, Sentence> {
    let (shop, change, done) = match user {
        User::Add(add) => {
            let password = password(&add.email, add.password_stdin)?;
            let AddUser {
                email,
                name,
                roles,
                technician,
                shop,
                ..
            } = add;
            let name =
                name.unwrap_or_else(|| email.split('@').next().unwrap_or_default().to_owned());
            let done = signs_in(&email, &roles, technician);
            let change = UserChange::Add {
                email,
                name,
                roles,
                technician_id: technician,
                password,
            };
            (shop, change, done)
        }
        User::Role(role) => {
            let done = format!("The roles of {} are changed.", role.email);
            let SetUserRoles { email, roles, shop } = role;
            (shop, UserChange::SetRoles { email, roles }, done)
        }
        User::ResetTwoFactor(reset) => {
            let done = format!(
                "{} signs in without a second factor now, and has to sign in again.",
                reset.email
            );
            let change = UserChange::ResetTwoFactor { email: reset.email };
            (reset.shop, change, done)
        }
        User::SignOut(user) => {
            let done = format!("{} is signed out everywhere.", user.email);
            let change = UserChange::SignOut { email: user.email };
            (user.shop, change, done)
        }
        User::SetPassword(set) => {
            let password = password(&set.email, set.password_stdin)?;
            let done = format!(
                "{} has another password now, and has to sign in again.",
                set.email
            );
            let change = UserChange::SetPassword {
                email: set.email,
                password,
            };
            (set.shop, change, done)
        }
        User::List(shop) => return list_users(shop).await,
        User::Remove(user) => {
            let done = format!("{} is removed.", user.email);
            let change = UserChange::Remove { email: user.email };
            (user.shop, change, done)
        }
    };
    let shop = Shop::new(shop.data, shop.identity).map_err(sentence)?;
    // A shop begins with its first account.
    let writer = match &change {
        UserChange::Add { .. } => Writer::find(&shop).await?,
        _ => Writer::find_existing(&shop).await?,
    };
    let changed = writer.change_user(change).await;
    let warning = writer.finish(changed).await?;
    say(done);
    if let Some(warning) = warning {
        warn(warning);
    }
    Ok(ExitCode::SUCCESS)
}

fn signs_in(email: &str, roles: &[Role], technician: Option<i64>) -> Sentence {
    let done = format!("{email} can sign in now.");
    match roles.contains(&Role::Technician) && technician.is_none() {
        true => format!(
            "{done} Nothing can be assigned to them before it is said which technician they are: in User Management, \
             or with --technician NUMBER when they are added."
        ),
        false => done,
    }
}

/// A line each: email, name and roles, in columns.
async fn list_users(options: ShopOptions) -> Result<ExitCode, Sentence> {
    let shop = Shop::new(options.data, options.identity).map_err(sentence)?;
    let writer = Writer::find_existing(&shop).await?;
    let users = writer.users().await;
    let users = writer.finish(users).await?;
    let width =
        |of: fn(&ListedUser) -> &str| users.iter().map(|user| of(user).chars().count()).max();
    let email_width = width(|user| &user.email).unwrap_or_default();
    let name_width = width(|user| &user.name).unwrap_or_default();
    for user in &users {
        let roles: Vec<&str> = user.roles.iter().map(|role| role.name()).collect();
        let invited = if user.invited { "  (invited)" } else { "" };
        say(format!(
            "{:email_width$}  {:name_width$}  {}{invited}",
            user.email,
            user.name,
            roles.join(", ")
        ));
    }
    Ok(ExitCode::SUCCESS)
}

async fn rotate_token_key(options: RotateTokenKey) -> Result<ExitCode, Sentence> {
    let shop = Shop::new(options.shop.data, options.shop.identity).map_err(sentence)?;
    let writer = Writer::find_existing(&shop).await?;
    let rotation = TokenKeyRotation {
        now: options.now,
        end_sessions: options.end_sessions,
    };
    let rotated = writer.rotate_token_key(rotation).await;
    writer.finish(rotated).await?;
    say(if options.end_sessions {
        "ID tokens are signed with a new key, and every session is ended: everybody signs in again."
    } else if options.now {
        "ID tokens are signed with a new key, and those before are refused. Sessions go on with new ones: \
         where somebody may have those, too, end them all with\n  \
         dispatch token-key rotate --now --end-sessions"
    } else {
        "ID tokens are signed with a new key; those before are good for their hour."
    });
    Ok(ExitCode::SUCCESS)
}

fn password(email: &str, from_stdin: bool) -> Result<String, Sentence> {
    if from_stdin || !std::io::stdin().is_terminal() {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map_err(sentence)?;
        return Ok(line.trim_end_matches(['\n', '\r']).to_owned());
    }
    rpassword::prompt_password(format!("Password for {email}: ")).map_err(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_technician_without_a_number_is_told_how_to_get_one() {
        let says = |roles: &[Role], technician| signs_in("joe@example.com", roles, technician);
        let hint = says(&[Role::Advisor, Role::Technician], None);
        assert!(hint.contains("--technician NUMBER"), "{hint}");
        let done = "joe@example.com can sign in now.";
        assert_eq!(says(&[Role::Technician], Some(31)), done);
        assert_eq!(says(&[Role::Advisor], None), done);
    }
}
