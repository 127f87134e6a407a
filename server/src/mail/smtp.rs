//! The mail server that a URL names.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, Tls, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use lettre::transport::smtp::{Error, SUBMISSION_PORT, SUBMISSIONS_PORT};
use percent_encoding::percent_decode_str;
use tokio::time::timeout;
use url::{Host, Url};

use super::message::{self, Carrier};
use super::refusal::{is_about_the_mail, refused};
use super::{OutgoingMail, SendError};

/// For a connection to each of the server's addresses; not for the conversation on it.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// Until the server wants the mail: connecting, TLS, signing in, sender and recipient.
const OFFER_TIMEOUT: Duration = Duration::from_secs(25);

/// From then until it says that it has it. A server may look into a mail for minutes before it does
/// (RFC 5321, section 4.5.3.2.6); a client that does not wait sends it again and again.
const TAKE_TIMEOUT: Duration = Duration::from_secs(5 * 60);

/// For the last word on a connection, of which nothing depends.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// For all of it together.
pub const ATTEMPT_TIMEOUT: Duration = OFFER_TIMEOUT
    .saturating_add(TAKE_TIMEOUT)
    .saturating_add(QUIT_TIMEOUT);

/// One connection for each mail; cheap to clone.
#[derive(Clone)]
pub struct SmtpServer {
    host: Arc<str>,
    port: u16,
    tls: Tls,
    credentials: Option<Credentials>,
    /// What this machine is called.
    hello_name: ClientId,
    timeouts: Timeouts,
}

/// How a mail server answered to whoever sends nothing.
#[derive(Clone, Copy, Debug)]
pub struct ServerAnswer {
    pub is_encrypted: bool,
    /// False where there is no password.
    pub signed_in: bool,
}

/// Each is for one step.
#[derive(Clone, Copy, Debug)]
struct Timeouts {
    offer: Duration,
    take: Duration,
}

