//! Where browsers reach this server.

use std::ops::Deref;
use std::sync::Arc;

/// Without a slash at the end.
#[derive(Clone, Debug)]
pub struct PublicUrl(Arc<str>);

impl PublicUrl {
    pub fn new(url: &str) -> Self {
        Self(url.trim_end_matches('/').into())
    }

    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }
}

impl Deref for PublicUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}
