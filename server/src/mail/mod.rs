//! Mail: one message, tried once, to an SMTP server or, if none is named, as a file in the data folder.
//! The texts, the queue and the retries are in `identity` (`mail_texts`, `mail_queue`, `mail_delivery`).
//!
//! `message` formats, `smtp` sends, `refusal` says whether a refusal is permanent, `retention` deletes old
//! files.

mod message;
mod refusal;
pub mod retention;
mod smtp;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lettre::message::Mailbox;

use crate::files::folder_handle::{FolderHandle, NewFile};

pub use smtp::{ATTEMPT_TIMEOUT, ServerAnswer, SmtpServer, SmtpUrlError};

/// A mail to one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingMail {
    /// The same at every attempt to send it: its Message-ID, or its file's name.
    pub id: String,
    pub to: String,
    pub subject: String,
    /// Plain text; links stand on a line of their own.
    pub text: String,
}

#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error("the mail could not be written to {}: {why}", path.display())]
    Folder { path: PathBuf, why: io::Error },
    #[error("the mail server did not take it: {why}")]
    Server { why: String, is_permanent: bool },
    /// The server may have it, or not.
    #[error("the mail server was given it and did not say that it has it")]
    Unanswered,
    #[error("{to} is no address that mail can be sent to: {why}")]
    Address { to: String, why: String },
    #[error("the mail could not be put together: {0}")]
    Message(#[from] lettre::error::Error),
}

impl SendError {
    /// Whether trying again cannot help.
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::Folder { .. } | Self::Unanswered => false,
            Self::Server { is_permanent, .. } => *is_permanent,
            Self::Address { .. } | Self::Message(_) => true,
        }
    }
}

/// How mail leaves.
#[derive(Clone, Debug)]
pub enum Mail {
    Folder { from: Option<Mailbox> },
    Server { server: SmtpServer, from: Mailbox },
}

/// Sends mails; cheap to clone.
#[derive(Clone, Debug)]
pub struct Mailer {
    from: Mailbox,
    transport: Transport,
}

#[derive(Clone, Debug)]
enum Transport {
    Folder(PathBuf),
    Server(SmtpServer),
}

impl Mailer {
    pub fn new(mail: &Mail, data_dir: &Path) -> Self {
        match mail {
            Mail::Folder { from } => {
                let mut mailer = Self::to_folder(data_dir.join("mail"));
                if let Some(from) = from {
                    mailer.from = from.clone();
                }
                mailer
            }
            Mail::Server { server, from } => Self {
                from: from.clone(),
                transport: Transport::Server(server.clone()),
            },
        }
    }

    /// Writes every mail to a file in this folder, which is made with the first.
    pub fn to_folder(folder: PathBuf) -> Self {
        Self {
            from: message::nobody(),
            transport: Transport::Folder(folder),
        }
    }

    /// Where mails are files; none where they go to a mail server.
    pub fn folder(&self) -> Option<&Path> {
        match &self.transport {
            Transport::Folder(folder) => Some(folder),
            Transport::Server(_) => None,
        }
    }

    /// A link may be planted, and does not stop the server. An operator who made it learns at the start
    /// that no mail goes out.
    pub fn warn_if_unusable(&self) {
        if let Transport::Folder(folder) = &self.transport
            && folder.is_symlink()
            && let Err(why) = FolderHandle::open_unlinked(folder)
        {
            tracing::error!("no mail can be written to {}: {why}", folder.display());
        }
    }

    /// Tries once, and waits until the mail server has taken the mail, for [`ATTEMPT_TIMEOUT`] at
    /// most, or until it is in its file, for as long as the disk takes.
    pub async fn send(&self, mail: &OutgoingMail) -> Result<(), SendError> {
        match &self.transport {
            Transport::Folder(folder) => {
                let message = message::of(&self.from, mail, message::Carrier::EightBit)?;
                let name = format!("{}.eml", mail.id);
                let path = folder.join(&name);
                write(folder, &name, message.formatted())
                    .await
                    .map_err(|why| SendError::Folder {
                        path: path.clone(),
                        why,
                    })?;
                tracing::info!(path = %path.display(), "a mail was written; no mail server is configured");
                Ok(())
            }
            Transport::Server(server) => server.send(&self.from, mail).await,
        }
    }
}