impl fmt::Debug for SmtpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SmtpServer").field(&self.address()).finish()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SmtpUrlError {
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
    /// `smtps://` is TLS from the first byte. `smtp://` is STARTTLS: `?tls=required` sends with it
    /// only, `?tls=opportunistic` also where the server has none. Without either it is required
    /// where a password would otherwise leave this machine unencrypted. `?ca=FILE` adds a
    /// certificate authority of one's own.
    pub fn new(url: &Url) -> Result<Self, SmtpUrlError> {
        let (host, is_here) = match url.host().ok_or(SmtpUrlError::Scheme)? {
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
                _ => return Err(SmtpUrlError::Parameter(name.into_owned())),
            }
        }
        let mut parameters = TlsParameters::builder(host.clone());
        if let Some(path) = authority {
            parameters = parameters.add_root_certificate(certificates(&path)?);
        }
        let parameters = parameters.build_rustls().map_err(SmtpUrlError::NoTls)?;
        let password = url.password();
        let (tls, port) = match (url.scheme(), tls.as_deref()) {
            ("smtps", None | Some("required")) => (Tls::Wrapper(parameters), SUBMISSIONS_PORT),
            ("smtp", Some("required")) => (Tls::Required(parameters), SUBMISSION_PORT),
            ("smtp", Some("opportunistic")) => (Tls::Opportunistic(parameters), SUBMISSION_PORT),
            ("smtp", None) if password.is_some() && !is_here => {
                (Tls::Required(parameters), SUBMISSION_PORT)
            }
            ("smtp", None) => (Tls::Opportunistic(parameters), SUBMISSION_PORT),
            ("smtp" | "smtps", Some(other)) => return Err(SmtpUrlError::Tls(other.to_owned())),
            _ => return Err(SmtpUrlError::Scheme),
        };
        let port = url.port().unwrap_or(port);
        let decoded = |text| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let credentials =
            password.map(|password| Credentials::new(decoded(url.username()), decoded(password)));
        Ok(Self {
            host: host.into(),
            port,
            tls,
            credentials,
            hello_name: ClientId::default(),
            timeouts: Timeouts {
                offer: OFFER_TIMEOUT,
                take: TAKE_TIMEOUT,
            },
        })
    }

    /// Gets as far as a mail could be offered, and offers none.
    pub async fn try_out(&self) -> Result<ServerAnswer, SendError> {
        let connected = timeout(self.timeouts.offer, self.connect()).await;
        let connected = connected.map_err(|_late| no_answer())?;
        let connection = connected.map_err(|error| refused(&error, false))?;
        let answer = ServerAnswer {
            is_encrypted: connection.is_encrypted(),
            signed_in: self.credentials.is_some(),
        };
        quit(connection).await;
        Ok(answer)
    }

    /// Whether what is sent to it stays on this machine.
    pub fn is_here(&self) -> bool {
        let address: Option<IpAddr> = self.host.parse().ok();
        address.map_or(&*self.host == "localhost", |address| address.is_loopback())
    }

    /// Without user and password.
    pub fn address(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// How safe mails are on their way, without the password.
    pub fn safety(&self) -> String {
        let tls = match &self.tls {
            Tls::None => "none",
            Tls::Opportunistic(_) => "opportunistic",
            Tls::Required(_) | Tls::Wrapper(_) => "required",
        };
        let signs_in = if self.credentials.is_some() {
            " with a password"
        } else {
            ""
        };
        format!("{} tls={tls}{signs_in}", self.address())
    }

    pub(super) async fn send(&self, from: &Mailbox, mail: &OutgoingMail) -> Result<(), SendError> {
        let offered = timeout(self.timeouts.offer, self.offer(from, mail)).await;
        let (mut connection, message) = offered.unwrap_or_else(|_late| Err(no_answer()))?;
        // Whatever comes after this may be of a mail that the server has.
        let outcome = timeout(self.timeouts.take, connection.message(&message))
            .await
            .map_err(|_| SendError::Unanswered)?;
        quit(connection).await;
        match outcome {
            Ok(_) => Ok(()),
            Err(error) => Err(refused(&error, is_about_the_mail(&error))),
        }
    }

    /// Gets as far as the server wants the mail. The connection, and the mail as this server takes it.
    async fn offer(
        &self,
        from: &Mailbox,
        mail: &OutgoingMail,
    ) -> Result<(AsyncSmtpConnection, Vec<u8>), SendError> {
        let about_us = |error: Error| refused(&error, false);
        let mut connection = self.connect().await.map_err(about_us)?;
        match offer_on(&mut connection, from, mail).await {
            Ok(message) => Ok((connection, message)),
            Err(refused) => {
                quit(connection).await;
                Err(refused)
            }
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let wrapper = match &self.tls {
            Tls::Wrapper(parameters) => Some(parameters.clone()),
            _ => None,
        };
        let mut connection = AsyncSmtpConnection::connect_tokio1(
            (&*self.host, self.port),
            Some(CONNECT_TIMEOUT),
            &self.hello_name,
            wrapper,
            None,
        )
        .await?;
        let starttls = match &self.tls {
            // Fails where the server has none.
            Tls::Required(parameters) => Some(parameters),
            Tls::Opportunistic(parameters) => {
                Some(parameters).filter(|_| connection.can_starttls())
            }
            Tls::None | Tls::Wrapper(_) => None,
        };
        if let Some(parameters) = starttls {
            let parameters = parameters.clone();
            connection.starttls(parameters, &self.hello_name).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(connection)
    }
}

fn no_answer() -> SendError {
    SendError::Server {
        why: "it does not answer".to_owned(),
        is_permanent: false,
    }
}

/// Sender and recipient. Only a refusal of the recipient can be permanent.
async fn offer_on(
    connection: &mut AsyncSmtpConnection,
    from: &Mailbox,
    mail: &OutgoingMail,
) -> Result<Vec<u8>, SendError> {
    let about_us = |error: Error| refused(&error, false);
    let server = connection.server_info();
    let takes_eight_bits = server.supports_feature(Extension::EightBitMime);
    let takes_utf8 = server.supports_feature(Extension::SmtpUtfEight);
    let message = message::of(from, mail, Carrier::EightBit)?;
    let mut parameters = Vec::new();
    let envelope = message.envelope();
    let mut addresses = envelope.to().iter().chain(envelope.from());
    if !addresses.all(|address| AsRef::<str>::as_ref(address).is_ascii()) {
        if !takes_utf8 {
            return Err(SendError::Server {
                why: "it takes no address with letters other than ASCII".to_owned(),
                is_permanent: false,
            });
        }
        parameters.push(MailParameter::SmtpUtfEight);
    }
    let formatted = message.formatted();
    let formatted = match formatted.is_ascii() {
        true => formatted,
        false if takes_eight_bits => {
            parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
            formatted
        }
        false => message::of(from, mail, Carrier::SevenBit)?.formatted(),
    };
    let sender = Mail::new(envelope.from().cloned(), parameters);
    connection.command(sender).await.map_err(about_us)?;
    for recipient in envelope.to() {
        let recipient = Rcpt::new(recipient.clone(), Vec::new());
        let answer = connection.command(recipient).await;
        answer.map_err(|error| refused(&error, is_about_the_mail(&error)))?;
    }
    connection.command(Data).await.map_err(about_us)?;
    Ok(formatted)
}

async fn quit(mut connection: AsyncSmtpConnection) {
    // Nothing can be done about a server that does not say goodbye.
    let _ = timeout(QUIT_TIMEOUT, connection.abort()).await;
}

fn certificates(path: &str) -> Result<Certificate, SmtpUrlError> {
    let unusable = |why: String| SmtpUrlError::Certificates {
        path: path.to_owned(),
        why,
    };
    let pem = std::fs::read(Path::new(path)).map_err(|why| unusable(why.to_string()))?;
    Certificate::from_pem(&pem).map_err(|why| unusable(why.to_string()))
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    use tokio::net::TcpListener;
    use tokio::task::JoinHandle;

    use super::super::refusal::is_code_about_the_mail;
    use super::*;

    fn server(url: &str) -> Result<String, String> {
        let server = SmtpServer::new(&url.parse().unwrap());
        server
            .map(|server| server.address())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_url_names_a_server_and_its_tls_mode() {
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
    fn a_url_that_names_no_mail_server_is_refused() {
        for (url, says) in [
            ("http://mail.example.com", "must begin with smtp://"),
            ("smtp:", "must begin with smtp://"),
            ("smtp://mail.example.com?tls=maybe", "tls=maybe"),
            ("smtp://mail.example.com?starttls=1", "starttls"),
            ("smtp://mail.example.com?ca=/nowhere.pem", "/nowhere.pem"),
        ] {
            let error = server(url).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn only_a_refusal_of_the_recipient_or_the_mail_is_permanent() {
        for (code, text, is_about_the_mail) in [
            (550, "5.1.1 Nobody of that name lives here", true),
            (550, "5.1.10 Recipient not found", true),
            (552, "5.2.2 Mailbox full", true),
            (552, "5.3.4 Message too large", true),
            (554, "5.6.0 Not MIME", true),
            (550, "No such user here", true),
            (553, "Mailbox name not allowed", true),
            (
                553,
                "5.1.8 Sender address rejected: Domain not found",
                false,
            ),
            (554, "5.7.1 Relay access denied", false),
            (
                550,
                "5.7.60 Client does not have permissions to send as this sender",
                false,
            ),
            (530, "5.7.0 Must issue a STARTTLS command first", false),
            (535, "Authentication failed", false),
            (554, "No SMTP service here", false),
            (500, "", false),
        ] {
            let is = is_code_about_the_mail(code, text);
            assert_eq!(is, is_about_the_mail, "{code} {text}");
        }
    }

    /// Sends these lines, one for each line it receives, and then nothing.
    async fn mail_server(answers: &'static [&'static str]) -> (SmtpServer, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let heard = tokio::spawn(async move {
            let (mut connection, _) = listener.accept().await.unwrap();
            let (read, mut write) = connection.split();
            let (mut lines, mut heard) = (BufReader::new(read).lines(), String::new());
            for answer in answers {
                write.write_all(answer.as_bytes()).await.unwrap();
                write.write_all(b"\r\n").await.unwrap();
                let Ok(Some(line)) = lines.next_line().await else {
                    return heard;
                };
                heard.push_str(&line);
                heard.push('\n');
            }
            while let Ok(Some(_)) = lines.next_line().await {}
            heard
        });
        let server = SmtpServer::new(&url.parse().unwrap()).unwrap();
        (server, heard)
    }

    fn mail() -> OutgoingMail {
        OutgoingMail {
            id: "1".to_owned(),
            to: "ann@example.com".to_owned(),
            subject: "Hello".to_owned(),
            text: "Hello".to_owned(),
        }
    }

    #[tokio::test]
    async fn a_server_that_was_given_a_mail_and_does_not_answer_may_have_it() {
        let answers = &["220 hi", "250 hi", "250 OK", "250 OK", "354 go on"];
        let (mut server, heard) = mail_server(answers).await;
        server.timeouts.take = Duration::from_millis(50);
        let outcome = server.send(&message::nobody(), &mail()).await;
        assert!(matches!(outcome, Err(SendError::Unanswered)), "{outcome:?}");
        assert!(heard.await.unwrap().contains("RCPT TO:<ann@example.com>"));
    }

    #[tokio::test]
    async fn a_silent_server_did_not_receive_the_mail() {
        let (mut server, _heard) = mail_server(&[]).await;
        server.timeouts.offer = Duration::from_millis(50);
        let outcome = server.send(&message::nobody(), &mail()).await;
        let is_permanent = |outcome: &Result<(), SendError>| match outcome {
            Err(SendError::Server { is_permanent, .. }) => Some(*is_permanent),
            _ => None,
        };
        assert_eq!(is_permanent(&outcome), Some(false), "{outcome:?}");
        for (answers, expected) in [
            (&["554 No SMTP service here"][..], false),
            (&["220 hi", "250 hi", "550 No such sender"][..], false),
            (
                &["220 hi", "250 hi", "250 OK", "550 No such user"][..],
                true,
            ),
        ] {
            let (server, _heard) = mail_server(answers).await;
            let outcome = server.send(&message::nobody(), &mail()).await;
            assert_eq!(is_permanent(&outcome), Some(expected), "{outcome:?}");
        }
    }

    #[test]
    fn a_password_is_shown_nowhere() {
        let url = "smtps://ann:s3cret@mail.example.com".parse().unwrap();
        let shown = format!("{:?}", SmtpServer::new(&url).unwrap());
        assert_eq!(shown, r#"SmtpServer("mail.example.com:465")"#);
    }
}
