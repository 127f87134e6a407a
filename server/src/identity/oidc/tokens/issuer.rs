//! Who a provider says it is, which is also its address.

use std::fmt;
use std::str::FromStr;

use openidconnect::IssuerUrl;
use serde::Deserialize;

use crate::public_url;

/// As its provider writes it: a slash at the end counts. In the clear only on this machine, since
/// whoever could answer in its place could be anybody here.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Issuer(IssuerUrl);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssuerError {
    #[error("'{0}' is no issuer; write it as https://login.example.com")]
    NoAddress(String),
    #[error("the issuer '{0}' must begin with https://")]
    InTheClear(String),
}

impl FromStr for Issuer {
    type Err = IssuerError;

    fn from_str(text: &str) -> Result<Self, IssuerError> {
        let text = text.trim();
        let issuer = IssuerUrl::new(text.to_owned())
            .map(Self)
            .map_err(|_| IssuerError::NoAddress(text.to_owned()))?;
        let url = issuer.0.url();
        if url.query().is_some() || url.fragment().is_some() {
            return Err(IssuerError::NoAddress(text.to_owned()));
        }
        match url.scheme() {
            "https" => Ok(issuer),
            "http" if issuer.is_loopback() => Ok(issuer),
            _ => Err(IssuerError::InTheClear(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Issuer {
    type Error = IssuerError;

    fn try_from(text: String) -> Result<Self, IssuerError> {
        text.parse()
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl Issuer {
    pub fn host(&self) -> &str {
        self.0.url().host_str().unwrap_or_default()
    }

    pub(in crate::identity::oidc) fn url(&self) -> &IssuerUrl {
        &self.0
    }

    pub(in crate::identity::oidc) fn is_loopback(&self) -> bool {
        public_url::is_loopback(self.0.url())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_https_or_on_this_machine() {
        for good in [
            "https://accounts.example.com",
            "https://login.example.com/tenant/v2.0",
            "http://127.0.0.1:4000",
            "http://localhost:4000/realms/shop",
            "http://[::1]:4000",
        ] {
            assert_eq!(good.parse::<Issuer>().unwrap().to_string(), good);
        }
        for bad in [
            "",
            "accounts.example.com",
            "http://accounts.example.com",
            "http://localhost.example.com",
            "ftp://accounts.example.com",
            "https://accounts.example.com?tenant=1",
        ] {
            let refused = bad.parse::<Issuer>().unwrap_err().to_string();
            assert!(refused.contains(bad), "{refused}");
        }
    }
}
