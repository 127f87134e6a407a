//! The mail server that a URL names.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::response::{Category, Code};
use lettre::transport::smtp::{Error, SUBMISSION_PORT, SUBMISSIONS_PORT};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use percent_encoding::percent_decode_str;
use url::{Host, Url};

use super::message::{self, Carrier};
use super::{Letter, NotSent};

/// For each thing the server is told.
const ANSWERS_WITHIN: Duration = Duration::from_secs(15);

/// For all of it together.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(25);

#[derive(Clone)]
pub struct SmtpServer {
    transport: Arc<AsyncSmtpTransport<Tokio1Executor>>,
    /// Without user and password.
    shown: String,
}

impl fmt::Debug for SmtpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SmtpServer").field(&self.shown).finish()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BadServer {
    #[error(
        "--smtp-url must begin with smtp:// or smtps:// and name a host, such as \
         smtp://USER:PASSWORD@mail.example.com:587?tls=required"
    )]
    Scheme,
    #[error("tls={0} is not known: use tls=required or tls=opportunistic")]
    Tls(String),
    #[error("{0} is not known in --smtp-url: use tls or ca")]
    Parameter(String),
    #[error("the certificates in {path} cannot be used: {why}")]
    Certificates { path: String, why: String },
    #[error("TLS cannot be set up: {0}")]
    NoTls(Error),
}

impl SmtpServer {
    /// `smtps://` is TLS from the first byte. `smtp://` is STARTTLS: `?tls=required` goes on with
    /// it only, `?tls=opportunistic` also where the server has none. Without either it is required
    /// where a password would otherwise leave this machine unencrypted. `?ca=FILE` adds a
    /// certificate authority of one's own.
    pub fn new(url: &Url) -> Result<Self, BadServer> {
        let (host, is_here) = match url.host().ok_or(BadServer::Scheme)? {
            Host::Ipv4(address) => (address.to_string(), address.is_loopback()),
            Host::Ipv6(address) => (address.to_string(), address.is_loopback()),
            // Of a scheme that the web has not, an address is a name.
            Host::Domain(name) => {
                let address: Option<IpAddr> = name.parse().ok();
                let is_here = address.map_or(name == "localhost", |address| address.is_loopback());
                (name.to_owned(), is_here)
            }
        };
        let (mut tls, mut authority) = (None, None);
        for (name, value) in url.query_pairs() {
            match &*name {
                "tls" => tls = Some(value.into_owned()),
                "ca" => authority = Some(value.into_owned()),
                _ => return Err(BadServer::Parameter(name.into_owned())),
            }
        }
        let mut parameters = TlsParameters::builder(host.clone());
        if let Some(path) = authority {
            parameters = parameters.add_root_certificate(certificates(&path)?);
        }
        let parameters = parameters.build_rustls().map_err(BadServer::NoTls)?;
        let password = url.password();
        let (tls, port) = match (url.scheme(), tls.as_deref()) {
            ("smtps", None | Some("required")) => (Tls::Wrapper(parameters), SUBMISSIONS_PORT),
            ("smtp", Some("required")) => (Tls::Required(parameters), SUBMISSION_PORT),
            ("smtp", Some("opportunistic")) => (Tls::Opportunistic(parameters), SUBMISSION_PORT),
            ("smtp", None) if password.is_some() && !is_here => {
                (Tls::Required(parameters), SUBMISSION_PORT)
            }
            ("smtp", None) => (Tls::Opportunistic(parameters), SUBMISSION_PORT),
            ("smtp" | "smtps", Some(other)) => return Err(BadServer::Tls(other.to_owned())),
            _ => return Err(BadServer::Scheme),
        };
        let port = url.port().unwrap_or(port);
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host.as_str())
            .port(port)
            .tls(tls)
            .timeout(Some(ANSWERS_WITHIN));
        if let Some(password) = password {
            let decoded = |text| percent_decode_str(text).decode_utf8_lossy().into_owned();
            builder =
                builder.credentials(Credentials::new(decoded(url.username()), decoded(password)));
        }
        Ok(Self {
            transport: Arc::new(builder.build()),
            shown: format!("{host}:{port}"),
        })
    }

    pub(super) async fn send(&self, from: &Mailbox, letter: &Letter) -> Result<(), NotSent> {
        let sent = tokio::time::timeout(ATTEMPT_TIMEOUT, self.deliver(from, letter)).await;
        sent.unwrap_or_else(|_| {
            Err(NotSent::Server {
                why: "it does not answer".to_owned(),
                is_permanent: false,
            })
        })
    }

    async fn deliver(&self, from: &Mailbox, letter: &Letter) -> Result<(), NotSent> {
        let message = message::of(from, letter, Carrier::EightBit)?;
        let is_ascii = message.formatted().is_ascii();
        let sent = match self.transport.send(message).await {
            // A server that says nothing of 8BITMIME.
            Err(error) if error.is_client() && !is_ascii => {
                let message = message::of(from, letter, Carrier::SevenBit)?;
                self.transport.send(message).await
            }
            sent => sent,
        };
        match sent {
            Ok(_) => Ok(()),
            Err(error) => Err(NotSent::Server {
                why: error.to_string(),
                is_permanent: is_about_the_mail(&error),
            }),
        }
    }
}

/// Whether a server refused this mail for good (5xx). What it refuses because of a wrong user or
/// password (53x) is put right in the configuration, as is a certificate that is not trusted.
fn is_about_the_mail(error: &Error) -> bool {
    let is_about_us = |code: Code| code.category == Category::Unspecified3;
    error.is_permanent() && !error.status().is_some_and(is_about_us)
}

fn certificates(path: &str) -> Result<Certificate, BadServer> {
    let unusable = |why: String| BadServer::Certificates {
        path: path.to_owned(),
        why,
    };
    let pem = std::fs::read(Path::new(path)).map_err(|why| unusable(why.to_string()))?;
    Certificate::from_pem(&pem).map_err(|why| unusable(why.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(url: &str) -> Result<String, String> {
        let server = SmtpServer::new(&url.parse().unwrap());
        server
            .map(|server| server.shown)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_url_names_a_server_and_how_it_is_spoken_to() {
        for (url, shown) in [
            ("smtp://mail.example.com", "mail.example.com:587"),
            (
                "smtps://ann:s3c%40ret@mail.example.com",
                "mail.example.com:465",
            ),
            ("smtp://127.0.0.1:25", "127.0.0.1:25"),
            ("smtp://[::1]:2525?tls=opportunistic", "::1:2525"),
            (
                "smtp://a:b@mail.example.com?tls=required",
                "mail.example.com:587",
            ),
        ] {
            assert_eq!(server(url), Ok(shown.to_owned()), "{url}");
        }
    }

    #[test]
    fn what_is_no_mail_server_is_told() {
        for (url, says) in [
            ("http://mail.example.com", "must begin with smtp://"),
            ("smtp:", "must begin with smtp://"),
            ("smtp://mail.example.com?tls=maybe", "tls=maybe"),
            ("smtp://mail.example.com?starttls=1", "starttls"),
            ("smtp://mail.example.com?ca=/nowhere.pem", "/nowhere.pem"),
        ] {
            let told = server(url).unwrap_err();
            assert!(told.contains(says), "{told}");
        }
    }

    #[test]
    fn a_password_is_shown_nowhere() {
        let url = "smtps://ann:s3cret@mail.example.com".parse().unwrap();
        let shown = format!("{:?}", SmtpServer::new(&url).unwrap());
        assert_eq!(shown, r#"SmtpServer("mail.example.com:465")"#);
    }
}
