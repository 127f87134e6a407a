//! What `docs/security.md` names as met is there: its tests and its files.

use std::path::{Path, PathBuf};

/// Of these folders of the project.
const SOURCES: [&str; 4] = ["server/src", "server/tests/it", "web/src", "web/e2e"];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources_in(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources_in(&path, into);
        } else if path
            .extension()
            .is_some_and(|ending| ["rs", "ts", "tsx"].iter().any(|known| ending == *known))
        {
            into.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_test_and_file_that_the_table_names_is_there() {
    let document = std::fs::read_to_string(project().join("docs/security.md")).unwrap();
    let (_, table) = document.split_once("## OWASP ASVS").unwrap();
    let mut sources = String::new();
    for folder in SOURCES {
        sources_in(&project().join(folder), &mut sources);
    }
    let named = table
        .lines()
        .filter(|line| line.starts_with("| "))
        .flat_map(|line| line.split('`').skip(1).step_by(2));
    let (mut tests, mut files) = (0, 0);
    for name in named {
        let is_source = name.ends_with(".rs") || name.ends_with(".tsx") || name.ends_with(".ts");
        if is_source {
            assert!(project().join(name).exists(), "there is no {name}");
            files += 1;
        } else if name.matches('_').count() >= 3 {
            let function = format!("fn {name}(");
            assert!(sources.contains(&function), "there is no test {name}");
            tests += 1;
        } else if name.matches(' ').count() >= 4 {
            let sentence = format!("'{name}'");
            assert!(sources.contains(&sentence), "there is no test '{name}'");
            tests += 1;
        }
    }
    assert!(tests > 40 && files > 4, "{tests} tests, {files} files");
}
