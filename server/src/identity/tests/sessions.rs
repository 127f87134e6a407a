//! Refresh tokens that are traded, and the sessions a person has.

use jiff::Timestamp;
use tokio::sync::broadcast::error::TryRecvError;

use super::{ANN, PASSWORD, Shop, both_databases, browser, is_live, refresh, refused, sign_in};
use crate::identity::sessions::{self, MAX_SESSIONS, SessionStart};
use crate::identity::sign_in::devices;
use crate::identity::{Caller, Client, DeviceRecognition, Email, passwords};
use crate::staff::Role;

/// Makes everything that was replaced so far older by so many seconds.
async fn later(shop: &Shop, seconds: i64) {
    let milliseconds = seconds * 1_000;
    shop.sql(&format!(
        "UPDATE refresh_tokens SET replaced_at = replaced_at - {milliseconds}"
    ))
    .await;
}

#[actix_web::test]
async fn the_previous_refresh_token_is_good_for_half_a_minute() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let first = shop.sign_in().await;
        let lost = refresh(&shop.identity, &first.refresh_token).await.unwrap();
        later(&shop, 29).await;
        let again = refresh(&shop.identity, &first.refresh_token).await.unwrap();
        assert_eq!(again.session, first.session);
        assert_ne!(again.refresh_token, lost.refresh_token);
        refresh(&shop.identity, &again.refresh_token).await.unwrap();
    }
}

#[actix_web::test]
async fn a_refresh_that_fails_at_somebody_elses_leaves_the_token_as_it_was() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let first = shop.sign_in().await;
        shop.sql("ALTER TABLE staff_documents RENAME TO out_of_reach")
            .await;
        assert_eq!(
            refused(refresh(&shop.identity, &first.refresh_token).await),
            (503, "unavailable")
        );
        shop.sql("ALTER TABLE out_of_reach RENAME TO staff_documents")
            .await;
        later(&shop, 3_600).await;
        let next = refresh(&shop.identity, &first.refresh_token).await.unwrap();
        assert_eq!(next.session, first.session);
    }
}

#[actix_web::test]
async fn two_tabs_refresh_at_once_and_both_go_on() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let first = shop.sign_in().await;
        let (one, other) = tokio::join!(
            refresh(&shop.identity, &first.refresh_token),
            refresh(&shop.identity, &first.refresh_token)
        );
        let (one, other) = (one.unwrap(), other.unwrap());
        for tab in [&one, &other] {
            shop.identity.authenticate(&tab.id_token).await.unwrap();
        }
        // The browser keeps one cookie of the two.
        let next = refresh(&shop.identity, &one.refresh_token).await.unwrap();
        later(&shop, 3_600).await;
        refresh(&shop.identity, &next.refresh_token).await.unwrap();
    }
}

#[actix_web::test]
async fn a_token_that_is_used_again_later_ends_the_whole_session() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let (stolen, elsewhere) = (shop.sign_in().await, shop.sign_in().await);
        let thief = refresh(&shop.identity, &stolen.refresh_token)
            .await
            .unwrap();
        later(&shop, 31).await;
        let mut ended = shop.identity.ended();
        assert_eq!(
            refused(refresh(&shop.identity, &stolen.refresh_token).await),
            (401, "unauthorized")
        );
        assert_eq!(&*ended.try_recv().unwrap(), stolen.session.as_str());
        assert_eq!(ended.try_recv(), Err(TryRecvError::Empty));
        assert_eq!(
            refused(refresh(&shop.identity, &thief.refresh_token).await),
            (401, "unauthorized")
        );
        assert_eq!(
            refused(shop.identity.authenticate(&thief.id_token).await),
            (401, "unauthorized")
        );
        assert!(is_live(&shop.identity, &elsewhere.session).await);
    }
}

#[actix_web::test]
async fn a_replaced_token_that_is_no_longer_stored_still_ends_the_session() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let first = shop.sign_in().await;
        let mut token = first.refresh_token.clone();
        for _ in 0..40 {
            let refreshed = refresh(&shop.identity, &token).await;
            token = refreshed.unwrap().refresh_token;
            later(&shop, 31).await;
        }
        // And the one that is good, and the one that was traded for it.
        let kept = shop.count("SELECT hash FROM refresh_tokens").await;
        assert!((20..=22).contains(&kept), "{kept}");
        assert!(is_live(&shop.identity, &first.session).await);
        assert_eq!(
            refused(refresh(&shop.identity, &first.refresh_token).await),
            (401, "unauthorized")
        );
        assert!(!is_live(&shop.identity, &first.session).await);
        let audit_query = "SELECT id FROM audit_events WHERE kind = 'refresh-token-reused'";
        assert_eq!(shop.count(audit_query).await, 1);
    }
}

