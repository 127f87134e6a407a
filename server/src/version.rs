//! Which build this is.

use std::sync::LazyLock;

/// As the crate's manifest says.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// An SPDX expression.
pub const LICENSE: &str = env!("CARGO_PKG_LICENSE");

/// The commit that it was built from. Known where the build was told, as the Makefile's release builds
/// are; a build script that asked git would build everything again at each commit.
pub const COMMIT: Option<&str> = match option_env!("BUILD_COMMIT") {
    Some(commit) if !commit.is_empty() => Some(commit),
    _ => None,
};

/// Version and commit, as `dispatch --version` says them.
pub fn version_line() -> &'static str {
    static LINE: LazyLock<String> = LazyLock::new(|| line(VERSION, COMMIT));
    &LINE
}

fn line(version: &str, commit: Option<&str>) -> String {
    match commit {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn the_commit_is_named_where_it_is_known() {
        assert_eq!(line("0.1.0", None), "0.1.0");
        assert_eq!(line("0.1.0", Some("e11150cd")), "0.1.0 (e11150cd)");
    }
}
