//! The first owner of a shop: whoever has the set-up link, while there is no account.

use std::net::IpAddr;
use std::time::Duration;

use jiff::tz::TimeZone;

use crate::audit::{self, Actor, AuditEvent, AuditKind};
use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorCode};
use crate::identity::passwords::PasswordHash;
use crate::identity::passwords::hash_queue::Requester;
use crate::identity::{Client, Email, Identity, SignedIn, accounts, passwords};
use crate::limits;
use crate::shop_settings::{KeptSettings, ShopSettings};
use crate::staff::{Role, StaffDocuments, StaffPatch};

/// How soon a server knows of an account that the command line has made.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// What other servers hear when somebody was made the owner.
const TOPIC: &str = "first-owner";

/// What somebody types on the set-up page.
pub(super) struct SetUpForm {
    pub(super) token: String,
    pub(super) email: String,
    pub(super) name: String,
    pub(super) password: String,
    pub(super) shop_name: Option<String>,
    pub(super) time_zone: Option<String>,
}

/// The same, looked through.
struct FirstOwner {
    email: Email,
    name: String,
    password: PasswordHash,
    settings: KeptSettings,
}

impl Identity {
    /// Gives the token of a set-up link; none where there is an account.
    pub async fn offer_set_up(&self, shop: &ShopSettings) -> Result<Option<String>, ApiError> {
        if self.count_accounts().await? > 0 {
            return Ok(None);
        }
        shop.set_awaits_set_up(true);
        Ok(Some(self.inner.set_up.issue()))
    }

    /// Ends the link when somebody made an account by another way: the command line, or another server on the same
    /// database.
    pub async fn follow_set_up(self, shop: ShopSettings) {
        let links = self.inner.set_up.follow_other_servers();
        let mut elsewhere = self.inner.store.others().listen(TOPIC);
        let until_set_up = async {
            while self.inner.set_up.is_open() {
                tokio::select! {
                    () = tokio::time::sleep(LOOK_INTERVAL) => {}
                    _ = elsewhere.changed() => {}
                }
                // A database that does not answer is asked again; the link asks it itself, too.
                if self
                    .count_accounts()
                    .await
                    .is_ok_and(|accounts| accounts > 0)
                {
                    self.end_set_up(&shop).await;
                }
            }
        };
        tokio::select! {
            () = until_set_up => {}
            () = links => {}
        }
    }

    async fn end_set_up(&self, shop: &ShopSettings) {
        let was_open = self.inner.set_up.is_open();
        self.inner.set_up.end();
        shop.set_awaits_set_up(false);
        if let Err(error) = shop.reload(&self.inner.store).await {
            tracing::error!(%error, "the shop's name and time zone could not be read; a restart reads them");
        }
        if was_open {
            tracing::info!("there is an account now, so the set-up link has ended");
        }
    }

    /// Whether this link is good. 400 `invalid-link`, 409 `already-set-up`, 429 `too-many-requests`.
    pub(super) async fn check_set_up_link(
        &self,
        shop: &ShopSettings,
        token: &str,
        client: &Client,
    ) -> Result<(), ApiError> {
        let checked = self.require_set_up_link(shop, token, client.address).await;
        self.note_refused_set_up(checked)
    }

    /// Makes the owner and signs them in. As [`Self::check_set_up_link`], besides 400 `invalid-email`,
    /// `invalid-request`, `weak-password` and `common-password`, which leave the link as it is.
    pub(super) async fn set_up(
        &self,
        shop: &ShopSettings,
        form: SetUpForm,
        client: &Client,
    ) -> Result<SignedIn, ApiError> {
        self.check_set_up_link(shop, &form.token, client).await?;
        let (email, password) = (form.email.clone(), form.password.clone());
        let owner = self.first_owner(shop, form).await?;
        let (identity, shop) = (self.clone(), shop.clone());
        let made = run_detached(async move { identity.make_first_owner(&shop, owner).await }).await;
        self.note_refused_set_up(made)?;
        self.sign_in(&email, &password, None, client).await
    }

    /// The right link is checked before anything is counted: whoever has it waits for nobody's guesses.
    async fn require_set_up_link(
        &self,
        shop: &ShopSettings,
        token: &str,
        address: IpAddr,
    ) -> Result<(), ApiError> {
        let link = &self.inner.set_up;
        if !link.is_open() {
            return Err(already_set_up());
        }
        if !link.matches(token) {
            self.inner.attempts.count_set_up(address)?;
            return Err(wrong_link());
        }
        if self.count_accounts().await? > 0 {
            self.end_set_up(shop).await;
            return Err(already_set_up());
        }
        Ok(())
    }

