//! Accounts and sessions on real databases; the calls are in `calls`.

mod calls;
mod links;
mod second_factor;
mod sessions;

use std::net::Ipv4Addr;
use std::sync::Arc;

use actix_web::http::StatusCode;
use dispatch_actors::store::Store;
use dispatch_actors::testing::Throwaway;
use sea_orm::{ConnectionTrait, Statement};
use tempfile::TempDir;
use tokio::sync::broadcast::error::TryRecvError;

use super::users::rights::OWNERS_LOCK;
use super::{
    Caller, Client, Embedded, Identity, MailDelivery, MailQueue, PasswordPolicy, SignedIn,
    passwords,
};
use crate::error::ApiError;
use crate::mail::Mailer;
use crate::staff::{Permission, Role, StaffDocuments, StaffPatch};

const ANN: &str = "ann@example.com";
const PASSWORD: &str = "right-password";

struct Shop {
    database: Throwaway,
    store: Store,
    identity: Identity,
    mails: MailQueue,
    /// Where mails arrive.
    mail: TempDir,
}

/// With the embedded provider and our own staff collection.
async fn open(store: &Store) -> Identity {
    open_at(store, false).await
}

async fn open_at(store: &Store, secure_cookie: bool) -> Identity {
    open_with(store, secure_cookie, MailQueue::new(store.clone())).await
}

async fn open_with(store: &Store, secure_cookie: bool, mails: MailQueue) -> Identity {
    let policy = PasswordPolicy {
        min_length: 6,
        max_length: 1_000,
        refuses_common: true,
    };
    let provider = Embedded::new(store.clone(), policy, mails);
    let staff = StaffDocuments::new(store.clone());
    Identity::open(
        store.clone(),
        Arc::new(provider),
        Arc::new(staff),
        secure_cookie,
    )
    .await
    .unwrap()
}

impl Shop {
    async fn new() -> Self {
        Self::on(Throwaway::sqlite()).await
    }

    /// With Ann, an advisor.
    async fn on(database: Throwaway) -> Self {
        let store = database.store().await;
        let mail = tempfile::tempdir().unwrap();
        let mails = MailQueue::new(store.clone());
        let mailer = Mailer::to_folder(mail.path().into());
        let delivery = MailDelivery::new(mails.clone(), mailer, Arc::from("http://127.0.0.1"));
        tokio::spawn(delivery.run(std::future::pending()));
        let identity = open_with(&store, false, mails.clone()).await;
        let hash = passwords::hash(PASSWORD.to_owned()).await.unwrap();
        identity
            .add_user_with_hash(ANN, " Ann Bell ", &[Role::Advisor], None, &hash)
            .await
            .unwrap();
        Self {
            database,
            store,
            identity,
            mails,
            mail,
        }
    }

    async fn sign_in(&self) -> SignedIn {
        sign_in(&self.identity, ANN, PASSWORD).await.unwrap()
    }

    async fn sql(&self, statement: &str) {
        let writer = self.store.writer();
        writer.execute_unprepared(statement).await.unwrap();
    }

    /// How many rows a query finds.
    async fn count(&self, query: &str) -> usize {
        let reader = self.store.reader();
        let query = Statement::from_string(reader.get_database_backend(), query);
        reader.query_all_raw(query).await.unwrap().len()
    }

    /// Ann, by a token of hers.
    async fn ann(&self) -> Caller {
        let signed_in = self.sign_in().await;
        self.identity
            .authenticate(&signed_in.id_token)
            .await
            .unwrap()
    }
}

/// A browser at an address of its own.
fn browser(last: u8) -> Client {
    Client {
        user_agent: Some("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0".to_owned()),
        address: Ipv4Addr::new(192, 0, 2, last).into(),
        device: None,
    }
}

async fn sign_in(identity: &Identity, email: &str, password: &str) -> Result<SignedIn, ApiError> {
    identity.sign_in(email, password, None, &browser(1)).await
}

async fn refresh(identity: &Identity, refresh_token: &str) -> Result<SignedIn, ApiError> {
    identity.refresh(refresh_token, &browser(1)).await
}

/// Whether a session goes on, according to the database.
async fn is_live(identity: &Identity, session: &str) -> bool {
    let session_ids = [session.to_owned()];
    identity.ended_of(&session_ids).await.unwrap().is_empty()
}

async fn both_databases() -> [Throwaway; 2] {
    [Throwaway::sqlite(), Throwaway::postgres().await]
}

