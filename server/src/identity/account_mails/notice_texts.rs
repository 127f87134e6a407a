//! What the mails without a link say, in the language of whoever gets them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::notices::{NoticeFacts, NoticeKind};
use crate::mail::OutgoingMail;

/// `language`: two letters; English for those there is no text in. `zone`: in which times are said.
pub(in crate::identity) fn notice_mail(
    id: &str,
    email: &str,
    kind: NoticeKind,
    facts: &[NoticeFacts],
    language: &str,
    zone: &TimeZone,
) -> OutgoingMail {
    let Words {
        subject,
        greeting,
        happened,
        advice,
    } = words(kind, language);
    let happened = happened.replace("{email}", email);
    let places: Vec<String> = facts
        .iter()
        .map(|facts| place(facts, language, zone))
        .collect();
    let places = places.join("\n\n");
    OutgoingMail {
        id: id.to_owned(),
        to: email.to_owned(),
        subject: subject.to_owned(),
        text: format!("{greeting}\n\n{happened}\n\n{places}\n\n{advice}\n"),
    }
}

/// When and where, a line each.
fn place(facts: &NoticeFacts, language: &str, zone: &TimeZone) -> String {
    let (when, from, browser, on, command_line, unknown) = match language {
        "de" => (
            "Wann",
            "Von",
            "Browser",
            " auf ",
            "der Kommandozeile des Servers",
            "unbekannt",
        ),
        "es" => (
            "Cuándo",
            "Desde",
            "Navegador",
            " en ",
            "la línea de comandos del servidor",
            "desconocido",
        ),
        _ => (
            "When",
            "From",
            "Browser",
            " on ",
            "the server's command line",
            "not known",
        ),
    };
    let time = Timestamp::from_millisecond(facts.at).unwrap_or_default();
    let time = time.to_zoned(zone.clone());
    let zone = zone.iana_name().unwrap_or("UTC");
    let time = format!("{} ({zone})", time.strftime("%Y-%m-%d %H:%M"));
    if facts.at_command_line {
        return format!("{when}: {time}\n{from}: {command_line}");
    }
    let address = facts.address.as_deref().unwrap_or(unknown);
    let name = facts.browser.as_ref().map(|name| name.replace(" on ", on));
    let name = name.as_deref().unwrap_or(unknown);
    format!("{when}: {time}\n{from}: {address}\n{browser}: {name}")
}

struct Words {
    subject: &'static str,
    greeting: &'static str,
    happened: &'static str,
    advice: &'static str,
}

fn words(kind: NoticeKind, language: &str) -> Words {
    let (subject, happened, advice) = match language {
        "de" => german(kind),
        "es" => spanish(kind),
        _ => english(kind),
    };
    let greeting = match language {
        "de" => "Guten Tag,",
        "es" => "Hola:",
        _ => "Hello,",
    };
    Words {
        subject,
        greeting,
        happened,
        advice,
    }
}

