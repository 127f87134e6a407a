//! The mail server: that it is there, speaks TLS and lets this server sign in. Nothing is sent.

use super::Patient;
use super::finding::Finding;
use crate::mail::{Mail, SendError, SmtpServer};

const CHECK: &str = "mail server";

pub(super) async fn check(patient: &Patient) -> Vec<Finding> {
    let finding = match &patient.config.shop.identity.mail {
        Mail::Folder { .. } => Finding::warning(
            CHECK,
            format!(
                "none is named: mails are files in {}, and reach nobody",
                patient.config.shop.data_dir.join("mail").display()
            ),
            "name one with --smtp-url and --mail-from, so that invitations and links to a new password arrive",
        ),
        Mail::Server { server, .. } => try_out(server).await,
    };
    vec![finding]
}

async fn try_out(server: &SmtpServer) -> Finding {
    let address = server.address();
    match server.try_out().await {
        Ok(answer) => {
            let signed_in = match answer.signed_in {
                true => ", and takes the password",
                false => "",
            };
            if answer.is_encrypted || server.is_here() {
                let tls = if answer.is_encrypted { " with TLS" } else { "" };
                return Finding::ok(CHECK, format!("{address} answers{tls}{signed_in}"));
            }
            Finding::warning(
                CHECK,
                format!(
                    "{address} answers without TLS{signed_in}: mails cross the network as they are"
                ),
                "use smtps://, or ?tls=required, where the mail server has TLS",
            )
        }
        Err(error) => {
            let why = match error {
                SendError::Server { why, .. } => why,
                other => other.to_string(),
            };
            Finding::wrong(
                CHECK,
                format!("{address} cannot be used: {why}"),
                "check host, port, user and password in --smtp-url, and the firewall; mails wait until it can",
            )
        }
    }
}