fn refused<T>(result: Result<T, ApiError>) -> (u16, &'static str) {
    let error = result.err().unwrap();
    (error.status.as_u16(), error.code.as_str())
}

#[actix_web::test]
async fn a_signed_in_person_is_who_they_are() {
    let shop = Shop::new().await;
    let signed_in = sign_in(&shop.identity, " ANN@example.com ", PASSWORD)
        .await
        .unwrap();
    assert_eq!(signed_in.expires_in, 3_600);
    assert_eq!(signed_in.user.name, "Ann Bell");
    assert_eq!(
        signed_in.user.permissions,
        crate::staff::permissions_of(&[Role::Advisor])
    );
    let caller = shop
        .identity
        .authenticate(&signed_in.id_token)
        .await
        .unwrap();
    assert_eq!(caller.uid, signed_in.user.uid);
    assert_eq!(caller.session_id, signed_in.session);
    assert_eq!(caller.roles, [Role::Advisor]);
}

#[actix_web::test]
async fn an_unknown_email_gets_the_answer_of_a_wrong_password() {
    let shop = Shop::new().await;
    let wrong = sign_in(&shop.identity, ANN, "wrong-password")
        .await
        .err()
        .unwrap();
    for (email, password) in [
        ("bob@example.com", PASSWORD),
        ("not an email", PASSWORD),
        (ANN, ""),
        ("", ""),
    ] {
        let other = sign_in(&shop.identity, email, password)
            .await
            .err()
            .unwrap();
        assert_eq!(
            (other.status, other.code, &other.error),
            (wrong.status, wrong.code, &wrong.error)
        );
    }
    assert_eq!(
        (wrong.status, wrong.code.as_str()),
        (StatusCode::UNAUTHORIZED, "wrong-password")
    );
}

#[actix_web::test]
async fn a_refresh_goes_on_with_the_same_session() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let first = shop.sign_in().await;
        let second = refresh(&shop.identity, &first.refresh_token).await.unwrap();
        assert_eq!(second.session, first.session);
        assert_ne!(second.refresh_token, first.refresh_token);
        assert_eq!(
            refused(refresh(&shop.identity, "made up").await),
            (401, "unauthorized")
        );
    }
}

#[actix_web::test]
async fn signing_out_ends_and_announces_that_session_alone() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let (here, there) = (shop.sign_in().await, shop.sign_in().await);
        shop.identity.authenticate(&here.id_token).await.unwrap();
        let mut ended = shop.identity.ended();
        shop.identity.sign_out(&here.refresh_token).await.unwrap();
        shop.identity.sign_out(&here.refresh_token).await.unwrap();
        assert_eq!(ended.try_recv(), Ok(Arc::from(here.session.as_str())));
        assert_eq!(ended.try_recv(), Err(TryRecvError::Empty));
        assert_eq!(
            refused(shop.identity.authenticate(&here.id_token).await),
            (401, "unauthorized")
        );
        assert_eq!(
            refused(refresh(&shop.identity, &here.refresh_token).await),
            (401, "unauthorized")
        );
        assert!(!is_live(&shop.identity, &here.session).await);
        assert!(is_live(&shop.identity, &there.session).await);
        shop.identity.authenticate(&there.id_token).await.unwrap();
    }
}

#[actix_web::test]
async fn taking_a_role_away_ends_and_announces_the_sessions() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let (first, second) = (shop.sign_in().await, shop.sign_in().await);
        shop.identity.authenticate(&first.id_token).await.unwrap();
        let mut ended = shop.identity.ended();
        shop.identity.set_roles(ANN, &[Role::Admin]).await.unwrap();
        let mut ended_sessions = [ended.try_recv().unwrap(), ended.try_recv().unwrap()];
        let mut expected = [
            Arc::from(first.session.as_str()),
            Arc::from(second.session.as_str()),
        ];
        ended_sessions.sort();
        expected.sort();
        assert_eq!(ended_sessions, expected);
        for session in [first, second] {
            assert_eq!(
                refused(shop.identity.authenticate(&session.id_token).await),
                (401, "unauthorized")
            );
        }
        assert_eq!(shop.sign_in().await.user.roles, [Role::Admin]);
    }
}

