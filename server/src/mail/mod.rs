//! Mail: to an SMTP server, or, where none is named, as files in the data folder.

use std::path::PathBuf;

/// A letter to one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub to: String,
    pub subject: String,
    /// Plain text; links stand on a line of their own.
    pub text: String,
}

#[derive(Debug, thiserror::Error)]
pub enum NotSent {
    #[error("the mail could not be written to {}: {why}", path.display())]
    Folder { path: PathBuf, why: std::io::Error },
    #[error("the mail server did not take it: {0}")]
    Server(String),
}

/// Sends letters; cheap to clone.
#[derive(Clone, Debug)]
pub struct Mailer {
    folder: PathBuf,
}

impl Mailer {
    /// Writes every letter to a file in this folder, which is made with the first.
    pub fn to_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub async fn send(&self, letter: &Letter) -> Result<(), NotSent> {
        let path = self.folder.join(format!("{}.eml", uuid::Uuid::now_v7()));
        let why = |why| NotSent::Folder {
            path: path.clone(),
            why,
        };
        tokio::fs::create_dir_all(&self.folder).await.map_err(why)?;
        let Letter { to, subject, text } = letter;
        let whole = format!("To: {to}\r\nSubject: {subject}\r\n\r\n{text}");
        tokio::fs::write(&path, whole).await.map_err(why)?;
        tracing::info!(path = %path.display(), "a mail was written; no mail server is configured");
        Ok(())
    }
}
