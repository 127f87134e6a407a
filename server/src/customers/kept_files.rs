//! Files that were taken in and are kept for a while: those that name a customer are deleted whole. What they
//! said of others was taken in before, but for the rows in `rejected/`.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use dispatch_actors::store::OrderOfCustomer;
use dispatch_actors::text::folded;

use crate::error::ApiError;
use crate::files::folder_handle::{FolderHandle, is_file};
use crate::intake::watched_folder::FILING_FOLDERS;

/// The paths of files that name one of the orders, their customer or their car.
pub(super) async fn find(
    intake_dir: Option<PathBuf>,
    orders: &[OrderOfCustomer],
) -> Result<Vec<String>, ApiError> {
    look_through(intake_dir, orders, |_, _| Ok(())).await
}

/// Deletes them, and gives their paths.
pub(super) async fn delete(
    intake_dir: Option<PathBuf>,
    orders: &[OrderOfCustomer],
) -> Result<Vec<String>, ApiError> {
    look_through(intake_dir, orders, |folder, name| {
        folder.remove(name).map(drop)
    })
    .await
}

/// On a thread of its own: there may be many.
async fn look_through(
    intake_dir: Option<PathBuf>,
    orders: &[OrderOfCustomer],
    each: impl Fn(&FolderHandle, &OsStr) -> io::Result<()> + Send + 'static,
) -> Result<Vec<String>, ApiError> {
    let orders = orders.to_vec();
    let found =
        tokio::task::spawn_blocking(move || files_naming(intake_dir.as_deref(), &orders, each));
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

fn files_naming(
    intake_dir: Option<&Path>,
    orders: &[OrderOfCustomer],
    each: impl Fn(&FolderHandle, &OsStr) -> io::Result<()>,
) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
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
            let Some((mut file, about)) = folder.read(&name)? else {
                continue;
            };
            let mut bytes = Vec::new();
            if !is_file(&about) || file.read_to_end(&mut bytes).is_err() {
                continue;
            }
            if names_one_of(&String::from_utf8_lossy(&bytes), orders) {
                each(&folder, &name)?;
                found.push(path.join(&name).display().to_string());
            }
        }
    }
    Ok(found)
}

fn names_one_of(text: &str, orders: &[OrderOfCustomer]) -> bool {
    let text = folded(text);
    let words: HashSet<&str> = words_of(&text).collect();
    orders.iter().any(|order| {
        let vin = folded(order.vin.trim());
        has_number(&text, &order.number.to_string())
            || (!vin.is_empty() && text.contains(&vin))
            || has_name(&words, &order.customer)
    })
}

/// Every word of the name, in whatever order and however far apart: systems write it in many ways.
fn has_name(words: &HashSet<&str>, name: &str) -> bool {
    let name = folded(name);
    let mut of_name = words_of(&name).peekable();
    of_name.peek().is_some() && of_name.all(|word| words.contains(word))
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// The number, and not as a part of a longer one.
fn has_number(text: &str, number: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + number.len()..].chars().next();
        ![before, behind]
            .into_iter()
            .flatten()
            .any(|c| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_a_customer_however_it_is_written() {
        let order = OrderOfCustomer {
            number: 4389.try_into().unwrap(),
            customer: "Ann Müller".to_owned(),
            vin: "1HGCM82633A004352".to_owned(),
            vehicle: String::new(),
            is_open: true,
        };
        for text in [
            "number\n4389\n",
            r#"{"FirstName":"ANN","LastName":"MULLER"}"#,
            "x,1hgcm82633a004352",
            "Müller, Ann",
        ] {
            assert!(names_one_of(text, std::slice::from_ref(&order)), "{text}");
        }
        for text in ["number\n14389\n43891", "Miller, Ann", "Anna Müllers", ""] {
            assert!(!names_one_of(text, std::slice::from_ref(&order)), "{text}");
        }
    }
}
