//! Two-factor authentication on real databases.

use std::time::Duration;

use jiff::Timestamp;
use totp_rs::{Builder, Secret};

use super::{ANN, PASSWORD, Shop, both_databases, browser, is_live, refused};
use crate::error::ApiError;
use crate::identity::{Caller, SignedIn};

impl Shop {
    async fn sign_in_with(&self, code: Option<&str>) -> Result<SignedIn, ApiError> {
        self.identity
            .sign_in(ANN, PASSWORD, code, &browser(1))
            .await
    }

    /// Ann with a second factor: its secret, and her recovery codes.
    async fn with_second_factor(&self) -> (Caller, String, Vec<String>) {
        let caller = self.ann().await;
        let setup = self.identity.begin_two_factor(&caller, PASSWORD).await;
        let secret = setup.unwrap().secret;
        let (codes, _) = self
            .identity
            .confirm_two_factor(&caller, &code(&secret, 0), &browser(1))
            .await
            .unwrap();
        (caller, secret, codes)
    }

    /// As if the last code had been used long ago.
    async fn much_later(&self) {
        self.sql("UPDATE two_factor SET last_step = 1").await;
    }
}

/// The code of so many steps from now.
fn code(secret: &str, steps: i64) -> String {
    let secret = Secret::try_from_base32(secret).unwrap();
    let totp = Builder::new().with_secret(secret).build().unwrap();
    let seconds = Timestamp::now().as_second() + steps * 30;
    totp.generate(seconds.try_into().unwrap()).to_string()
}

/// Codes do not grow older by a step for the next seconds.
async fn well_within_a_step() {
    let left = 30 - Timestamp::now().as_second().rem_euclid(30);
    if left < 10 {
        tokio::time::sleep(Duration::from_secs(left.unsigned_abs())).await;
    }
}

#[actix_web::test]
async fn a_second_factor_is_asked_for_from_its_confirmation_on() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let caller = shop.ann().await;
        assert_eq!(
            shop.identity.two_factor_of(&caller).await.unwrap(),
            (false, 0)
        );
        assert_eq!(
            refused(
                shop.identity
                    .confirm_two_factor(&caller, "123456", &browser(1))
                    .await
            ),
            (409, "two-factor-off")
        );
        assert_eq!(
            refused(
                shop.identity
                    .begin_two_factor(&caller, "wrong-password")
                    .await
            ),
            (400, "wrong-password")
        );
        let older = shop
            .identity
            .begin_two_factor(&caller, PASSWORD)
            .await
            .unwrap();
        let setup = shop
            .identity
            .begin_two_factor(&caller, PASSWORD)
            .await
            .unwrap();
        assert_ne!(older.secret, setup.secret);
        assert_eq!(
            setup.uri,
            format!(
                "otpauth://totp/Dispatch:ann%40example.com?secret={}&issuer=Dispatch",
                setup.secret
            )
        );
        shop.sign_in_with(None).await.unwrap();
        for wrong in [
            code(&older.secret, 0),
            code(&setup.secret, 10),
            String::new(),
        ] {
            assert_eq!(
                refused(
                    shop.identity
                        .confirm_two_factor(&caller, &wrong, &browser(1))
                        .await
                ),
                (400, "wrong-code")
            );
        }
        let right = code(&setup.secret, 0);
        let (codes, _) = shop
            .identity
            .confirm_two_factor(&caller, &right, &browser(1))
            .await
            .unwrap();
        assert_eq!(codes.len(), 10);
        assert_eq!(
            shop.identity.two_factor_of(&caller).await.unwrap(),
            (true, 10)
        );
        assert_eq!(
            refused(shop.identity.begin_two_factor(&caller, PASSWORD).await),
            (409, "two-factor-on")
        );
        assert_eq!(
            refused(
                shop.identity
                    .confirm_two_factor(&caller, &right, &browser(1))
                    .await
            ),
            (409, "two-factor-on")
        );
        assert_eq!(
            refused(shop.sign_in_with(None).await),
            (401, "second-factor-required")
        );
        assert_eq!(
            refused(shop.sign_in_with(Some(&right)).await),
            (401, "wrong-code")
        );
        shop.sign_in_with(Some(&code(&setup.secret, 1)))
            .await
            .unwrap();
    }
}

#[actix_web::test]
async fn a_code_is_good_once_and_for_a_step_before_and_after() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let (_, secret, _) = shop.with_second_factor().await;
        for steps in [-1, 0, 1] {
            shop.much_later().await;
            well_within_a_step().await;
            let code = code(&secret, steps);
            shop.sign_in_with(Some(&format!(" {} {} ", &code[..3], &code[3..])))
                .await
                .unwrap();
            assert_eq!(
                refused(shop.sign_in_with(Some(&code)).await),
                (401, "wrong-code")
            );
        }
        shop.much_later().await;
        for steps in [-3, 3] {
            let code = code(&secret, steps);
            assert_eq!(
                refused(shop.sign_in_with(Some(&code)).await),
                (401, "wrong-code")
            );
        }
    }
}