#[actix_web::test]
async fn a_token_that_is_newer_than_the_database_is_not_taken_for_a_stolen_one() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let signed_in = shop.sign_in().await;
        shop.sql("CREATE TABLE backup AS SELECT * FROM refresh_tokens")
            .await;
        // The next millisecond has come when the clock says so.
        let started = Timestamp::now().as_millisecond();
        while Timestamp::now().as_millisecond() == started {
            tokio::task::yield_now().await;
        }
        let newer = refresh(&shop.identity, &signed_in.refresh_token)
            .await
            .unwrap();
        shop.sql("DELETE FROM refresh_tokens").await;
        shop.sql("INSERT INTO refresh_tokens SELECT * FROM backup")
            .await;
        assert_eq!(
            refused(refresh(&shop.identity, &newer.refresh_token).await),
            (401, "unauthorized")
        );
        assert!(!is_live(&shop.identity, &signed_in.session).await);
        let audit_query = "SELECT id FROM audit_events WHERE kind = 'refresh-token-reused'";
        assert_eq!(shop.count(audit_query).await, 0);
    }
}

#[actix_web::test]
async fn a_session_lasts_thirty_days_unused_and_ninety_at_most() {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let mut token = shop.sign_in().await.refresh_token;
        // A month at a time, used at its end.
        for goes_on in [true, true, true, false] {
            shop.sql(&format!(
                "UPDATE sign_in_sessions SET created_at = created_at - {}, expires_at = expires_at - {0}",
                30 * DAY - 60_000
            ))
            .await;
            later(&shop, 30 * 24 * 60 * 60).await;
            match refresh(&shop.identity, &token).await {
                Ok(signed_in) => {
                    assert!(goes_on);
                    token = signed_in.refresh_token;
                }
                Err(error) => assert!(!goes_on, "{error}"),
            }
        }
        let idle = shop.sign_in().await;
        shop.sql(&format!(
            "UPDATE sign_in_sessions SET expires_at = expires_at - {}",
            30 * DAY
        ))
        .await;
        assert_eq!(
            refused(refresh(&shop.identity, &idle.refresh_token).await),
            (401, "unauthorized")
        );
    }
}

#[actix_web::test]
async fn a_person_sees_their_own_sessions_and_ends_one() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let caller = shop.ann().await;
        let there = shop
            .identity
            .sign_in(ANN, PASSWORD, None, &browser(7))
            .await
            .unwrap();
        shop.identity
            .add_user("bob@example.com", "Bob", &[Role::Advisor], None, PASSWORD)
            .await
            .unwrap();
        let bob = sign_in(&shop.identity, "bob@example.com", PASSWORD)
            .await
            .unwrap();

        let sessions = shop.identity.sessions_of(&caller).await.unwrap();
        let addresses: Vec<_> = sessions
            .iter()
            .map(|session| (session.id.as_str(), session.address.as_deref().unwrap()))
            .collect();
        assert_eq!(addresses.len(), 2);
        assert!(addresses.contains(&(there.session.as_str(), "192.0.2.7")));
        assert!(addresses.contains(&(caller.session_id.as_str(), "192.0.2.1")));

        let mut ended = shop.identity.ended();
        for unknown in [bob.session.as_str(), "", "made-up"] {
            assert_eq!(
                refused(shop.identity.end_session_of(&caller, unknown).await),
                (404, "unknown-session")
            );
        }
        shop.identity
            .end_session_of(&caller, &there.session)
            .await
            .unwrap();
        assert_eq!(&*ended.try_recv().unwrap(), there.session.as_str());
        assert!(is_live(&shop.identity, &bob.session).await);

        shop.identity.sign_out_everywhere(&caller).await.unwrap();
        assert_eq!(&*ended.try_recv().unwrap(), caller.session_id.as_str());
        assert!(is_live(&shop.identity, &bob.session).await);
        assert!(shop.identity.sessions_of(&caller).await.unwrap().is_empty());
    }
}

#[actix_web::test]
async fn a_refresh_says_where_the_session_is_used_now() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let first = shop.sign_in().await;
        shop.identity
            .refresh(&first.refresh_token, &browser(9))
            .await
            .unwrap();
        let caller = shop.identity.authenticate(&first.id_token).await.unwrap();
        let sessions = shop.identity.sessions_of(&caller).await.unwrap();
        assert_eq!(sessions[0].address.as_deref(), Some("192.0.2.9"));
    }
}