#[actix_web::test]
async fn adding_a_role_ends_nothing_and_counts_at_once() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let signed_in = shop.sign_in().await;
        shop.identity
            .authenticate(&signed_in.id_token)
            .await
            .unwrap();
        let mut ended = shop.identity.ended();
        shop.identity
            .set_roles(ANN, &[Role::Owner, Role::Advisor, Role::Owner])
            .await
            .unwrap();
        assert_eq!(ended.try_recv(), Err(TryRecvError::Empty));
        let caller = shop
            .identity
            .authenticate(&signed_in.id_token)
            .await
            .unwrap();
        assert_eq!(caller.roles, [Role::Advisor, Role::Owner]);
        assert!(caller.may(Permission::ManageUsers));
    }
}

#[actix_web::test]
async fn every_role_can_be_taken_away() {
    let shop = Shop::new().await;
    shop.identity.set_roles(ANN, &[]).await.unwrap();
    assert_eq!(
        refused(sign_in(&shop.identity, ANN, PASSWORD).await),
        (403, "no-role")
    );
}

#[actix_web::test]
async fn a_removed_user_is_out_at_once_and_can_be_added_again() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let signed_in = shop.sign_in().await;
        shop.identity
            .authenticate(&signed_in.id_token)
            .await
            .unwrap();
        let mut ended = shop.identity.ended();
        shop.identity.remove_user(ANN).await.unwrap();
        assert_eq!(ended.try_recv(), Ok(Arc::from(signed_in.session.as_str())));
        assert_eq!(
            refused(shop.identity.authenticate(&signed_in.id_token).await),
            (401, "unauthorized")
        );
        assert_eq!(
            refused(sign_in(&shop.identity, ANN, PASSWORD).await),
            (401, "wrong-password")
        );
        assert_eq!(
            refused(shop.identity.remove_user(ANN).await),
            (404, "unknown-user")
        );
        assert_eq!(
            refused(shop.identity.set_roles(ANN, &[Role::Owner]).await),
            (404, "unknown-user")
        );
        assert_eq!(shop.identity.count_accounts().await.unwrap(), 0);
        shop.identity
            .add_user(ANN, "Ann", &[Role::Technician], Some(7), PASSWORD)
            .await
            .unwrap();
        assert_eq!(shop.sign_in().await.user.technician_id, Some(7));
    }
}

#[actix_web::test]
async fn an_email_has_one_account() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let again = shop
            .identity
            .add_user(
                "Ann@Example.com",
                "Other Ann",
                &[Role::Owner],
                None,
                PASSWORD,
            )
            .await;
        assert_eq!(refused(again), (409, "email-already-in-use"));
        assert_eq!(shop.sign_in().await.user.roles, [Role::Advisor]);
        assert!(shop.identity.has_account("ANN@example.com").await.unwrap());
        assert_eq!(shop.identity.count_accounts().await.unwrap(), 1);
    }
}

#[actix_web::test]
async fn a_session_that_has_run_out_is_over() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let signed_in = shop.sign_in().await;
        shop.sql("UPDATE sign_in_sessions SET expires_at = 1").await;
        assert_eq!(
            refused(shop.identity.authenticate(&signed_in.id_token).await),
            (401, "unauthorized")
        );
        assert_eq!(
            refused(refresh(&shop.identity, &signed_in.refresh_token).await),
            (401, "unauthorized")
        );
        assert!(!is_live(&shop.identity, &signed_in.session).await);
    }
}

#[actix_web::test]
async fn sessions_that_have_run_out_are_deleted_and_others_are_not() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let (expired, other) = (shop.sign_in().await, shop.sign_in().await);
        let expires = format!(
            "UPDATE sign_in_sessions SET expires_at = 1 WHERE id = '{}'",
            expired.session
        );
        shop.sql(&expires).await;
        shop.identity.sweep().await.unwrap();
        let kept = "SELECT 1 FROM sign_in_sessions";
        assert_eq!(shop.count(kept).await, 1);
        refresh(&shop.identity, &other.refresh_token).await.unwrap();
        let refused = refresh(&shop.identity, &expired.refresh_token).await;
        assert_eq!(
            refused.map(|_| ()).unwrap_err().status,
            StatusCode::UNAUTHORIZED
        );
    }
}

#[actix_web::test]
async fn tokens_outlive_a_restart() {
    let shop = Shop::new().await;
    let signed_in = shop.sign_in().await;
    let restarted = open(&shop.database.store().await).await;
    restarted.authenticate(&signed_in.id_token).await.unwrap();
    refresh(&restarted, &signed_in.refresh_token).await.unwrap();
}

