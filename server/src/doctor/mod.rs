//! `dispatch doctor`: looks at everything an operator gets wrong, beside a running server or without one, and says of
//! each whether it is right and what to do. It changes nothing: it writes no file, sends no mail and takes no lock.
//!
//! A file for each thing that is looked at; `finding` is what they say, `report` how it is shown, `running_server`
//! whether there is one, `probe` asks an address for it, `access` who may do what with a file.

mod access;
mod backups;
mod clock;
mod data_folder;
mod database;
mod disk;
mod finding;
mod intake;
mod listening;
mod mail_server;
mod open_files;
mod options_file;
mod probe;
mod public_url;
mod report;
mod running_server;

use finding::Finding;
use running_server::RunningServer;

use crate::options::cli::Serve;
use crate::options::config::Config;

pub use report::Report;

/// What is looked at: the options, as a server would take them, and the server that runs on the data folder.
struct Patient {
    config: Config,
    server: Option<RunningServer>,
}

/// Looks at all that a server with these options would meet.
pub async fn examine(serve: Serve) -> Report {
    let options_file = serve.data.config.clone();
    let mut findings = options_file::check(options_file.as_deref());
    let has_unusable_file = findings.iter().any(Finding::is_wrong);
    let config = match Config::new(serve) {
        Ok(config) => config,
        Err(error) => {
            // What is wrong with the file is said already.
            if !has_unusable_file {
                let advice = "correct this option; the server does not start before that";
                findings.push(Finding::wrong("options", error, advice));
            }
            let why = "the options have to be right first";
            findings.push(Finding::skipped("everything else", why));
            return Report::new(findings);
        }
    };
    let server = RunningServer::find(&config.shop.data_dir).await;
    let patient = Patient { config, server };
    findings.push(running_server::check(&patient).await);
    findings.extend(running_server::check_options(
        &patient,
        options_file.as_deref(),
    ));
    findings.extend(data_folder::check(&patient));
    findings.extend(disk::check(&patient));
    let (of_database, newest_event) = database::check(&patient).await;
    findings.extend(of_database);
    findings.extend(clock::check(&patient, newest_event).await);
    findings.extend(public_url::check(&patient).await);
    findings.extend(mail_server::check(&patient).await);
    findings.extend(backups::check(&patient, newest_event.is_some()).await);
    findings.push(open_files::check(&patient));
    findings.push(listening::check(&patient).await);
    findings.extend(intake::check(&patient));
    Report::new(findings)
}
