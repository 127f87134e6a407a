//! How a store is asked: by requests that are signed in their address, with little patience, a limit on what is taken in,
//! and no redirect followed. An address has a signature in it, and is in no error and no log.

use std::error::Error;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use futures_util::Stream;
use futures_util::stream::try_unfold;
use md5::{Digest, Md5};
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::redirect::Policy;
use reqwest::{Body, Client, Method, RequestBuilder, Response};
use rusty_s3::actions::ListObjectsV2;
use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};
use tokio::io::AsyncReadExt;
use url::Url;

use super::{OffsiteError, S3Location, StoredBackup};
use crate::backup::copy::time_of;
use crate::backup::database_file::run_blocking;
use crate::backup::error::BackupError;
use crate::public_url::is_loopback;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// What a copy needs at least in a second; less is as good as nothing.
const MIN_BYTES_PER_SECOND: u64 = 64 * 1024;
/// How long a signature is good before its request has begun.
const SIGNATURE_TTL: Duration = Duration::from_secs(5 * 60);

/// A page of a list has 1000 names of at most 1024 bytes, with as much around each.
const MAX_ANSWER_BYTES: usize = 4 * 1024 * 1024;
/// More is no store of ours.
const MAX_PAGES: usize = 100;
/// The most that S3 takes in one request.
const MAX_OBJECT_BYTES: u64 = 5 * 1024 * 1024 * 1024;

const PIECE_BYTES: usize = 64 * 1024;

pub struct S3Store {
    location: S3Location,
    bucket: Bucket,
    credentials: Credentials,
    client: Client,
}

impl S3Store {
    pub fn at(location: &S3Location) -> Result<Self, OffsiteError> {
        let unusable = |why: &dyn std::fmt::Display| OffsiteError::Unreachable(why.to_string());
        let client = Client::builder()
            .redirect(Policy::none())
            .connect_timeout(CONNECT_TIMEOUT);
        // On this machine there is no proxy between.
        let client = match is_loopback(&location.endpoint) {
            true => client.no_proxy(),
            false => client,
        };
        let bucket = Bucket::new(
            location.endpoint.clone(),
            UrlStyle::Path,
            location.bucket.clone(),
            location.region.clone(),
        );
        Ok(Self {
            bucket: bucket.map_err(|error| unusable(&error))?,
            credentials: Credentials::new(&location.keys.id, &location.keys.secret),
            client: client.build().map_err(|error| unusable(&error))?,
            location: location.clone(),
        })
    }

    /// The backups below the prefix. Whatever else is there is not ours.
    pub async fn list(&self) -> Result<Vec<StoredBackup>, OffsiteError> {
        let prefix = self.location.key("");
        let mut found = Vec::new();
        let mut page = self.list_page(&prefix, None).await?;
        for _ in 0..MAX_PAGES {
            let names = page.contents.iter().filter_map(|object| {
                stored_backup(object.key.strip_prefix(&prefix)?, object.size?)
            });
            found.extend(names);
            let Some(next) = page.next_continuation_token else {
                return Ok(found);
            };
            page = self.list_page(&prefix, Some(&next)).await?;
        }
        Err(OffsiteError::Unreadable("it has no end".to_owned()))
    }

    async fn list_page(
        &self,
        prefix: &str,
        continuation: Option<&str>,
    ) -> Result<rusty_s3::actions::ListObjectsV2Response, OffsiteError> {
        let mut list = self.bucket.list_objects_v2(Some(&self.credentials));
        list.with_prefix(prefix);
        list.with_delimiter("/");
        if let Some(continuation) = continuation {
            list.with_continuation_token(continuation);
        }
        let request = self.request(Method::GET, list.sign(SIGNATURE_TTL));
        let request = request.timeout(ANSWER_TIMEOUT);
        let mut answer = send(request, "a list of what is in it").await?;
        let text = read(&mut answer).await?;
        ListObjectsV2::parse_response(&text)
            .map_err(|error| OffsiteError::Unreadable(error.to_string()))
    }