type Texts = (&'static str, &'static str, &'static str);

fn english(kind: NoticeKind) -> Texts {
    match kind {
        NoticeKind::NewDevice => (
            "A new sign-in to Dispatch",
            "somebody signed in to Dispatch as {email}, in a browser and from a network in which this \
             account was not signed in before:",
            "If that was you, there is nothing to do. If not, somebody knows your password: choose \
             another one at once, which signs out every other browser, and tell an owner of your shop.",
        ),
        NoticeKind::PasswordChanged => (
            "Your password for Dispatch was changed",
            "the password of {email} was changed:",
            "If that was you, there is nothing to do. If not, ask for a new password on the sign-in \
             screen at once, and tell an owner of your shop.",
        ),
        NoticeKind::SecondFactorOn => (
            "Two-factor authentication for Dispatch is on",
            "two-factor authentication was turned on for {email}:",
            "From now on signing in asks for a code of the app. If that was not you, ask an owner of \
             your shop at once to take it away again, and choose another password.",
        ),
        NoticeKind::SecondFactorOff => (
            "Two-factor authentication for Dispatch is off",
            "two-factor authentication was turned off for {email}:",
            "From now on the password alone is enough to sign in. If that was not you, choose another \
             password at once, turn it on again, and tell an owner of your shop.",
        ),
        NoticeKind::ProviderLinked => (
            "Another way to sign in to Dispatch",
            "the account {email} was linked to the sign-in of your shop's provider:",
            "Whoever signs in there is signed in to Dispatch, too. If that was not you, tell an owner \
             of your shop at once.",
        ),
    }
}

fn german(kind: NoticeKind) -> Texts {
    match kind {
        NoticeKind::NewDevice => (
            "Neue Anmeldung bei Dispatch",
            "bei Dispatch hat sich jemand als {email} angemeldet, in einem Browser und aus einem Netz, \
             in dem dieses Konto bisher nicht angemeldet war:",
            "Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, kennt jemand Ihr Passwort: \
             Legen Sie sofort ein anderes fest (damit werden alle anderen Browser abgemeldet) und \
             sagen Sie einem Inhaber Ihres Betriebs Bescheid.",
        ),
        NoticeKind::PasswordChanged => (
            "Ihr Passwort für Dispatch wurde geändert",
            "das Passwort von {email} wurde geändert:",
            "Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, fordern Sie auf der \
             Anmeldeseite sofort ein neues Passwort an und sagen Sie einem Inhaber Ihres Betriebs \
             Bescheid.",
        ),
        NoticeKind::SecondFactorOn => (
            "Die Zwei-Faktor-Anmeldung bei Dispatch ist eingeschaltet",
            "für {email} wurde die Zwei-Faktor-Anmeldung eingeschaltet:",
            "Ab jetzt wird beim Anmelden ein Code der App verlangt. Wenn Sie das nicht waren, bitten \
             Sie sofort einen Inhaber Ihres Betriebs, sie wieder auszuschalten, und legen Sie ein \
             anderes Passwort fest.",
        ),
        NoticeKind::SecondFactorOff => (
            "Die Zwei-Faktor-Anmeldung bei Dispatch ist ausgeschaltet",
            "für {email} wurde die Zwei-Faktor-Anmeldung ausgeschaltet:",
            "Ab jetzt genügt zum Anmelden das Passwort. Wenn Sie das nicht waren, legen Sie sofort ein \
             anderes Passwort fest, schalten Sie sie wieder ein und sagen Sie einem Inhaber Ihres \
             Betriebs Bescheid.",
        ),
        NoticeKind::ProviderLinked => (
            "Ein weiterer Weg, sich bei Dispatch anzumelden",
            "das Konto {email} wurde mit der Anmeldung beim Anbieter Ihres Betriebs verbunden:",
            "Wer sich dort anmeldet, ist auch bei Dispatch angemeldet. Wenn Sie das nicht waren, sagen \
             Sie sofort einem Inhaber Ihres Betriebs Bescheid.",
        ),
    }
}

fn spanish(kind: NoticeKind) -> Texts {
    match kind {
        NoticeKind::NewDevice => (
            "Nuevo inicio de sesión en Dispatch",
            "Alguien ha iniciado sesión en Dispatch como {email}, en un navegador y desde una red en \
             los que esta cuenta no había iniciado sesión antes:",
            "Si fue usted, no tiene que hacer nada. Si no, alguien conoce su contraseña: elija otra de \
             inmediato, lo que cierra la sesión en los demás navegadores, y avise a un propietario de \
             su taller.",
        ),
        NoticeKind::PasswordChanged => (
            "Su contraseña de Dispatch ha cambiado",
            "La contraseña de {email} ha cambiado:",
            "Si fue usted, no tiene que hacer nada. Si no, pida de inmediato una nueva contraseña en la \
             pantalla de inicio de sesión y avise a un propietario de su taller.",
        ),
        NoticeKind::SecondFactorOn => (
            "La autenticación en dos pasos de Dispatch está activada",
            "Se ha activado la autenticación en dos pasos para {email}:",
            "A partir de ahora, al iniciar sesión se pide un código de la aplicación. Si no fue usted, \
             pida de inmediato a un propietario de su taller que la desactive y elija otra contraseña.",
        ),
        NoticeKind::SecondFactorOff => (
            "La autenticación en dos pasos de Dispatch está desactivada",
            "Se ha desactivado la autenticación en dos pasos para {email}:",
            "A partir de ahora basta la contraseña para iniciar sesión. Si no fue usted, elija otra \
             contraseña de inmediato, vuelva a activarla y avise a un propietario de su taller.",
        ),
        NoticeKind::ProviderLinked => (
            "Otra forma de iniciar sesión en Dispatch",
            "La cuenta {email} se ha vinculado con el inicio de sesión del proveedor de su taller:",
            "Quien inicia sesión allí la inicia también en Dispatch. Si no fue usted, avise de \
             inmediato a un propietario de su taller.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_says_when_and_where_in_every_language_and_has_no_link() {
        let facts = NoticeFacts {
            at: 1_795_000_000_000,
            address: Some("192.0.2.7".to_owned()),
            browser: Some("Firefox on Windows".to_owned()),
            at_command_line: false,
        };
        let here = NoticeFacts {
            at_command_line: true,
            address: None,
            browser: None,
            ..facts.clone()
        };
        let zone = TimeZone::get("America/Chicago").unwrap();
        let mut subjects = Vec::new();
        for kind in NoticeKind::ALL {
            for (language, browser) in [
                ("en", "Firefox on Windows"),
                ("de", "Firefox auf Windows"),
                ("es", "Firefox en Windows"),
            ] {
                let both = [facts.clone(), here.clone()];
                let mail = notice_mail("1", "ann@example.com", kind, &both, language, &zone);
                let text = &mail.text;
                for detail in ["ann@example.com", "192.0.2.7", browser, "(America/Chicago)"] {
                    assert!(text.contains(detail), "{text}");
                }
                assert!(!text.contains("://") && !text.contains('{'), "{text}");
                subjects.push(mail.subject);
            }
        }
        subjects.sort();
        subjects.dedup();
        assert_eq!(subjects.len(), 15);
        let other = notice_mail(
            "1",
            "a@b.example",
            NoticeKind::NewDevice,
            &[facts],
            "fr",
            &zone,
        );
        assert_eq!(other.subject, "A new sign-in to Dispatch");
    }
}
