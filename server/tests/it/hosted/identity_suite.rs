//! What every identity provider does, wherever the accounts are.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use dispatch_server::identity::{Email, IdentityProvider, ProviderError};
use tokio::time::timeout;

use crate::fixture::WAIT_TIMEOUT;

const OLD: &str = "the old password";
const NEW: &str = "the new password";

/// A provider, and where its letters arrive.
#[async_trait]
pub trait Stage: Sync {
    fn provider(&self) -> &dyn IdentityProvider;

    /// What the links are made of that were mailed to somebody, the oldest first.
    async fn mailed_tokens(&self, email: &Email) -> Vec<String>;
}

/// Every test below, for the stage that an expression makes.
macro_rules! identity_suite {
    ($stage:expr) => {
        crate::hosted::identity_suite::identity_suite! { $stage;
            who_signed_up_signs_in_in_any_case_of_the_email
            a_wrong_password_and_an_unknown_email_are_the_same
            an_email_is_in_use_once
            a_weak_password_is_refused_with_the_rule
            a_mailed_link_sets_another_password_once
            an_invited_person_sets_their_first_password
            a_weak_password_does_not_use_a_link_up
            a_newer_link_or_none_at_all
            who_knows_the_password_changes_it
            a_session_goes_on_until_the_account_is_gone
            a_removed_account_is_out_and_its_email_free
            the_policy_says_how_long_a_password_must_be
        }
    };
    ($stage:expr; $($name:ident)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                crate::hosted::identity_suite::$name(&$stage.await).await;
            }
        )*
    };
}
pub(crate) use identity_suite;

fn somebody() -> Email {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Email::parse(&format!("somebody.{number}@shop.example")).unwrap()
}

/// With the old password.
async fn member(stage: &dyn Stage) -> (Email, String) {
    let email = somebody();
    let uid = stage.provider().sign_up(&email, Some(OLD)).await.unwrap();
    (email, uid)
}

