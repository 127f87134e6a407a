//! What a build without the hosted providers says of their options.

use std::net::Ipv4Addr;

use super::*;

/// Every option of the hosted providers by itself.
fn hosted_options() -> [(&'static str, IdentityOptions); 7] {
    let emulator = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 9_099)));
    let text = || Some("given".to_owned());
    let none = IdentityOptions::default;
    [
        (
            "--identity firebase",
            IdentityOptions {
                identity: Some(IdentityName::Firebase),
                ..none()
            },
        ),
        (
            "--staff firestore",
            IdentityOptions {
                staff: Some(StaffName::Firestore),
                ..none()
            },
        ),
        (
            "--google-project",
            IdentityOptions {
                google_project: text(),
                ..none()
            },
        ),
        (
            "--google-credentials",
            IdentityOptions {
                google_credentials: Some(PathBuf::from("key.json")),
                ..none()
            },
        ),
        (
            "--firebase-api-key",
            IdentityOptions {
                firebase_api_key: text(),
                ..none()
            },
        ),
        (
            "--firebase-emulator",
            IdentityOptions {
                firebase_emulator: emulator,
                ..none()
            },
        ),
        (
            "--firestore-emulator",
            IdentityOptions {
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
    for (option, identity) in hosted_options() {
        let config = IdentityConfig::merge(identity, IdentityOptions::default()).unwrap();
        let refused = config.require_hosted(false).unwrap_err();
        assert_eq!(refused.to_string(), sentence(option));
    }
}

#[cfg(not(feature = "hosted"))]
#[test]
fn a_build_without_the_hosted_providers_refuses_their_options_and_says_what_to_do() {
    for (option, identity) in hosted_options() {
        for (args, file) in [
            (identity.clone(), IdentityOptions::default()),
            (IdentityOptions::default(), identity),
        ] {
            let refused = IdentityConfig::merge(args, file).unwrap_err();
            assert_eq!(refused.to_string(), sentence(option));
        }
    }
}

#[test]
fn every_build_takes_the_embedded_providers() {
    let identity = IdentityOptions {
        identity: Some(IdentityName::Embedded),
        staff: Some(StaffName::Embedded),
        ..IdentityOptions::default()
    };
    let config = IdentityConfig::merge(identity, IdentityOptions::default()).unwrap();
    assert_eq!(config.require_hosted(false), Ok(()));
}
