//! Why a store is not as it should be, and what to do about it.

use super::super::error::{BackupError, OffsiteLeftOut};

#[derive(Debug, thiserror::Error)]
pub enum OffsiteError {
    #[error("the store cannot be reached: {0}")]
    Unreachable(String),
    /// With S3's word for it, which may be missing.
    #[error("the store refuses {doing}: {status}{code}", code = shown(.code))]
    Refused {
        doing: &'static str,
        status: u16,
        code: Option<String>,
    },
    #[error("the store's list of backups cannot be read: {0}")]
    Unreadable(String),
    #[error(
        "a backup of {0} bytes is more than a store takes in one piece, which is 5 GiB: copy the folder by a program of \
         its own"
    )]
    TooLarge(u64),
    #[error("the store has taken {0}, and does not list it as it was sent")]
    NotListed(String),
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error(transparent)]
    LeftOut(#[from] OffsiteLeftOut),
}

fn shown(code: &Option<String>) -> String {
    code.as_ref()
        .map_or(String::new(), |code| format!(" {code}"))
}

impl OffsiteError {
    /// For whoever runs the server.
    pub fn advice(&self) -> &'static str {
        let Self::Refused { status, code, .. } = self else {
            return "check --backup-s3-url, and the firewall; the server tries it again every minute";
        };
        match (status, code.as_deref()) {
            (_, Some("InvalidAccessKeyId" | "SignatureDoesNotMatch")) => {
                "check the two access keys (DISPATCH_BACKUP_S3_ACCESS_KEY_ID, DISPATCH_BACKUP_S3_SECRET_ACCESS_KEY)"
            }
            (_, Some("RequestTimeTooSkewed")) => "set this machine's clock right",
            (_, Some("NoSuchBucket")) => "make the bucket, or correct its name in --backup-s3-url",
            (300..=399, _)
            | (
                _,
                Some(
                    "AuthorizationHeaderMalformed"
                    | "AuthorizationQueryParametersError"
                    | "PermanentRedirect",
                ),
            ) => {
                "check --backup-s3-region, and the host in --backup-s3-url: the bucket is elsewhere"
            }
            (401 | 403, _) => "let the keys list the bucket, and put and delete objects in it",
            (500..=599, _) => {
                "wait: the fault is the store's; the server tries it again every minute"
            }
            _ => "check --backup-s3-url",
        }
    }
}
