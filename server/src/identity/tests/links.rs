//! Links sent by mail.

use std::path::PathBuf;
use std::time::Duration;

use super::{ANN, PASSWORD, Shop, both_databases, browser, is_live, refused, sign_in};
use crate::identity::account_mails::queued_mails;
use crate::identity::provider::LinkPurpose::{self, Invitation, PasswordReset};
use crate::identity::{Email, MailState};
use crate::staff::{Role, StaffPatch};

impl Shop {
    /// The text of the mail that is sent to Ann.
    async fn mail(&self, purpose: LinkPurpose, language: &str) -> String {
        let provider = &self.identity.inner.provider;
        let email = Email::parse(ANN).unwrap();
        match purpose {
            PasswordReset => provider.mail_reset(&email, language).await.unwrap(),
            Invitation => provider.invite(&email, language).await.unwrap(),
        }
        self.next_mail().await
    }

    /// Waits for a mail, and takes it out once what became of it is recorded.
    async fn next_mail(&self) -> String {
        let is_mail = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "eml");
        loop {
            let waiting =
                queued_mails::load_due_mails(self.store.reader(), Duration::ZERO, 1).await;
            let files = std::fs::read_dir(self.mail.path()).unwrap();
            let mut mails = files.map(|file| file.unwrap().path()).filter(is_mail);
            if let (true, Some(path)) = (waiting.unwrap().is_empty(), mails.next()) {
                let text = std::fs::read_to_string(&path).unwrap();
                std::fs::remove_file(path).unwrap();
                return text;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn link(&self, purpose: LinkPurpose) -> String {
        token(&self.mail(purpose, "en").await)
    }

    async fn confirm(&self, token: &str, password: &str) -> Result<String, crate::error::ApiError> {
        let client = browser(1);
        let confirmed = self.identity.confirm_link(token, password, &client);
        let (email, _) = confirmed.await?;
        Ok(email.as_str().to_owned())
    }
}

fn token(mail: &str) -> String {
    let (_, rest) = mail.split_once("#token=").unwrap();
    rest.split(['&', '\r', '\n', ' '])
        .next()
        .unwrap()
        .to_owned()
}

#[actix_web::test]
async fn a_link_sets_a_password_once_and_ends_earlier_sessions() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let signed_in = shop.sign_in().await;
        let mail = shop.mail(PasswordReset, "de").await;
        let token = token(&mail);
        assert!(mail.contains(&format!("\nhttp://127.0.0.1/reset-password#token={token}")));
        assert_eq!(token.len(), 43, "{token}");

        assert_eq!(
            refused(shop.confirm(&token, "short").await),
            (400, "weak-password")
        );
        assert_eq!(
            refused(shop.confirm(&token, "password").await),
            (400, "common-password")
        );
        let mut ended = shop.identity.ended();
        assert_eq!(shop.confirm(&token, "brand-new").await.unwrap(), ANN);
        assert_eq!(&*ended.try_recv().unwrap(), signed_in.session.as_str());
        assert!(!is_live(&shop.identity, &signed_in.session).await);
        assert_eq!(
            refused(shop.confirm(&token, "once-more").await),
            (400, "invalid-link")
        );
        assert_eq!(
            refused(sign_in(&shop.identity, ANN, PASSWORD).await),
            (401, "wrong-password")
        );
        sign_in(&shop.identity, ANN, "brand-new").await.unwrap();
    }
}

#[actix_web::test]
async fn one_of_two_simultaneous_uses_of_a_link_succeeds() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let token = shop.link(PasswordReset).await;
        let (one, other) = tokio::join!(
            shop.confirm(&token, "one-password"),
            shop.confirm(&token, "other-password")
        );
        assert_eq!(u8::from(one.is_ok()) + u8::from(other.is_ok()), 1);
        let refusal = one.err().or(other.err()).unwrap();
        assert_eq!(refusal.code.as_str(), "invalid-link");
    }
}

