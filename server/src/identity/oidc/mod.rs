//! Signing in with somebody else's word: any OpenID Connect provider, by authorization code with
//! PKCE. What comes of it is a session of ours, exactly as a password's. A second factor of ours is
//! not asked for: how a person proves who they are is the provider's business then.

mod claims;
mod http;
mod provider;
mod round_trip;

use std::fmt;

use openidconnect::IssuerUrl;
use openidconnect::url::Host;

/// What `--oidc-...` say.
#[derive(Clone)]
pub struct OidcOptions {
    pub issuer: IssuerUrl,
    pub client_id: String,
    /// None where the provider knows us as a public client: PKCE alone protects the code.
    pub client_secret: Option<String>,
    /// What the provider is called on the button.
    pub name: String,
    /// The claim that lists a person's roles; none where the staff document alone says them.
    pub roles_claim: Option<String>,
}

impl fmt::Debug for OidcOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcOptions")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .field("name", &self.name)
            .field("roles_claim", &self.roles_claim)
            .finish_non_exhaustive()
    }
}

/// An issuer as its provider writes it: a slash at the end counts. In the clear only on this
/// machine: whoever could answer in its place could be anybody here.
pub fn parse_issuer(text: &str) -> Result<IssuerUrl, String> {
    let issuer = IssuerUrl::new(text.trim().to_owned())
        .map_err(|_| format!("'{text}' is no issuer: write it as https://accounts.example.com"))?;
    let url = issuer.url();
    if url.query().is_some() || url.fragment().is_some() {
        return Err(format!("'{text}' is no issuer: it has no ? and no #"));
    }
    match url.scheme() {
        "https" => Ok(issuer),
        "http" if is_loopback(&issuer) => Ok(issuer),
        _ => Err(format!("the issuer '{text}' must begin with https://")),
    }
}

fn is_loopback(issuer: &IssuerUrl) -> bool {
    match issuer.url().host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Somebody else's text for a line of the log.
fn plain(text: &str) -> String {
    let line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    line.take(200).collect()
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
            assert_eq!(parse_issuer(good).unwrap().as_str(), good);
        }
        for bad in [
            "",
            "accounts.example.com",
            "http://accounts.example.com",
            "http://localhost.example.com",
            "ftp://accounts.example.com",
            "https://accounts.example.com?tenant=1",
        ] {
            assert!(parse_issuer(bad).unwrap_err().contains(bad), "{bad}");
        }
    }

    #[test]
    fn the_secret_is_not_in_a_log() {
        let options = OidcOptions {
            issuer: parse_issuer("https://accounts.example.com").unwrap(),
            client_id: "dispatch".to_owned(),
            client_secret: Some("hush".to_owned()),
            name: "Example".to_owned(),
            roles_claim: None,
        };
        assert!(!format!("{options:?}").contains("hush"));
    }
}