    /// Copies a backup, and gives what the store is to list. The store compares a checksum of all of it before it has it.
    pub async fn copy(&self, file: &Path) -> Result<StoredBackup, OffsiteError> {
        let unreadable = |why| BackupError::Read {
            path: file.to_owned(),
            why,
        };
        let name = file.file_name().and_then(|name| name.to_str());
        let summed = file.to_owned();
        let (bytes, checksum) = run_blocking(move || {
            checksum(&summed).map_err(|why| BackupError::Read { path: summed, why })
        })
        .await?;
        if bytes > MAX_OBJECT_BYTES {
            return Err(OffsiteError::TooLarge(bytes));
        }
        let copy = name.and_then(|name| stored_backup(name, bytes));
        let copy = copy.ok_or_else(|| unreadable(io::ErrorKind::InvalidFilename.into()))?;
        let opened = tokio::fs::File::open(file).await.map_err(unreadable)?;
        let key = self.location.key(&copy.name);
        let put = self.bucket.put_object(Some(&self.credentials), &key);
        let patience = ANSWER_TIMEOUT + Duration::from_secs(bytes / MIN_BYTES_PER_SECOND);
        let request = self
            .request(Method::PUT, put.sign(SIGNATURE_TTL))
            .header(CONTENT_LENGTH, bytes)
            .header(CONTENT_TYPE, "application/octet-stream")
            .header("content-md5", BASE64_STANDARD.encode(checksum))
            .body(Body::wrap_stream(pieces(opened)))
            .timeout(patience);
        send(request, "a copy").await?;
        Ok(copy)
    }

    pub async fn delete(&self, name: &str) -> Result<(), OffsiteError> {
        let key = self.location.key(name);
        let delete = self.bucket.delete_object(Some(&self.credentials), &key);
        let request = self.request(Method::DELETE, delete.sign(SIGNATURE_TTL));
        let request = request.timeout(ANSWER_TIMEOUT);
        send(request, "that an older backup is deleted").await?;
        Ok(())
    }

    fn request(&self, method: Method, signed: Url) -> RequestBuilder {
        self.client.request(method, signed)
    }
}

/// `doing`: what is refused, if it is.
async fn send(request: RequestBuilder, doing: &'static str) -> Result<Response, OffsiteError> {
    let mut answer = request.send().await.map_err(unreachable)?;
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let text = read(&mut answer).await.unwrap_or_default();
    Err(OffsiteError::Refused {
        doing,
        status: status.as_u16(),
        code: error_code(&text),
    })
}

async fn read(answer: &mut Response) -> Result<String, OffsiteError> {
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(unreachable)? {
        if body.len() + piece.len() > MAX_ANSWER_BYTES {
            let why = format!("it is longer than {MAX_ANSWER_BYTES} bytes");
            return Err(OffsiteError::Unreadable(why));
        }
        body.extend_from_slice(&piece);
    }
    String::from_utf8(body).map_err(|error| OffsiteError::Unreadable(error.to_string()))
}

/// One of the store's names, if it is a backup's.
fn stored_backup(name: &str, bytes: u64) -> Option<StoredBackup> {
    Some(StoredBackup {
        time: time_of(name)?,
        name: name.to_owned(),
        bytes,
    })
}

/// S3's word for what is wrong, such as `NoSuchBucket`: one of another form is somebody else's.
fn error_code(text: &str) -> Option<String> {
    let (_, after) = text.split_once("<Code>")?;
    let (code, _) = after.split_once("</Code>")?;
    let is_word = code.len() <= 64 && code.chars().all(|c| c.is_ascii_alphanumeric());
    is_word.then(|| code.to_owned())
}

/// The innermost cause: what is around it has the address in it.
fn unreachable(error: reqwest::Error) -> OffsiteError {
    let error = error.without_url();
    if error.is_timeout() {
        return OffsiteError::Unreachable("it took too long".to_owned());
    }
    let mut cause: &dyn Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    OffsiteError::Unreachable(cause.to_string())
}

/// The file's length, and its MD5, which every S3 compares: against accidents, not against people.
fn checksum(file: &Path) -> io::Result<(u64, [u8; 16])> {
    let mut file = std::fs::File::open(file)?;
    let (mut bytes, mut hash) = (0, Md5::new());
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let length = file.read(&mut piece)?;
        if length == 0 {
            return Ok((bytes, hash.finalize().into()));
        }
        hash.update(&piece[..length]);
        bytes += length as u64;
    }
}

fn pieces(file: tokio::fs::File) -> impl Stream<Item = io::Result<Bytes>> {
    try_unfold(file, |mut file| async {
        let mut piece = vec![0; PIECE_BYTES];
        let length = file.read(&mut piece).await?;
        piece.truncate(length);
        Ok((length > 0).then(|| (Bytes::from(piece), file)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_word_is_taken_for_the_stores_reason() {
        let answer =
            "<?xml version='1.0'?><Error><Code>NoSuchBucket</Code><Message>x</Message></Error>";
        assert_eq!(error_code(answer).as_deref(), Some("NoSuchBucket"));
        for other in ["", "<Code>", "<Code>a\nb</Code>", "<html>not found</html>"] {
            assert_eq!(error_code(other), None, "{other}");
        }
    }
}
