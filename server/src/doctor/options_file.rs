//! The file of options: that it is read, that all in it is an option, and that others do not read its secrets.

use std::path::Path;

use super::access::{mode, quoted};
use super::finding::Finding;
use crate::options::config::{secret_options_in, unknown_options_in};
use crate::options::options_file::{OptionsFile, SYSTEM_FILE};

const CHECK: &str = "options file";

pub(super) fn look(named: Option<&Path>) -> Vec<Finding> {
    let file = match OptionsFile::read(named, Path::new(SYSTEM_FILE)) {
        Ok(Some(file)) => file,
        Ok(None) => {
            let found = format!("none is named, and {SYSTEM_FILE} is not there");
            return vec![Finding::ok(CHECK, found)];
        }
        Err(error) => {
            let advice = "name a file that this user can read with --config, or leave it out";
            return vec![Finding::wrong(CHECK, error, advice)];
        }
    };
    let path = file.path.display();
    let unknown = match unknown_options_in(&file.text) {
        Ok(unknown) => unknown,
        Err(error) => {
            let why = error.to_string().trim().replace('\n', " ");
            let advice = "write one name = \"value\" a line";
            return vec![Finding::wrong(CHECK, format!("{path}: {why}"), advice)];
        }
    };
    let mut findings: Vec<Finding> = unknown
        .into_iter()
        .map(|sentence| {
            let advice = "correct the name, or delete the line";
            Finding::wrong(CHECK, format!("{path}: {sentence}"), advice)
        })
        .collect();
    findings.extend(exposed_secrets(&file));
    if findings.is_empty() {
        findings.push(Finding::ok(CHECK, format!("{path} is read")));
    }
    findings
}

fn exposed_secrets(file: &OptionsFile) -> Option<Finding> {
    let secrets = secret_options_in(&file.text);
    let is_open = file
        .path
        .metadata()
        .is_ok_and(|about| mode(&about) & 0o004 != 0);
    let path = &file.path;
    (is_open && !secrets.is_empty()).then(|| {
        Finding::warning(
            CHECK,
            format!(
                "everybody on this machine can read {}, which has {}",
                path.display(),
                secrets.join(" and ")
            ),
            format!(
                "chmod o-rwx {}, and let the group of the server's user own it",
                quoted(path)
            ),
        )
    })
}
