//! The watched folder: that files can be taken from it and moved away in it.

use std::path::Path;

use super::Patient;
use super::access::ServerUser;
use super::finding::Finding;
use crate::intake::watched_folder::{FILING_FOLDERS, own_folder_at};

const CHECK: &str = "intake folder";

pub(super) fn check(patient: &Patient) -> Vec<Finding> {
    let config = &patient.config;
    let Some(folder) = &config.intake_dir else {
        return vec![Finding::skipped(CHECK, "none is named")];
    };
    let shown = folder.display();
    if let Some(name) = own_folder_at(folder, &config.own_folders()) {
        let found = format!("{shown} is the {name} folder: the server does not start");
        return vec![Finding::wrong(
            CHECK,
            found,
            "name another with --intake-dir",
        )];
    }
    let user = ServerUser::of(&config.shop.data_dir);
    if !folder.exists() {
        let above = folder.ancestors().skip(1).find(|above| above.is_dir());
        let above = above.unwrap_or(Path::new("."));
        if user.cannot_write(above).is_some() {
            let found = format!(
                "{shown} is not there, and the server's user cannot make it in {}: the server does not start",
                above.display()
            );
            return vec![Finding::wrong(CHECK, found, user.make_folder(folder))];
        }
        let found = format!("{shown} is not there: the next start makes it");
        let advice = "check the name where another program already puts files there";
        return vec![Finding::warning(CHECK, found, advice)];
    }
    if !folder.is_dir() {
        let found = format!("{shown} is no folder");
        return vec![Finding::wrong(
            CHECK,
            found,
            "name another with --intake-dir",
        )];
    }
    let filing = FILING_FOLDERS.map(|name| folder.join(name));
    let filing = filing.iter().filter(|folder| folder.exists());
    let refused = std::iter::once(folder).chain(filing).find_map(|folder| {
        let why = user.cannot_write(folder)?;
        let found = format!(
            "files cannot be listed and moved in {}: {why}",
            folder.display()
        );
        Some(Finding::wrong(CHECK, found, user.own(folder)))
    });
    let finding = refused
        .or_else(|| within_data(folder, &config.shop.data_dir))
        .unwrap_or_else(|| Finding::ok(CHECK, format!("files can be taken from {shown}")));
    vec![finding]
}

fn within_data(folder: &Path, data_dir: &Path) -> Option<Finding> {
    let (folder, data_dir) = (folder.canonicalize().ok()?, data_dir.canonicalize().ok()?);
    folder.starts_with(&data_dir).then(|| {
        Finding::warning(
            CHECK,
            format!(
                "{} is in the data folder, which is closed to other users",
                folder.display()
            ),
            "name a folder elsewhere with --intake-dir, and let the other program write to it",
        )
    })
}
