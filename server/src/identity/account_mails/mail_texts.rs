//! What the mails with links say, in the language of whoever gets them.

use crate::identity::provider::LinkPurpose;
use crate::mail::OutgoingMail;

/// `language`: two letters; English for those there is no text in.
pub(in crate::identity) fn with_link(
    id: &str,
    email: &str,
    purpose: LinkPurpose,
    language: &str,
    link: &str,
) -> OutgoingMail {
    let (subject, before, after) = match (purpose, language) {
        (LinkPurpose::PasswordReset, "de") => (
            "Neues Passwort für Dispatch",
            format!(
                "Guten Tag,\n\nfür {email} wurde ein neues Passwort angefordert. \
                 Unter diesem Link legen Sie es innerhalb einer Stunde fest:"
            ),
            "Der Link gilt nur einmal. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: \
             Ihr Passwort bleibt, wie es ist.",
        ),
        (LinkPurpose::PasswordReset, "es") => (
            "Nueva contraseña para Dispatch",
            format!(
                "Hola:\n\nSe ha pedido una nueva contraseña para {email}. \
                 Elíjala con este enlace en el plazo de una hora:"
            ),
            "El enlace sirve una sola vez. Si no fue usted, no tiene que hacer nada: \
             su contraseña sigue siendo la misma.",
        ),
        (LinkPurpose::PasswordReset, _) => (
            "A new password for Dispatch",
            format!(
                "Hello,\n\nsomebody asked for a new password for {email}. \
                 Choose it with this link within an hour:"
            ),
            "The link works once. If that was not you, there is nothing to do: \
             your password stays as it is.",
        ),
        (LinkPurpose::Invitation, "de") => (
            "Einladung zu Dispatch",
            format!(
                "Guten Tag,\n\nfür {email} wurde ein Konto bei Dispatch angelegt. \
                 Unter diesem Link legen Sie innerhalb von 7 Tagen Ihr Passwort fest:"
            ),
            "Der Link gilt nur einmal. Danach melden Sie sich mit Ihrer E-Mail-Adresse und \
             diesem Passwort an.",
        ),
        (LinkPurpose::Invitation, "es") => (
            "Invitación a Dispatch",
            format!(
                "Hola:\n\nSe ha creado una cuenta de Dispatch para {email}. \
                 Elija su contraseña con este enlace en el plazo de 7 días:"
            ),
            "El enlace sirve una sola vez. Después inicie sesión con su correo electrónico y \
             esa contraseña.",
        ),
        (LinkPurpose::Invitation, _) => (
            "You are invited to Dispatch",
            format!(
                "Hello,\n\nan account at Dispatch was made for {email}. \
                 Choose your password with this link within 7 days:"
            ),
            "The link works once. From then on, sign in with your email and that password.",
        ),
    };
    OutgoingMail {
        id: id.to_owned(),
        to: email.to_owned(),
        subject: subject.to_owned(),
        text: format!("{before}\n\n{link}\n\n{after}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_has_its_link_on_a_line_of_its_own_in_every_language() {
        let mail_of =
            |purpose, language, link| with_link("1", "ann@example.com", purpose, language, link);
        let mut subjects = Vec::new();
        for purpose in [LinkPurpose::PasswordReset, LinkPurpose::Invitation] {
            for language in ["en", "de", "es"] {
                let mail = mail_of(purpose, language, "https://shop/reset#token=x");
                assert!(
                    mail.text
                        .lines()
                        .any(|line| line == "https://shop/reset#token=x")
                );
                assert!(mail.text.contains("ann@example.com"));
                assert_eq!(mail.to, "ann@example.com");
                subjects.push(mail.subject);
            }
            let other = mail_of(purpose, "fr", "x").subject;
            assert_eq!(other, mail_of(purpose, "en", "x").subject);
        }
        subjects.sort();
        subjects.dedup();
        assert_eq!(subjects.len(), 6);
    }
}