#[actix_web::test]
async fn another_password_ends_all_sessions_but_the_one_it_is_changed_in() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let (here, there) = (shop.sign_in().await, shop.sign_in().await);
        let caller = shop.identity.authenticate(&here.id_token).await.unwrap();
        for (current, new, code) in [
            ("wrong-password", "another-password", "wrong-password"),
            (PASSWORD, "short", "weak-password"),
            (PASSWORD, "Password", "common-password"),
        ] {
            assert_eq!(
                refused(
                    shop.identity
                        .change_password(&caller, current, new, &browser(1))
                        .await
                ),
                (400, code)
            );
        }
        let mut ended = shop.identity.ended();
        shop.identity
            .change_password(&caller, PASSWORD, "pässword with spaces", &browser(1))
            .await
            .unwrap();
        assert_eq!(&*ended.try_recv().unwrap(), there.session.as_str());
        assert_eq!(ended.try_recv(), Err(TryRecvError::Empty));
        refresh(&shop.identity, &here.refresh_token).await.unwrap();
        assert_eq!(
            refused(sign_in(&shop.identity, ANN, PASSWORD).await),
            (401, "wrong-password")
        );
        sign_in(&shop.identity, ANN, "pässword with spaces")
            .await
            .unwrap();
    }
}

#[actix_web::test]
async fn a_refresh_fails_after_another_process_changed_the_password() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let signed_in = shop.sign_in().await;
        shop.sql("UPDATE accounts SET password_hash = 'another'")
            .await;
        assert_eq!(
            refused(refresh(&shop.identity, &signed_in.refresh_token).await),
            (401, "unauthorized")
        );
        assert!(!is_live(&shop.identity, &signed_in.session).await);
    }
}

#[actix_web::test]
async fn the_holder_is_not_locked_out_where_they_are_signed_in() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        shop.sign_in().await;
        let guess = async |last| {
            let guessed = shop
                .identity
                .sign_in(ANN, "wrong-password", None, &browser(last))
                .await;
            refused(guessed)
        };
        // However slow the machine is: tries come back meanwhile.
        let exhaust = async |network| {
            for _ in 0..100 {
                let refused = guess(network).await;
                if refused == (429, "too-many-requests") {
                    return;
                }
                assert_eq!(refused, (401, "wrong-password"));
            }
            panic!("network {network} is not stopped");
        };
        for network in 66..72 {
            exhaust(network).await;
        }
        sign_in(&shop.identity, ANN, PASSWORD).await.unwrap();
    }
}

/// A browser with what a sign-in or a password change set as its device cookie.
fn known_device(last: u8, device: &str) -> Client {
    Client {
        device: Some(device.to_owned()),
        ..browser(last)
    }
}

#[actix_web::test]
async fn a_device_is_known_until_the_password_changes() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let sign_in = async |client: &Client, password| {
            let signed_in = shop.identity.sign_in(ANN, password, None, client).await;
            signed_in.unwrap()
        };
        let first = sign_in(&browser(1), PASSWORD).await.device.unwrap();
        assert_eq!(first.recognition, DeviceRecognition::New);
        let again = sign_in(&known_device(2, &first.value), PASSWORD).await;
        let caller = shop.identity.authenticate(&again.id_token).await.unwrap();
        let again = again.device.unwrap();
        assert_eq!(
            (again.recognition, &again.value),
            (DeviceRecognition::Known, &first.value)
        );
        let made_up = sign_in(&known_device(3, &"A".repeat(first.value.len())), PASSWORD).await;
        assert_eq!(made_up.device.unwrap().recognition, DeviceRecognition::New);

        let client = known_device(2, &first.value);
        let changed = shop
            .identity
            .change_password(&caller, PASSWORD, "another-password", &client)
            .await
            .unwrap();
        assert_ne!(changed, first.value);
        for (value, recognition) in [
            (&first.value, DeviceRecognition::New),
            (&changed, DeviceRecognition::Known),
        ] {
            let after = sign_in(&known_device(2, value), "another-password").await;
            assert_eq!(after.device.unwrap().recognition, recognition);
        }
    }
}

