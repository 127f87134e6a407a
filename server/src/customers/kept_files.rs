//! Files that were taken in and are kept for a while: those that name a customer are deleted whole. What they
//! said of others was taken in before, but for the rows in `rejected/`.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use dispatch_actors::store::OrderOfCustomer;

use super::file_text::FileText;
use super::mentions::{WantedOrder, names_one_of};
use crate::error::ApiError;
use crate::files::folder_handle::FolderHandle;
use crate::intake::watched_folder::FILING_FOLDERS;

/// Paths of kept files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct KeptFiles {
    /// They name one of the orders, their customer or their car.
    pub(super) naming: Vec<String>,
    /// Whom they name cannot be said: they are no text, or could not be read, or not to their end.
    pub(super) unread: Vec<String>,
}

/// What was found in a file.
#[derive(Debug, PartialEq, Eq)]
enum Finding {
    Named,
    NotNamed,
    /// Nobody in what could be read of it.
    Unread,
}

pub(super) async fn find(
    intake_dir: Option<PathBuf>,
    orders: &[OrderOfCustomer],
) -> Result<KeptFiles, ApiError> {
    look_through(intake_dir, orders, |_, _| Ok(())).await
}

/// Deletes those that name one of the orders.
pub(super) async fn delete(
    intake_dir: Option<PathBuf>,
    orders: &[OrderOfCustomer],
) -> Result<KeptFiles, ApiError> {
    look_through(intake_dir, orders, |folder, name| {
        folder.remove(name).map(drop)
    })
    .await
}

/// On a thread of its own: there may be many. `each`: what is done to a file that names one of the orders.
async fn look_through(
    intake_dir: Option<PathBuf>,
    orders: &[OrderOfCustomer],
    each: impl Fn(&FolderHandle, &OsStr) -> io::Result<()> + Send + 'static,
) -> Result<KeptFiles, ApiError> {
    let orders: Vec<WantedOrder> = orders.iter().map(WantedOrder::new).collect();
    let found =
        tokio::task::spawn_blocking(move || kept_files(intake_dir.as_deref(), &orders, each));
    let found = found.await.map_err(|_| ApiError::unavailable())?;
    found.map_err(unreadable)
}

fn unreadable(error: io::Error) -> ApiError {
    tracing::error!(%error, "files of the intake folder were not looked through");
    ApiError::invalid(format!(
        "Files of the intake folder could not be looked through: {error}. See that this server may read and \
         delete them, and ask once more"
    ))
}

fn kept_files(
    intake_dir: Option<&Path>,
    orders: &[WantedOrder],
    each: impl Fn(&FolderHandle, &OsStr) -> io::Result<()>,
) -> io::Result<KeptFiles> {
    let mut found = KeptFiles::default();
    let Some(intake_dir) = intake_dir.filter(|_| !orders.is_empty()) else {
        return Ok(found);
    };
    for filed in FILING_FOLDERS {
        let path: PathBuf = intake_dir.join(filed);
        let folder = match FolderHandle::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            folder => folder?,
        };
        for name in folder.names()? {
            let shown = path.join(&name).display().to_string();
            let finding = match folder.read(&name) {
                // Not even the server may read it.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Finding::Unread,
                Err(error) => return Err(error),
                Ok(None) => continue,
                Ok(Some((file, _))) => look_into(file, orders),
            };
            match finding {
                Finding::Named => {
                    each(&folder, &name)?;
                    found.naming.push(shown);
                }
                Finding::NotNamed => {}
                Finding::Unread => found.unread.push(shown),
            }
        }
    }
    Ok(found)
}

fn look_into(file: impl Read + 'static, orders: &[WantedOrder]) -> Finding {
    // A name may be in two pieces of the file.
    let mut orders = orders.to_vec();
    let mut text = FileText::new(file);
    if text.any(|piece| names_one_of(&piece, &mut orders)) {
        Finding::Named
    } else if text.is_readable() {
        Finding::NotNamed
    } else {
        Finding::Unread
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn a_file_that_is_no_text_is_unread_unless_it_names_the_order_all_the_same() {
        let order = OrderOfCustomer {
            number: 4389.try_into().unwrap(),
            dms_number: None,
            customer: "Ann Müller".to_owned(),
            vin: String::new(),
            vehicle: String::new(),
            is_open: true,
        };
        let orders = [WantedOrder::new(&order)];
        for (content, finding) in [
            (b"customer\nM\xFCller, Ann\n".to_vec(), Finding::Named),
            (b"\0\x01Ann M\xC3\xBCller\0".to_vec(), Finding::Named),
            (b"customer\nMiller, Ann\n".to_vec(), Finding::NotNamed),
            (b"\0\x01Ann Miller\0".to_vec(), Finding::Unread),
        ] {
            let file = Cursor::new(content.clone());
            assert_eq!(look_into(file, &orders), finding, "{content:?}");
        }
    }
}