#[actix_web::test]
async fn one_of_two_simultaneous_uses_of_a_code_succeeds() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let (_, secret, codes) = shop.with_second_factor().await;
        shop.much_later().await;
        for code in [code(&secret, 0), codes[0].clone()] {
            let (one, other) = tokio::join!(
                shop.sign_in_with(Some(&code)),
                shop.sign_in_with(Some(&code))
            );
            assert_eq!(u8::from(one.is_ok()) + u8::from(other.is_ok()), 1);
        }
    }
}

#[actix_web::test]
async fn a_recovery_code_is_good_once_and_for_its_owner_alone() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let (caller, _, codes) = shop.with_second_factor().await;
        shop.sign_in_with(Some(&codes[3].to_uppercase()))
            .await
            .unwrap();
        assert_eq!(
            refused(shop.sign_in_with(Some(&codes[3])).await),
            (401, "wrong-code")
        );
        assert_eq!(
            shop.identity.two_factor_of(&caller).await.unwrap(),
            (true, 9)
        );
        shop.sql("DELETE FROM recovery_codes").await;
        assert_eq!(
            refused(shop.sign_in_with(Some(&codes[4])).await),
            (401, "wrong-code")
        );
    }
}

#[actix_web::test]
async fn guessing_codes_is_stopped() {
    let shop = Shop::new().await;
    let (_, secret, codes) = shop.with_second_factor().await;
    shop.much_later().await;
    for _ in 0..5 {
        assert_eq!(
            refused(shop.sign_in_with(Some("000000")).await),
            (401, "wrong-code")
        );
    }
    for code in [code(&secret, 0), codes[0].clone()] {
        assert_eq!(
            refused(shop.sign_in_with(Some(&code)).await),
            (429, "too-many-requests")
        );
    }
    assert_eq!(
        refused(shop.sign_in_with(None).await),
        (401, "second-factor-required")
    );
}

#[actix_web::test]
async fn turning_the_second_factor_on_ends_sign_ins_that_are_under_way() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let identity = &shop.identity;
        let here = browser(2);
        let checked = identity.check_credentials(ANN, PASSWORD, None, &here).await;
        let verified = checked.unwrap();
        let (_, _, codes) = shop.with_second_factor().await;
        assert_eq!(
            refused(identity.begin(verified, &here).await),
            (401, "second-factor-required")
        );
        let code = Some(codes[0].as_str());
        let checked = identity.check_credentials(ANN, PASSWORD, code, &here).await;
        identity.begin(checked.unwrap(), &here).await.unwrap();
    }
}

#[actix_web::test]
async fn the_second_factor_is_turned_off_with_password_and_code_or_by_the_operator() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let (caller, _, codes) = shop.with_second_factor().await;
        let end = async |password, code| {
            shop.identity
                .end_two_factor(&caller, password, code, &browser(1))
                .await
        };
        assert_eq!(
            refused(end("wrong-password", &codes[0]).await),
            (400, "wrong-password")
        );
        assert_eq!(refused(end(PASSWORD, "000000").await), (400, "wrong-code"));
        end(PASSWORD, &codes[0]).await.unwrap();
        assert_eq!(
            refused(end(PASSWORD, &codes[1]).await),
            (409, "two-factor-off")
        );
        assert_eq!(
            shop.identity.two_factor_of(&caller).await.unwrap(),
            (false, 0)
        );
        shop.sign_in_with(None).await.unwrap();

        let (caller, ..) = shop.with_second_factor().await;
        shop.identity.reset_two_factor(ANN).await.unwrap();
        assert!(!is_live(&shop.identity, &caller.session_id).await);
        shop.sign_in_with(None).await.unwrap();
        assert_eq!(
            refused(shop.identity.reset_two_factor(ANN).await),
            (409, "two-factor-off")
        );
        assert_eq!(
            refused(shop.identity.reset_two_factor("eve@example.com").await),
            (404, "unknown-user")
        );
    }
}

#[actix_web::test]
async fn a_second_factor_stays_where_the_sessions_it_protects_cannot_be_ended() {
    let shop = Shop::new().await;
    let (caller, ..) = shop.with_second_factor().await;
    shop.sql("ALTER TABLE sign_in_sessions RENAME TO out_of_reach")
        .await;
    assert_eq!(
        refused(shop.identity.reset_two_factor(ANN).await),
        (503, "unavailable")
    );
    shop.sql("ALTER TABLE out_of_reach RENAME TO sign_in_sessions")
        .await;
    shop.identity.reset_two_factor(ANN).await.unwrap();
    assert!(!is_live(&shop.identity, &caller.session_id).await);
}
