//! Where a store is.

use std::fmt;

use url::Url;

use crate::public_url::is_loopback;

/// A place in an S3-compatible store, and the keys to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct S3Location {
    /// Without a path.
    pub endpoint: Url,
    pub bucket: String,
    /// What names begin with, without a slash at its ends; it may be empty.
    pub prefix: String,
    pub region: String,
    pub keys: AccessKeys,
}

/// Their debug text does not show them.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessKeys {
    pub id: String,
    pub secret: String,
}

impl fmt::Debug for AccessKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessKeys")
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum S3LocationError {
    #[error(
        "--backup-s3-url needs the keys to the store: DISPATCH_BACKUP_S3_ACCESS_KEY_ID and \
         DISPATCH_BACKUP_S3_SECRET_ACCESS_KEY"
    )]
    NoKeys,
    #[error("the access keys to the store have characters that no key has")]
    BadKeys,
    #[error("--backup-s3-url copies what is in a folder: name it with --backup-dir")]
    NoFolder,
    #[error("{0} is for a store: say where it is with --backup-s3-url")]
    NoStore(&'static str),
    #[error(
        "--backup-s3-url cannot be used: write it as https://HOST/BUCKET or https://HOST/BUCKET/PREFIX, of letters, \
         digits, '.', '_' and '-'; http:// only for this machine, and keys where they belong \
         (DISPATCH_BACKUP_S3_ACCESS_KEY_ID, DISPATCH_BACKUP_S3_SECRET_ACCESS_KEY)"
    )]
    Url,
    #[error(
        "'{0}' cannot be --backup-s3-region: use letters, digits and '-', such as eu-central-1"
    )]
    Region(String),
}

const DEFAULT_REGION: &str = "us-east-1";

impl S3Location {
    pub fn new(
        url: &Url,
        region: Option<String>,
        keys: AccessKeys,
    ) -> Result<Self, S3LocationError> {
        let is_private = url.scheme() == "https" || url.scheme() == "http" && is_loopback(url);
        let is_bare = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        let path = url.path().trim_matches('/');
        let (bucket, prefix) = path.split_once('/').unwrap_or((path, ""));
        let mut names = path.split('/');
        if !is_private || !is_bare || !names.all(is_name) {
            return Err(S3LocationError::Url);
        }
        let region = region.unwrap_or_else(|| DEFAULT_REGION.to_owned());
        if !is_name(&region) {
            return Err(S3LocationError::Region(region));
        }
        let is_key = |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_graphic());
        if !is_key(&keys.id) || !is_key(&keys.secret) {
            return Err(S3LocationError::BadKeys);
        }
        let mut endpoint = url.clone();
        endpoint.set_path("");
        Ok(Self {
            endpoint,
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
            region,
            keys,
        })
    }

    /// Of a backup's name, the whole one in the bucket.
    pub fn key(&self, name: &str) -> String {
        match self.prefix.is_empty() {
            true => name.to_owned(),
            false => format!("{}/{name}", self.prefix),
        }
    }
}

/// Without the keys.
impl fmt::Display for S3Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = self.endpoint.as_str().trim_end_matches('/');
        write!(f, "{endpoint}/{}", self.bucket)?;
        match self.prefix.is_empty() {
            true => Ok(()),
            false => write!(f, "/{}", self.prefix),
        }
    }
}

/// Of a bucket, a region or a part of a prefix.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    name.chars().all(plain) && name.chars().any(|c| c != '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(url: &str) -> Result<S3Location, S3LocationError> {
        let keys = AccessKeys {
            id: "AKIA4389".to_owned(),
            secret: "s3cret/+".to_owned(),
        };
        S3Location::new(&url.parse().unwrap(), None, keys)
    }

    #[test]
    fn a_store_is_a_host_a_bucket_and_perhaps_a_prefix() {
        for (url, bucket, prefix, key) in [
            ("https://s3.example.com/shop", "shop", "", "a"),
            ("https://s3.example.com:9000/shop/", "shop", "", "a"),
            (
                "http://127.0.0.1:9000/shop/lake/side/",
                "shop",
                "lake/side",
                "lake/side/a",
            ),
            ("http://[::1]:9000/shop", "shop", "", "a"),
        ] {
            let location = location(url).unwrap();
            assert_eq!((&*location.bucket, &*location.prefix), (bucket, prefix));
            assert_eq!(location.key("a"), key);
            assert_eq!(location.region, "us-east-1");
            assert_eq!(location.to_string(), url.trim_end_matches('/'));
            assert!(!format!("{location:?}").contains("s3cret"));
        }
        for url in [
            "https://s3.example.com",
            "https://s3.example.com//shop//x",
            "https://s3.example.com/shop/a%20b",
            "https://s3.example.com/shop?versions",
            "https://ann:s3cret@s3.example.com/shop",
            "http://s3.example.com/shop",
            "http://192.168.1.20/shop",
            "s3://shop/prefix",
        ] {
            assert_eq!(location(url), Err(S3LocationError::Url), "{url}");
        }
    }
}
