//! What stands for encryption in a build without it. The configuration refuses its option before anybody asks here.

use std::fs::File;
use std::path::Path;

use super::BackupError;
use crate::backup::OffsiteLeftOut;
use crate::backup::passphrase::Passphrase;

const OPTION: &str = "--backup-passphrase-file";

pub(in crate::backup) fn encrypt(
    _plain: File,
    _target: File,
    _to: &Path,
    _passphrase: &Passphrase,
) -> Result<u64, BackupError> {
    Err(OffsiteLeftOut(OPTION).into())
}

pub(in crate::backup) fn decrypt(
    _from: &Path,
    _to: &Path,
    _passphrase: &Passphrase,
) -> Result<(), BackupError> {
    Err(OffsiteLeftOut(OPTION).into())
}