#[actix_web::test]
async fn a_newer_link_takes_the_older_ones_place() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let older = shop.link(PasswordReset).await;
        let newer = shop.link(PasswordReset).await;
        assert_eq!(
            refused(shop.confirm(&older, "brand-new").await),
            (400, "invalid-link")
        );
        shop.confirm(&newer, "brand-new").await.unwrap();
    }
}

#[actix_web::test]
async fn a_link_is_good_for_its_time() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        for (purpose, minutes) in [(PasswordReset, 60), (Invitation, 7 * 24 * 60)] {
            let token = shop.link(purpose).await;
            let pass = async |minutes: i64| {
                let milliseconds = minutes * 60_000;
                shop.sql(&format!(
                    "UPDATE mail_links SET expires_at = expires_at - {milliseconds}"
                ))
                .await;
            };
            pass(minutes - 1).await;
            assert_eq!(
                refused(shop.confirm(&token, "short").await),
                (400, "weak-password")
            );
            pass(1).await;
            assert_eq!(
                refused(shop.confirm(&token, "brand-new").await),
                (400, "expired-link")
            );
        }
        for unknown in ["", "made up", &"x".repeat(100_000)] {
            assert_eq!(
                refused(shop.confirm(unknown, "brand-new").await),
                (400, "invalid-link")
            );
        }
    }
}

#[actix_web::test]
async fn a_new_password_ends_every_link() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let caller = shop.ann().await;
        let links = [shop.link(PasswordReset).await, shop.link(Invitation).await];
        shop.identity
            .change_password(&caller, PASSWORD, "brand-new", &browser(1))
            .await
            .unwrap();
        for link in links {
            assert_eq!(
                refused(shop.confirm(&link, "even-newer").await),
                (400, "invalid-link")
            );
        }
    }
}

#[actix_web::test]
async fn an_invited_person_sets_a_password_and_is_no_longer_invited() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let inner = &shop.identity.inner;
        let bob = Email::parse("bob@example.com").unwrap();
        let document = StaffPatch {
            email: Some("bob@example.com".to_owned()),
            name: Some("Bob".to_owned()),
            roles: Some(vec![Role::Admin]),
            invited: Some(true),
            ..StaffPatch::default()
        };
        inner
            .staff
            .merge("bob@example.com", document)
            .await
            .unwrap();
        inner.provider.invite(&bob, "es").await.unwrap();
        for password in ["", "a guess", PASSWORD] {
            assert_eq!(
                refused(sign_in(&shop.identity, "bob@example.com", password).await),
                (401, "wrong-password")
            );
        }
        let mail = shop.next_mail().await;
        assert!(mail.contains("&invitation=1"), "{mail}");
        shop.confirm(&token(&mail), "bobs password").await.unwrap();
        let document = inner.staff.get("bob@example.com").await.unwrap().unwrap();
        assert!(!document.invited);
        assert_eq!(document.roles(), [Role::Admin]);
        sign_in(&shop.identity, "bob@example.com", "bobs password")
            .await
            .unwrap();
    }
}

#[actix_web::test]
async fn a_removed_account_takes_its_links_along() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let token = shop.link(PasswordReset).await;
        shop.identity.remove_user(ANN).await.unwrap();
        assert_eq!(
            refused(shop.confirm(&token, "brand-new").await),
            (400, "invalid-link")
        );
    }
}

#[actix_web::test]
async fn a_mails_status_is_kept_for_thirty_days() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        shop.link(Invitation).await;
        let pass = async |days: i64| {
            let milliseconds = days * 24 * 60 * 60_000;
            shop.sql(&format!(
                "UPDATE mail_queue SET tried_at = tried_at - {milliseconds}"
            ))
            .await;
            shop.identity.sweep().await.unwrap();
            shop.mails.invitation(ANN).await.unwrap()
        };
        let kept = pass(29).await.expect("it is kept");
        assert_eq!(kept.state, MailState::Sent);
        assert_eq!(pass(1).await, None);
    }
}