#[actix_web::test]
async fn two_processes_that_start_at_once_agree_on_the_key() {
    for database in both_databases().await {
        let (one, other) = (database.store().await, database.store().await);
        let (one, other) = tokio::join!(open(&one), open(&other));
        one.add_user(ANN, "Ann", &[Role::Owner], None, PASSWORD)
            .await
            .unwrap();
        let signed_in = sign_in(&one, ANN, PASSWORD).await.unwrap();
        other.authenticate(&signed_in.id_token).await.unwrap();
    }
}

#[actix_web::test]
async fn a_token_of_another_shop_is_refused() {
    let (here, there) = (Shop::new().await, Shop::new().await);
    let foreign = there.sign_in().await;
    assert_eq!(
        refused(here.identity.authenticate(&foreign.id_token).await),
        (401, "unauthorized")
    );
}

/// Firebase's published example.
const IMPORTED: (&str, &str) = (
    "user1password",
    "$firebase-scrypt$m=14,r=8$42xEC+ixf3L2lw$Bw$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ",
);

#[actix_web::test]
async fn an_imported_hash_is_good_for_one_sign_in_and_then_replaced_by_ours() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let (password, kept) = IMPORTED;
        let email = super::Email::parse("moved@example.com").unwrap();
        shop.identity
            .import_account("their-uid", &email, Some(kept))
            .await
            .unwrap();
        let roles = [Role::Advisor];
        let staff = shop.identity.set_roles(email.as_str(), &roles).await;
        staff.unwrap();
        let sign_in = async |password: &str| {
            let signed_in = sign_in(&shop.identity, email.as_str(), password).await;
            signed_in.map(|signed_in| signed_in.user.uid)
        };
        assert_eq!(refused(sign_in("user1passwore").await).1, "wrong-password");
        let kept_now = async || {
            let reader = shop.store.reader();
            let account = super::accounts::by_uid(reader, "their-uid").await.unwrap();
            account.unwrap().password_hash
        };
        assert_eq!(kept_now().await, kept);
        assert_eq!(sign_in(password).await.unwrap(), "their-uid");
        assert!(kept_now().await.starts_with("$argon2id$"));
        assert_eq!(sign_in(password).await.unwrap(), "their-uid");
        assert_eq!(refused(sign_in("user1passwore").await).1, "wrong-password");
    }
}

#[actix_web::test]
async fn of_servers_that_take_the_role_owner_from_somebody_one_does_so_at_a_time() {
    let shop = Shop::on(Throwaway::postgres().await).await;
    let hash = passwords::hash(PASSWORD.to_owned()).await.unwrap();
    for email in ["olga@example.com", "otto@example.com"] {
        shop.identity
            .add_user_with_hash(email, "Owner", &[Role::Owner], None, &hash)
            .await
            .unwrap();
    }
    let signed_in = sign_in(&shop.identity, "olga@example.com", PASSWORD).await;
    let id_token = signed_in.unwrap().id_token;
    let olga = shop.identity.authenticate(&id_token).await.unwrap();
    let demote = async || {
        let patch = StaffPatch {
            roles: Some(vec![Role::Advisor]),
            ..StaffPatch::default()
        };
        shop.identity
            .write_user(&olga, "otto@example.com", patch, false)
            .await
    };
    let elsewhere = shop.database.store().await;
    let lock = elsewhere.lock_among_servers(OWNERS_LOCK).await.unwrap();
    assert_eq!(refused(demote().await), (503, "unavailable"));
    lock.unwrap().rollback().await.unwrap();
    demote().await.unwrap();
}

#[actix_web::test]
async fn an_owner_who_takes_another_role_from_themselves_stays_signed_in_at_every_server() {
    for database in both_databases().await {
        let shop = Shop::on(database).await;
        let before = [Role::Owner, Role::Used];
        shop.identity.set_roles(ANN, &before).await.unwrap();
        let elsewhere = open(&shop.store).await;
        elsewhere.reload_staff(None).await.unwrap();
        let ann = shop.ann().await;
        let patch = StaffPatch {
            roles: Some(vec![Role::Owner]),
            ..StaffPatch::default()
        };
        let written = shop.identity.write_user(&ann, ANN, patch, false).await;
        assert_eq!(written.unwrap().roles(), [Role::Owner]);
        elsewhere.reload_staff(None).await.unwrap();
        assert!(is_live(&shop.identity, &ann.session_id).await);
        shop.sql("UPDATE staff_documents SET roles = '[]'").await;
        elsewhere.reload_staff(None).await.unwrap();
        assert!(!is_live(&shop.identity, &ann.session_id).await);
    }
}
