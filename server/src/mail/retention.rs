//! Mails that are files are not kept for ever.

use std::path::Path;

use jiff::Timestamp;
use uuid::Uuid;

use crate::files::folder_retention::{LimitedFolder, OwnFile, RetentionLimits};

/// The folder of mails in the data folder; it need not be there.
pub fn limited_folder(data_dir: &Path, limits: RetentionLimits) -> LimitedFolder {
    LimitedFolder {
        path: data_dir.join("mail"),
        limits,
        has_work: false,
        own_file,
    }
}

/// A mail is called by an id that says when it was made, whole or as it was being written when the
/// server ended.
fn own_file(name: &str) -> Option<OwnFile> {
    let (id, ending) = name.split_once('.')?;
    let id: Uuid = id.parse().ok()?;
    let (seconds, _) = id.get_timestamp()?.to_unix();
    matches!(ending, "eml" | "part").then(|| OwnFile {
        group: name.to_owned(),
        made: i64::try_from(seconds)
            .ok()
            .and_then(|seconds| Timestamp::from_second(seconds).ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_known_by_its_id_and_as_old_as_that() {
        let id = Uuid::now_v7();
        for ending in ["eml", "part"] {
            let made = own_file(&format!("{id}.{ending}")).unwrap().made.unwrap();
            assert!(Timestamp::now().duration_since(made).as_secs() < 60);
        }
        let other = Uuid::new_v4();
        for name in [
            "letter.eml",
            &format!("{id}.txt"),
            &format!("{other}.eml"),
            "eml",
        ] {
            assert_eq!(own_file(name), None, "{name}");
        }
    }
}