#[actix_web::test]
async fn a_tablet_is_known_for_a_shop_of_sixty_and_forgets_who_signed_in_longest_ago() {
    let shop = Shop::new().await;
    let hash = passwords::hash(PASSWORD.to_owned()).await.unwrap();
    let mut people = Vec::new();
    for number in 0..65 {
        let email = format!("tech{number}@example.com");
        let added = shop
            .identity
            .add_user_with_hash(&email, "Tech", &[Role::Advisor], None, &hash)
            .await;
        people.push((added.unwrap(), Email::parse(&email).unwrap()));
    }
    let key = &shop.identity.inner.cookie_key;
    let remember = async |(uid, email): &(String, Email), tablet: Option<&str>| {
        let writer = shop.store.writer();
        let device = devices::remember(key, writer, (uid, email), tablet).await;
        device.unwrap()
    };
    let mut tablet = None;
    for person in &people[..64] {
        tablet = Some(remember(person, tablet.as_deref()).await.value);
    }
    for person in &people[..64] {
        let device = remember(person, tablet.as_deref()).await;
        assert_eq!(device.recognition, DeviceRecognition::Known);
        tablet = Some(device.value);
    }
    let tablet = remember(&people[64], tablet.as_deref()).await.value;
    // With its name and its attributes, and all else that is in an answer's headers.
    assert!(tablet.len() < 3_000, "{}", tablet.len());
    let longest_ago = remember(&people[0], Some(&tablet)).await;
    assert_eq!(longest_ago.recognition, DeviceRecognition::New);
    let next = remember(&people[1], Some(&tablet)).await;
    assert_eq!(next.recognition, DeviceRecognition::Known);
}

#[actix_web::test]
async fn the_least_recently_used_of_two_hundred_devices_is_forgotten() {
    let shop = Shop::new().await;
    let mut first = shop.sign_in().await;
    let (oldest, idle) = (first.device.take().unwrap(), browser(2));
    let idle = shop.identity.sign_in(ANN, PASSWORD, None, &idle).await;
    let idle = idle.unwrap().device.unwrap();
    let later = "UPDATE known_devices SET used_at = used_at - 1000";
    shop.sql(later).await;
    let client = known_device(1, &oldest.value);
    let refreshed = shop.identity.refresh(&first.refresh_token, &client).await;
    assert_eq!(refreshed.unwrap().device, None, "it keeps its cookie");
    let key = &shop.identity.inner.cookie_key;
    let email = Email::parse(ANN).unwrap();
    let uid = first.user.uid.as_str();
    for _ in 0..199 {
        let writer = shop.store.writer();
        let device = devices::remember(key, writer, (uid, &email), None).await;
        device.unwrap();
    }
    for (device, recognition) in [
        (&oldest.value, DeviceRecognition::Known),
        (&idle.value, DeviceRecognition::New),
    ] {
        let client = known_device(3, device);
        let signed_in = shop.identity.sign_in(ANN, PASSWORD, None, &client).await;
        let device = signed_in.unwrap().device.unwrap();
        assert_eq!(device.recognition, recognition);
    }
}

#[actix_web::test]
async fn a_browser_that_was_signed_in_before_there_were_devices_becomes_one() {
    let shop = Shop::new().await;
    let signed_in = shop.sign_in().await;
    let refreshed = refresh(&shop.identity, &signed_in.refresh_token).await;
    let refreshed = refreshed.unwrap();
    let device = refreshed.device.unwrap().value;
    let again = refresh(&shop.identity, &refreshed.refresh_token).await;
    let again = again.unwrap();
    assert_eq!(again.device.unwrap().value, device, "it dropped the cookie");
    let client = known_device(1, &device);
    let third = shop.identity.refresh(&again.refresh_token, &client).await;
    assert_eq!(third.unwrap().device, None);
    let signed_in = shop.identity.sign_in(ANN, PASSWORD, None, &client).await;
    let recognition = signed_in.unwrap().device.unwrap().recognition;
    assert_eq!(recognition, DeviceRecognition::Known);
}

#[actix_web::test]
async fn the_least_recently_used_of_a_hundred_sessions_is_ended() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let first = shop.sign_in().await;
        let second = shop.sign_in().await;
        shop.sql(&format!(
            "UPDATE sign_in_sessions SET last_used_at = last_used_at - 60000 WHERE id = '{}'",
            second.session
        ))
        .await;
        let mut ended = shop.identity.ended();
        for _ in 2..MAX_SESSIONS {
            shop.sign_in().await;
        }
        assert_eq!(ended.try_recv(), Err(TryRecvError::Empty));
        shop.sign_in().await;
        assert_eq!(ended.try_recv().as_deref(), Ok(second.session.as_str()));
        let outcome = refresh(&shop.identity, &second.refresh_token).await;
        assert_eq!(refused(outcome), (401, "unauthorized"));
        refresh(&shop.identity, &first.refresh_token).await.unwrap();
    }
}

