//! A mail as mail programs read it: plain text beside the same in HTML.

use lettre::Message;
use lettre::address::{Address, AddressError};
use lettre::message::header::{ContentTransferEncoding, ContentType};
use lettre::message::{Body, Mailbox, MultiPart, SinglePart};

use super::{OutgoingMail, SendError};
use crate::text;

/// Which bytes the mail servers on the way let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    EightBit,
    /// An old mail server.
    SevenBit,
}

/// Who mails in a folder are from.
pub(super) fn nobody() -> Mailbox {
    let address = Address::new_dangerous("dispatch", "localhost");
    Mailbox::new(Some("Dispatch".to_owned()), address)
}

pub(super) fn of(
    from: &Mailbox,
    mail: &OutgoingMail,
    carrier: Carrier,
) -> Result<Message, SendError> {
    let to: Address = mail.to.parse().map_err(|why| SendError::Address {
        to: mail.to.clone(),
        why: AddressError::to_string(&why),
    })?;
    let plain = SinglePart::builder()
        .header(ContentType::TEXT_PLAIN)
        .body(body(&mail.text, carrier));
    let html = SinglePart::builder()
        .header(ContentType::TEXT_HTML)
        .body(body(&html(&mail.text), carrier));
    let id = format!("<{}@{}>", mail.id, from.email.domain());
    let both = MultiPart::alternative().singlepart(plain).singlepart(html);
    Ok(Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to))
        .subject(text::one_line(&mail.subject))
        .date_now()
        .message_id(Some(id))
        .multipart(both)?)
}

/// Bytes of a line of mail.
const MAX_LINE_BYTES: usize = 998;

/// As it is wherever that goes: quoted-printable would break a link over several lines, which is
/// put together again by mail programs, but by nothing else that looks into a file.
fn body(text: &str, carrier: Carrier) -> Body {
    let text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    let goes = |line: &str| line.len() <= MAX_LINE_BYTES && !line.contains('\0');
    let encoding = match carrier {
        _ if !text.lines().all(goes) => return Body::new(text),
        _ if text.is_ascii() => ContentTransferEncoding::SevenBit,
        Carrier::EightBit => ContentTransferEncoding::EightBit,
        // The only way to keep its lines.
        Carrier::SevenBit => {
            let encoded = Body::new_with_encoding(text, ContentTransferEncoding::Base64);
            return encoded.unwrap_or_else(Body::new);
        }
    };
    Body::dangerous_pre_encoded(text.into_bytes(), encoding)
}

/// A paragraph for each of the text, links to be clicked. ASCII, whatever the text.
fn html(text: &str) -> String {
    let mut html = String::from("<!doctype html>\n<html>\n<body>\n");
    let paragraphs = text.split("\n\n").map(str::trim);
    for paragraph in paragraphs.filter(|paragraph| !paragraph.is_empty()) {
        let lines: Vec<String> = paragraph.lines().map(line).collect();
        html.push_str("<p>");
        html.push_str(&lines.join("<br>\n"));
        html.push_str("</p>\n");
    }
    html.push_str("</body>\n</html>\n");
    html
}

fn line(line: &str) -> String {
    let line = line.trim();
    let text = escaped(line);
    let is_link = ["https://", "http://"]
        .iter()
        .any(|scheme| line.starts_with(scheme));
    if is_link && !line.contains(char::is_whitespace) {
        format!("<a\nhref=\"{text}\">{text}</a>")
    } else {
        text
    }
}

fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            c if c.is_ascii() => html.push(c),
            c => html.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "https://desk.example.com/reset-password#token=9sX-0123456789012345678901234567890123456789_abc&invitation=1";

    fn mail(text: &str) -> OutgoingMail {
        OutgoingMail {
            id: "1".to_owned(),
            to: "ann@example.com".to_owned(),
            subject: "Einladung für Zoë\r\nBcc: eve@example.com".to_owned(),
            text: text.to_owned(),
        }
    }

    fn written(text: &str, carrier: Carrier) -> String {
        let from = "Größe & Söhne <desk@example.com>".parse().unwrap();
        let message = of(&from, &mail(text), carrier).unwrap();
        String::from_utf8(message.formatted()).unwrap()
    }

    #[test]
    fn a_link_stands_whole_on_a_line_of_its_own() {
        for text in [
            format!("Set your password:\n\n{LINK}\n"),
            format!("Grüße, hier geht's weiter:\n\n{LINK}\n"),
        ] {
            let written = written(&text, Carrier::EightBit);
            assert!(written.contains(&format!("\r\n{LINK}\r\n")), "{written}");
        }
    }

    #[test]
    fn a_letter_has_all_that_mail_programs_want_in_plain_ascii_headers() {
        let written = written(&format!("Grüße\n\n{LINK}\n"), Carrier::EightBit);
        let (head, _) = written.split_once("\r\n\r\n").unwrap();
        assert!(head.is_ascii(), "{head}");
        for start in [
            "From: ",
            "To: ann@example.com",
            "Subject: ",
            "Date: ",
            "Message-ID: <",
            "MIME-Version: 1.0",
            "Content-Type: multipart/alternative;",
        ] {
            assert!(head.lines().any(|line| line.starts_with(start)), "{head}");
        }
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
        assert!(written.lines().all(|line| line.len() <= 998));
    }

    #[test]
    fn an_old_mail_server_gets_seven_bits() {
        let written = written(&format!("Grüße\n\n{LINK}\n"), Carrier::SevenBit);
        assert!(written.is_ascii());
        assert!(
            written.contains("Content-Transfer-Encoding: base64"),
            "{written}"
        );
    }

    #[test]
    fn html_is_the_text_with_its_links_and_nothing_else() {
        let html = html(
            "Hi <b>Zoë</b> & you,\nwelcome\n\nhttp://a.example/#t=1&i=1\n\nfoot http://b.example\n",
        );
        assert_eq!(
            html,
            "<!doctype html>\n<html>\n<body>\n\
             <p>Hi &lt;b&gt;Zo&#235;&lt;/b&gt; &amp; you,<br>\nwelcome</p>\n\
             <p><a\nhref=\"http://a.example/#t=1&amp;i=1\">http://a.example/#t=1&amp;i=1</a></p>\n\
             <p>foot http://b.example</p>\n</body>\n</html>\n"
        );
    }
}
