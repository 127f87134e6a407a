//! The documents that the packages install, as `server/packaging/documents` lays them out: every link between them leads
//! to a file that is installed, too.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn documents_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            documents_below(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

/// Where the links of a document lead that are not to the web, without the place within a document.
fn links_of(text: &str) -> impl Iterator<Item = &str> {
    let links = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    links
        .filter(|link| {
            !link.contains("://") && !link.starts_with(['#', '<']) && !link.contains(' ')
        })
        .filter_map(|link| link.split('#').next())
}

#[test]
fn every_link_in_an_installed_document_leads_to_an_installed_file() {
    let folder = tempfile::tempdir().unwrap();
    let lay_out = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/packaging/documents");
    let status = Command::new(lay_out).arg(folder.path()).status().unwrap();
    assert!(status.success(), "{status}");
    let mut documents = Vec::new();
    documents_below(folder.path(), &mut documents);
    assert!(documents.contains(&folder.path().join("install.md")));
    let mut dangling = Vec::new();
    for document in &documents {
        let text = fs::read_to_string(document).unwrap();
        let here = document.parent().unwrap();
        let missing = links_of(&text).filter(|link| !here.join(link).exists());
        let name = document.strip_prefix(folder.path()).unwrap().display();
        dangling.extend(missing.map(|link| format!("{name}: {link}")));
    }
    assert_eq!(dangling, Vec::<String>::new());
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(text("backup.md").contains("Copying the database file is no backup"));
    assert!(links_of(&text("install.md")).any(|link| link == "backup.md"));
}
