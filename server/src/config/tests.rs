//! What a build without the hosted providers says of their options.

use super::*;

/// Every option of the hosted providers by itself.
fn hosted_options() -> [(&'static str, People); 7] {
    let emulator = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 9_099)));
    let text = || Some("given".to_owned());
    let none = People::default;
    [
        (
            "--identity firebase",
            People {
                identity: Some(IdentityName::Firebase),
                ..none()
            },
        ),
        (
            "--staff firestore",
            People {
                staff: Some(StaffName::Firestore),
                ..none()
            },
        ),
        (
            "--google-project",
            People {
                google_project: text(),
                ..none()
            },
        ),
        (
            "--google-credentials",
            People {
                google_credentials: Some(PathBuf::from("key.json")),
                ..none()
            },
        ),
        (
            "--firebase-api-key",
            People {
                firebase_api_key: text(),
                ..none()
            },
        ),
        (
            "--firebase-emulator",
            People {
                firebase_emulator: emulator,
                ..none()
            },
        ),
        (
            "--firestore-emulator",
            People {
                firestore_emulator: emulator,
                ..none()
            },
        ),
    ]
}

fn sentence(option: &str) -> String {
    format!(
        "this dispatch was built without the hosted providers: leave out {option}, or use a dispatch \
         built with its feature 'hosted', as it is by default"
    )
}

#[cfg(feature = "hosted")]
#[test]
fn a_build_with_the_hosted_providers_takes_their_options() {
    for (option, people) in hosted_options() {
        let config = WhoIsWho::merge(people, People::default()).unwrap();
        let refused = config.require_hosted(false).unwrap_err();
        assert_eq!(refused.to_string(), sentence(option));
    }
}

#[cfg(not(feature = "hosted"))]
#[test]
fn a_build_without_the_hosted_providers_refuses_their_options_and_says_what_to_do() {
    for (option, people) in hosted_options() {
        for (given, file) in [
            (people.clone(), People::default()),
            (People::default(), people),
        ] {
            let refused = WhoIsWho::merge(given, file).unwrap_err();
            assert_eq!(refused.to_string(), sentence(option));
        }
    }
}

#[test]
fn every_build_takes_the_embedded_providers() {
    let people = People {
        identity: Some(IdentityName::Embedded),
        staff: Some(StaffName::Embedded),
        ..People::default()
    };
    let config = WhoIsWho::merge(people, People::default()).unwrap();
    assert_eq!(config.require_hosted(false), Ok(()));
}
