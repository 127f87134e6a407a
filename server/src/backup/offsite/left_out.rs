//! What stands for a store in a build without one. The configuration refuses its options before anybody asks here.

use std::convert::Infallible;
use std::path::Path;

use super::{OffsiteError, S3Location, StoredBackup};
use crate::backup::OffsiteLeftOut;

pub struct S3Store(Infallible);

impl S3Store {
    pub fn at(_location: &S3Location) -> Result<Self, OffsiteError> {
        Err(OffsiteLeftOut("--backup-s3-url").into())
    }

    pub async fn list(&self) -> Result<Vec<StoredBackup>, OffsiteError> {
        match self.0 {}
    }

    pub async fn copy(&self, _file: &Path) -> Result<StoredBackup, OffsiteError> {
        match self.0 {}
    }

    pub async fn delete(&self, _name: &str) -> Result<(), OffsiteError> {
        match self.0 {}
    }
}