#[actix_web::test]
async fn a_person_who_signs_in_is_no_longer_invited() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        shop.sql("UPDATE staff_documents SET invited = TRUE").await;
        shop.sign_in().await;
        assert!(!shop.identity.user(ANN).await.unwrap().invited);
    }
}

#[actix_web::test]
async fn a_new_password_is_set_only_when_earlier_sessions_end() {
    for cannot in [
        "CREATE TRIGGER cannot BEFORE DELETE ON sign_in_sessions BEGIN SELECT RAISE(ABORT, 'no'); END",
        "CREATE TRIGGER cannot BEFORE DELETE ON known_devices BEGIN SELECT RAISE(ABORT, 'no'); END",
    ] {
        let shop = Shop::new().await;
        let there = shop.sign_in().await;
        let caller = shop.ann().await;
        shop.sql(cannot).await;
        let change = async || {
            let here = browser(1);
            let changed =
                shop.identity
                    .change_password(&caller, PASSWORD, "another-password", &here);
            changed.await
        };
        assert_eq!(refused(change().await), (503, "unavailable"));
        shop.sign_in().await;
        assert!(is_live(&shop.identity, &there.session).await);
        shop.sql("DROP TRIGGER cannot").await;
        change().await.unwrap();
        assert!(!is_live(&shop.identity, &there.session).await);
        let again = sign_in(&shop.identity, ANN, PASSWORD).await;
        assert_eq!(refused(again), (401, "wrong-password"));
    }
}

#[actix_web::test]
async fn a_sign_in_is_announced_only_when_its_session_begins() {
    let shop = Shop::new().await;
    shop.sign_in().await;
    let outcomes = async |outcome: &str| {
        let notices = "SELECT id FROM mail_queue WHERE purpose = 'new-device'";
        let events =
            format!("SELECT id FROM audit_events WHERE kind = 'sign-in' AND outcome = '{outcome}'");
        (shop.count(notices).await, shop.count(&events).await)
    };
    assert_eq!(outcomes("done").await, (0, 1));
    // The password changes when the session is there already.
    shop.sql(
        "CREATE TRIGGER changes AFTER INSERT ON sign_in_sessions BEGIN \
         UPDATE accounts SET password_hash = 'another'; END",
    )
    .await;
    let elsewhere = async || {
        shop.identity
            .sign_in(ANN, PASSWORD, None, &browser(9))
            .await
    };
    assert_eq!(refused(elsewhere().await), (401, "unauthorized"));
    assert_eq!(outcomes("done").await, (0, 1));
}

#[actix_web::test]
async fn one_of_two_simultaneous_sign_ins_in_a_new_place_is_announced() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        shop.sign_in().await;
        let inner = &shop.identity.inner;
        let (store, key, place) = (&inner.store, &inner.cookie_key, browser(9));
        let email = Email::parse(ANN).unwrap();
        let verified = inner.provider.sign_in(&email, PASSWORD).await.unwrap();
        let start = async || match sessions::start(store, key, &verified, &place).await {
            Ok(SessionStart::Session { session, .. }) => session.id,
            _ => panic!("no session"),
        };
        let notices = async || {
            let notices = "SELECT id FROM mail_queue WHERE purpose = 'new-device'";
            shop.count(notices).await
        };
        // The process was killed before this one began.
        start().await;
        let both = [start().await, start().await];
        for session in both {
            let begun = sessions::activate(store, key, &verified, &session, &place).await;
            assert!(begun.unwrap().is_some());
            assert_eq!(notices().await, 1);
        }
        let expiry = Timestamp::now().as_millisecond() + 5 * 60 * 1_000;
        let kept = format!("SELECT id FROM sign_in_sessions WHERE expires_at > {expiry}");
        assert_eq!(shop.count(&kept).await, 3);
    }
}

#[actix_web::test]
async fn guesses_in_one_session_keep_nobody_from_another_password_in_another() {
    let shop = Shop::new().await;
    let (stolen, own) = (shop.ann().await, shop.ann().await);
    let change = async |caller: &Caller, current: &str| {
        let client = browser(1);
        let changed = shop
            .identity
            .change_password(caller, current, "another-password", &client);
        changed.await
    };
    // However slow the machine is: tries come back meanwhile.
    let mut guessed = refused(change(&stolen, "wrong-password").await);
    for _ in 0..100 {
        if guessed != (400, "wrong-password") {
            break;
        }
        guessed = refused(change(&stolen, "wrong-password").await);
    }
    assert_eq!(guessed, (429, "too-many-requests"));
    change(&own, PASSWORD).await.unwrap();
}
