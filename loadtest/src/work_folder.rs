//! A folder for what a run makes and nobody needs afterwards.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::LoadTestError;

/// A folder that is removed in the end.
pub struct WorkFolder(PathBuf);

impl WorkFolder {
    /// For one purpose of one process.
    pub fn create(purpose: &str) -> Result<Self, LoadTestError> {
        let name = format!("dispatch-{purpose}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)
            .map_err(|error| LoadTestError::Machine(format!("{}: {error}", path.display())))?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's cleaning of temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