    fn note_refused_set_up(&self, outcome: Result<(), ApiError>) -> Result<(), ApiError> {
        if let Err(refused) = &outcome
            && !refused.status.is_server_error()
        {
            let event = AuditEvent::refused(AuditKind::SetUp, refused.code);
            self.inner.audit.attempt(event);
        }
        outcome
    }

    async fn first_owner(
        &self,
        shop: &ShopSettings,
        form: SetUpForm,
    ) -> Result<FirstOwner, ApiError> {
        let email = Email::parse_new(&form.email)?;
        let name = limits::short_text("Your name", &form.name)?;
        let settings = settings_of(shop, form.shop_name, form.time_zone)?;
        let policy = self.inner.provider.policy().await?;
        policy.allow(&form.password, &[email.as_str(), &name])?;
        let requester = Requester::account(email.as_str());
        let password = passwords::hash_for(requester, form.password).await?;
        Ok(FirstOwner {
            email,
            name,
            password,
            settings,
        })
    }

    /// All or nothing, and once: whoever comes second, at this server or at another one, finds the account of the
    /// first.
    async fn make_first_owner(
        &self,
        shop: &ShopSettings,
        owner: FirstOwner,
    ) -> Result<(), ApiError> {
        let FirstOwner {
            email,
            name,
            password,
            settings,
        } = owner;
        let store = &self.inner.store;
        let mut last_seen = self.lock_user_changes().await?;
        let transaction = store.begin_exclusive("accounts").await?;
        if accounts::count(&transaction).await? > 0 {
            drop(transaction);
            self.end_set_up(shop).await;
            return Err(already_set_up());
        }
        let uid = accounts::add(&transaction, &email, Some(&password)).await?;
        audit::act_as(Actor::person(&uid, email.as_str()));
        let document = StaffPatch {
            email: Some(email.as_str().to_owned()),
            name: Some(name),
            roles: Some(vec![Role::Owner]),
            invited: Some(false),
            ..StaffPatch::default()
        };
        let mut recorded =
            StaffDocuments::merge_within(&transaction, email.as_str(), document).await?;
        settings.write(&transaction).await?;
        let event = AuditEvent::done(AuditKind::SetUp)
            .about(&uid, email.as_str())
            .with_detail("by the set-up link");
        recorded.push(audit::record(&transaction, event).await?);
        transaction.notify_other_servers(TOPIC, "").await?;
        transaction.commit().await?;
        audit::announce_all(recorded);
        self.end_set_up(shop).await;
        self.refresh_rights(&mut last_seen, &[email.as_str()], None)
            .await
    }
}

/// What an option says is not asked for, and is not kept.
fn settings_of(
    shop: &ShopSettings,
    name: Option<String>,
    time_zone: Option<String>,
) -> Result<KeptSettings, ApiError> {
    let of_options = shop.of_options();
    let mut settings = KeptSettings::default();
    if of_options.name.is_none() {
        let name = name.unwrap_or_default();
        settings.name = Some(limits::short_text("The shop's name", &name)?);
    }
    if of_options.time_zone.is_none() {
        settings.time_zone = Some(time_zone_named(&time_zone.unwrap_or_default())?);
    }
    Ok(settings)
}

fn time_zone_named(name: &str) -> Result<TimeZone, ApiError> {
    let zone = TimeZone::get(name.trim()).ok();
    zone.filter(|zone| zone.iana_name().is_some())
        .ok_or_else(|| {
            let name = crate::text::quotable(name);
            ApiError::invalid(format!(
                "The server knows no time zone {name}: use a name such as America/Chicago"
            ))
        })
}

fn wrong_link() -> ApiError {
    ApiError::new(
        ErrorCode::InvalidLink,
        "This set-up link is not the server's: each start makes a new one and ends the one before. Take the newest \
         from the server's output or its log",
    )
}

fn already_set_up() -> ApiError {
    ApiError::new(
        ErrorCode::AlreadySetUp,
        "This server is set up already, so the link has ended: sign in, or ask an owner for an invitation",
    )
}
