//! Files of age's format, piece by piece: a backup may be larger than the memory.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::iter;
use std::path::Path;

use age::scrypt::{Identity, Recipient};
use age::secrecy::SecretString;
use age::{DecryptError, Decryptor, Encryptor};
use sha2::{Digest, Sha256};

use crate::backup::database_file::create_private;
use crate::backup::error::BackupError;
use crate::backup::passphrase::Passphrase;

/// scrypt's N is 2 to this: 128 MiB and a fraction of a second for each guess, as OWASP advises for passwords. age's own
/// choice follows the machine's speed, and may take a gigabyte.
const WORK_FACTOR: u8 = 17;
/// Of a file that another program encrypted: 1 GiB.
const MAX_WORK_FACTOR: u8 = 20;

const PIECE_BYTES: usize = 64 * 1024;

/// Encrypts into an empty file, which is open for writing, and reads it once more. Gives its bytes.
pub(in crate::backup) fn encrypt(
    mut plain: File,
    target: File,
    to: &Path,
    passphrase: &Passphrase,
) -> Result<u64, BackupError> {
    let failed = |why| BackupError::Write {
        path: to.to_owned(),
        why,
    };
    let expected = write_encrypted(&mut plain, target, passphrase).map_err(failed)?;
    let mut read_back = Digested::new(io::sink());
    decrypt_into(from_disk(to)?, to, passphrase, &mut read_back)?;
    if read_back.digest() != expected {
        return Err(BackupError::Damaged {
            path: to.to_owned(),
            what: "it does not decrypt to what was encrypted".to_owned(),
        });
    }
    Ok(to.metadata().map_err(failed)?.len())
}

/// Decrypts into a file that is not there yet.
pub(in crate::backup) fn decrypt(
    from: &Path,
    to: &Path,
    passphrase: &Passphrase,
) -> Result<(), BackupError> {
    let source = from_disk(from)?;
    let mut target = create_private(to)?;
    decrypt_into(source, from, passphrase, &mut target).map_err(|error| match error {
        // Of the file that is written.
        BackupError::Write { why, .. } => BackupError::Write {
            path: to.to_owned(),
            why,
        },
        error => error,
    })
}

fn from_disk(file: &Path) -> Result<BufReader<File>, BackupError> {
    let opened = File::open(file).map_err(|why| BackupError::Read {
        path: file.to_owned(),
        why,
    })?;
    Ok(BufReader::new(opened))
}

/// Gives the hash of what was encrypted.
fn write_encrypted(
    plain: &mut File,
    target: File,
    passphrase: &Passphrase,
) -> io::Result<[u8; 32]> {
    let mut recipient = Recipient::new(SecretString::from(passphrase.reveal()));
    recipient.set_work_factor(WORK_FACTOR);
    let recipients = iter::once(&recipient as &dyn age::Recipient);
    let encryptor = Encryptor::with_recipients(recipients).map_err(io::Error::other)?;
    let writer = encryptor.wrap_output(BufWriter::new(target))?;
    let mut writer = Digested::new(writer);
    io::copy(plain, &mut writer)?;
    let digest = writer.digest();
    writer.inner.finish()?.flush()?;
    Ok(digest)
}

/// What cannot be written has no place yet: `path` is that of the encrypted file.
fn decrypt_into(
    source: BufReader<File>,
    path: &Path,
    passphrase: &Passphrase,
    target: &mut impl Write,
) -> Result<(), BackupError> {
    let mut identity = Identity::new(SecretString::from(passphrase.reveal()));
    identity.set_max_work_factor(MAX_WORK_FACTOR);
    let opened = Decryptor::new_buffered(source)
        .and_then(|decryptor| decryptor.decrypt(iter::once(&identity as &dyn age::Identity)));
    let mut plain = opened.map_err(|error| decrypt_error(error, path, passphrase))?;
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let read = plain.read(&mut piece);
        let length = read.map_err(|why| read_error(why, path))?;
        if length == 0 {
            return Ok(());
        }
        let written = target.write_all(&piece[..length]);
        written.map_err(|why| BackupError::Write {
            path: path.to_owned(),
            why,
        })?;
    }
}

/// Why a file is not opened.
fn decrypt_error(error: DecryptError, path: &Path, passphrase: &Passphrase) -> BackupError {
    let path = path.to_owned();
    match error {
        DecryptError::DecryptionFailed => BackupError::WrongPassphrase {
            path,
            passphrase_file: passphrase.file().to_owned(),
        },
        DecryptError::NoMatchingKeys => BackupError::EncryptedForKey(path),
        DecryptError::Io(why) => read_error(why, &path),
        other => BackupError::Damaged {
            path,
            what: other.to_string(),
        },
    }
}

/// age tells what is damaged or cut off as an error of reading.
fn read_error(why: io::Error, path: &Path) -> BackupError {
    let path = path.to_owned();
    match why.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => BackupError::Damaged {
            path,
            what: why.to_string(),
        },
        _ => BackupError::Read { path, why },
    }
}

/// A writer that keeps the hash of what goes through it.
struct Digested<W> {
    inner: W,
    hash: Sha256,
}

impl<W> Digested<W> {
    fn new(inner: W) -> Self {
        Self {
            inner,
            hash: Sha256::new(),
        }
    }

    fn digest(&self) -> [u8; 32] {
        self.hash.clone().finalize().into()
    }
}

impl<W: Write> Write for Digested<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.inner.write(bytes)?;
        self.hash.update(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::is_encrypted;
    use super::*;

    fn passphrase(folder: &Path, name: &str, text: &str) -> Passphrase {
        use std::os::unix::fs::PermissionsExt;
        let file = folder.join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        Passphrase::read(&file).unwrap()
    }

    #[test]
    fn what_was_encrypted_comes_back_and_damage_and_another_passphrase_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let right = passphrase(folder.path(), "right", "correct horse");
        let other = passphrase(folder.path(), "other", "battery staple");
        // Several pieces of the format, the last one not whole.
        let text: Vec<u8> = (0..200_001_u32).map(|n| n.to_le_bytes()[0]).collect();
        fs::write(at("plain"), &text).unwrap();
        let sealed = create_private(&at("sealed")).unwrap();
        let plain = File::open(at("plain")).unwrap();
        let bytes = encrypt(plain, sealed, &at("sealed"), &right).unwrap();
        let sealed = fs::read(at("sealed")).unwrap();
        assert_eq!(bytes, sealed.len() as u64);
        assert!(is_encrypted(&at("sealed")).unwrap() && !is_encrypted(&at("plain")).unwrap());
        decrypt(&at("sealed"), &at("back"), &right).unwrap();
        assert_eq!(fs::read(at("back")).unwrap(), text);

        let why = |name: &str, passphrase: &Passphrase| {
            let _ = fs::remove_file(at("out"));
            let refused = decrypt(&at(name), &at("out"), passphrase).unwrap_err();
            refused.to_string()
        };
        let wrong = why("sealed", &other);
        assert!(wrong.contains("does not open"), "{wrong}");
        for place in [sealed.len() / 2, sealed.len() - 1] {
            let mut damaged = sealed.clone();
            damaged[place] ^= 1;
            fs::write(at("damaged"), damaged).unwrap();
            let says = why("damaged", &right);
            assert!(says.contains("is damaged ("), "{says}");
        }
        for length in [sealed.len() - 1, sealed.len() / 2, 30] {
            fs::write(at("cut"), &sealed[..length]).unwrap();
            let says = why("cut", &right);
            assert!(says.contains("is damaged ("), "{says}");
        }
    }
}