/// The next link that is mailed to this person.
async fn link(
    stage: &dyn Stage,
    email: &Email,
    mailed: impl Future<Output = Result<(), ProviderError>>,
) -> String {
    let before = stage.mailed_tokens(email).await.len();
    mailed.await.unwrap();
    let comes = async {
        loop {
            match stage.mailed_tokens(email).await.into_iter().nth(before) {
                Some(token) => return token,
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    timeout(WAIT_TIMEOUT, comes).await.expect("a mail is sent")
}

async fn reset(stage: &dyn Stage, email: &Email) -> String {
    link(stage, email, stage.provider().mail_reset(email, "en")).await
}

async fn is_in(stage: &dyn Stage, email: &Email, password: &str) -> bool {
    match stage.provider().sign_in(email, password).await {
        Ok(verified) => {
            assert_eq!(&verified.email, email);
            true
        }
        Err(ProviderError::WrongPassword) => false,
        Err(other) => panic!("{other:?}"),
    }
}

pub async fn who_signed_up_signs_in_in_any_case_of_the_email(stage: &dyn Stage) {
    let (email, uid) = member(stage).await;
    let shouted = Email::parse(&email.as_str().to_uppercase()).unwrap();
    for email in [&email, &shouted] {
        let verified = stage.provider().sign_in(email, OLD).await.unwrap();
        assert_eq!(
            (verified.uid.as_str(), &verified.email),
            (uid.as_str(), email)
        );
    }
}

pub async fn a_wrong_password_and_an_unknown_email_are_the_same(stage: &dyn Stage) {
    let (email, _) = member(stage).await;
    let mut answers = Vec::new();
    for (email, password) in [
        (&email, NEW),
        (&email, ""),
        (&somebody(), OLD),
        (&somebody(), ""),
    ] {
        let refused = stage.provider().sign_in(email, password).await.unwrap_err();
        assert!(
            matches!(refused, ProviderError::WrongPassword),
            "{refused:?}"
        );
        answers.push(refused.to_string());
    }
    answers.dedup();
    assert_eq!(answers, ["The email or password is not correct"]);
}

pub async fn an_email_is_in_use_once(stage: &dyn Stage) {
    let (email, _) = member(stage).await;
    for password in [Some(NEW), None] {
        let refused = stage
            .provider()
            .sign_up(&email, password)
            .await
            .unwrap_err();
        assert!(matches!(refused, ProviderError::EmailInUse), "{refused:?}");
    }
    assert!(is_in(stage, &email, OLD).await);
}

pub async fn a_weak_password_is_refused_with_the_rule(stage: &dyn Stage) {
    let email = somebody();
    let refused = stage.provider().sign_up(&email, Some("12345")).await;
    let refused = refused.unwrap_err();
    assert!(
        matches!(refused, ProviderError::WeakPassword(_)),
        "{refused:?}"
    );
    assert_eq!(
        refused.to_string(),
        "The password needs at least 6 characters"
    );
    assert!(!is_in(stage, &email, "12345").await);
}

pub async fn a_mailed_link_sets_another_password_once(stage: &dyn Stage) {
    let (email, uid) = member(stage).await;
    let token = reset(stage, &email).await;
    assert!(is_in(stage, &email, OLD).await, "until it is used");
    let set = stage.provider().confirm_link(&token, NEW).await.unwrap();
    assert_eq!((set.verified.uid, &set.verified.email), (uid, &email));
    assert!(is_in(stage, &email, NEW).await);
    assert!(!is_in(stage, &email, OLD).await);

    let again = stage.provider().confirm_link(&token, OLD).await;
    let again = again.unwrap_err();
    assert!(matches!(again, ProviderError::InvalidLink), "{again:?}");
    assert!(is_in(stage, &email, NEW).await);
}

pub async fn an_invited_person_sets_their_first_password(stage: &dyn Stage) {
    let email = somebody();
    let uid = stage.provider().sign_up(&email, None).await.unwrap();
    assert!(!is_in(stage, &email, "").await);
    assert!(!is_in(stage, &email, NEW).await);
    let invited = async {
        stage.provider().invite(&email, "en").await?;
        stage.provider().mail_invitation(&email, "en").await
    };
    let token = link(stage, &email, invited).await;
    let set = stage.provider().confirm_link(&token, NEW).await.unwrap();
    assert_eq!(set.verified.uid, uid);
    assert!(is_in(stage, &email, NEW).await);
}

pub async fn a_weak_password_does_not_use_a_link_up(stage: &dyn Stage) {
    let (email, _) = member(stage).await;
    let token = reset(stage, &email).await;
    let weak = stage.provider().confirm_link(&token, "12345").await;
    let weak = weak.unwrap_err();
    assert!(matches!(weak, ProviderError::WeakPassword(_)), "{weak:?}");
    stage.provider().confirm_link(&token, NEW).await.unwrap();
}

pub async fn a_newer_link_or_none_at_all(stage: &dyn Stage) {
    let unknown = somebody();
    stage.provider().mail_reset(&unknown, "de").await.unwrap();
    let made_up = stage.provider().confirm_link("made-up", NEW).await;
    let made_up = made_up.unwrap_err();
    assert!(matches!(made_up, ProviderError::InvalidLink), "{made_up:?}");

    let (email, _) = member(stage).await;
    reset(stage, &email).await;
    let newer = reset(stage, &email).await;
    stage.provider().confirm_link(&newer, NEW).await.unwrap();
    assert!(stage.mailed_tokens(&unknown).await.is_empty());
}

pub async fn who_knows_the_password_changes_it(stage: &dyn Stage) {
    let (email, _) = member(stage).await;
    let change = async |current, new| {
        let changed = stage
            .provider()
            .change_password(&email, current, new, "a session");
        changed.await
    };
    let wrong = change(NEW, NEW).await.unwrap_err();
    assert!(matches!(wrong, ProviderError::WrongPassword), "{wrong:?}");
    let weak = change(OLD, "12345").await.unwrap_err();
    assert!(matches!(weak, ProviderError::WeakPassword(_)), "{weak:?}");
    assert!(is_in(stage, &email, OLD).await);
    change(OLD, NEW).await.unwrap();
    assert!(is_in(stage, &email, NEW).await);
    assert!(!is_in(stage, &email, OLD).await);
}

pub async fn a_session_goes_on_until_the_account_is_gone(stage: &dyn Stage) {
    let (email, uid) = member(stage).await;
    let provider = stage.provider();
    let mut grant = provider.sign_in(&email, OLD).await.unwrap().grant;
    for _ in 0..2 {
        grant = provider.check(&uid, grant.as_deref()).await.unwrap();
    }
    provider.check(&uid, None).await.unwrap();
    provider.delete(&uid).await.unwrap();
    for grant in [grant.as_deref(), None] {
        let ended = provider.check(&uid, grant).await.unwrap_err();
        assert!(matches!(ended, ProviderError::Ended), "{ended:?}");
    }
}

pub async fn a_removed_account_is_out_and_its_email_free(stage: &dyn Stage) {
    let (email, uid) = member(stage).await;
    stage.provider().delete(&uid).await.unwrap();
    assert!(!is_in(stage, &email, OLD).await);
    stage.provider().delete(&uid).await.unwrap();
    let again = stage.provider().sign_up(&email, Some(NEW)).await.unwrap();
    assert_ne!(again, uid);
    assert!(is_in(stage, &email, NEW).await);
}

pub async fn the_policy_says_how_long_a_password_must_be(stage: &dyn Stage) {
    let policy = stage.provider().policy().await.unwrap();
    assert_eq!(policy.min_length, 6);
    assert!(policy.max_length >= 64);
}