/// Whole or not at all, durable, and for this user's eyes: there are links in it that open accounts.
async fn write(folder: &Path, name: &str, content: Vec<u8>) -> io::Result<()> {
    let mut make = tokio::fs::DirBuilder::new();
    make.recursive(true).mode(0o700).create(folder).await?;
    let (folder, name) = (folder.to_owned(), OsString::from(name));
    let written = tokio::task::spawn_blocking(move || {
        let folder = FolderHandle::open_unlinked(&folder)?;
        // An attempt that a crash broke off may have left one.
        let begun = Path::new(&name).with_extension("part").into_os_string();
        let mut file = folder.create_anew(&begun, NewFile::Private)?;
        file.write_all(&content)?;
        file.sync_all()?;
        folder.rename(&begun, &name)?;
        folder.sync()
    });
    written
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use uuid::Uuid;

    use super::*;

    #[actix_web::test]
    async fn a_mail_is_a_file_that_only_its_owner_reads() {
        let data_dir = tempfile::tempdir().unwrap();
        let from = Some("Desk <desk@example.com>".parse().unwrap());
        let mailer = Mailer::new(&Mail::Folder { from }, data_dir.path());
        let mail = OutgoingMail {
            id: Uuid::now_v7().to_string(),
            to: "ann@example.com".to_owned(),
            subject: "Your link".to_owned(),
            text: "Here it is:\n\nhttp://127.0.0.1/reset-password#token=abc\n".to_owned(),
        };
        let another = OutgoingMail {
            id: Uuid::now_v7().to_string(),
            ..mail.clone()
        };
        for mail in [&mail, &another, &another] {
            mailer.send(mail).await.unwrap();
        }
        let mut files = Vec::new();
        for entry in std::fs::read_dir(data_dir.path().join("mail")).unwrap() {
            let path = entry.unwrap().path();
            assert!(path.extension().is_some_and(|ending| ending == "eml"));
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            files.push(std::fs::read_to_string(&path).unwrap());
        }
        assert_eq!(files.len(), 2);
        assert!(files[0].contains("From: Desk <desk@example.com>\r\n"));
    }

    #[actix_web::test]
    async fn a_mail_is_written_nowhere_else_whatever_links_are_there() {
        let (data_dir, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mail = OutgoingMail {
            id: Uuid::now_v7().to_string(),
            to: "ann@example.com".to_owned(),
            subject: "Your link".to_owned(),
            text: "Here it is".to_owned(),
        };
        let (folder, theirs) = (data_dir.path().join("mail"), outside.path().join("theirs"));
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&theirs, "theirs").unwrap();
        let begun = folder.join(format!("{}.part", mail.id));
        std::os::unix::fs::symlink(&theirs, begun).unwrap();
        let mailer = Mailer::to_folder(folder.clone());
        mailer.send(&mail).await.unwrap();
        assert_eq!(std::fs::read_to_string(&theirs).unwrap(), "theirs");
        assert_eq!(folder.read_dir().unwrap().count(), 1);

        std::fs::remove_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(outside.path(), &folder).unwrap();
        let outcome = mailer.send(&mail).await;
        assert!(
            matches!(outcome, Err(SendError::Folder { .. })),
            "{outcome:?}"
        );
        assert_eq!(outside.path().read_dir().unwrap().count(), 1);
    }

    #[actix_web::test]
    async fn a_mail_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let in_the_way = folder.path().join("mail");
        std::fs::write(&in_the_way, "").unwrap();
        let mail = OutgoingMail {
            id: Uuid::now_v7().to_string(),
            to: "ann@example.com".to_owned(),
            subject: "Hello".to_owned(),
            text: "Hello".to_owned(),
        };
        let outcome = Mailer::to_folder(in_the_way).send(&mail).await;
        assert!(
            matches!(outcome, Err(SendError::Folder { .. })),
            "{outcome:?}"
        );
        assert!(!outcome.unwrap_err().is_permanent());
        let nowhere = OutgoingMail {
            to: "ann@".to_owned(),
            ..mail
        };
        let outcome = Mailer::to_folder(folder.path().join("other"))
            .send(&nowhere)
            .await;
        assert!(
            matches!(outcome, Err(SendError::Address { .. })),
            "{outcome:?}"
        );
        assert!(outcome.unwrap_err().is_permanent());
    }
}
