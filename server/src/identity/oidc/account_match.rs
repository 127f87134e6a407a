//! Who somebody is here whom a provider vouches for: by the provider's own number for them, else by
//! an email that it has verified. Only who is on the staff gets in, or whom the provider gives a
//! role. An account that somebody may hold by other means than this email is theirs only after they
//! have shown those.

use jiff::Timestamp;

use super::pending_link::PendingLink;
use super::tokens::claims::Person;
use super::{OidcRefusal, links, plain};
use crate::change_request::run_detached;
use crate::error::ApiError;
use crate::identity::accounts::{self, Account};
use crate::identity::email::Email;
use crate::identity::provider::Verified;
use crate::identity::{Client, Identity, ProviderError, SignedIn, two_factor};
use crate::staff::{Role, StaffDocument, StaffPatch};

/// Who came back.
pub(super) enum AccountMatch {
    Linked(Verified),
    /// It is an account's email, whose password and second factor come first.
    NeedsPassword(Person),
}

impl Identity {
    /// The account of a person; made, with its staff document, where it is their first time here.
    /// What the provider says of roles is written to the document. `proven`: the user id of the
    /// account whose password and second factor they gave.
    pub(super) async fn known_as(
        &self,
        issuer: &str,
        person: Person,
        proven: Option<String>,
    ) -> Result<AccountMatch, OidcRefusal> {
        let (identity, issuer) = (self.clone(), issuer.to_owned());
        run_detached(async move { Ok(identity.look_up(&issuer, person, proven).await) }).await?
    }

    async fn look_up(
        &self,
        issuer: &str,
        person: Person,
        proven: Option<String>,
    ) -> Result<AccountMatch, OidcRefusal> {
        let mut last_seen = self.lock_user_changes().await?;
        // Only a claim of roles can take the role of an owner.
        let _owners = match person.roles {
            Some(_) => self.lock_owners().await?,
            None => None,
        };
        self.reload_documents(&mut last_seen).await?;
        let reader = self.inner.store.reader();
        let linked = match links::find(reader, issuer, &person.subject).await? {
            Some(uid) => accounts::by_uid(reader, &uid).await?,
            None => None,
        };
        let is_linked = linked.is_some();
        if is_linked && proven.is_some() {
            return Err(OidcRefusal::LinkExpired);
        }
        let (account, email) = match (linked, person.email.clone()) {
            (Some(account), _) => {
                let email = Email::parse(&account.email)?;
                (Some(account), email)
            }
            (None, Some(email)) => (accounts::by_email(reader, &email).await?, email),
            (None, None) => return Err(OidcRefusal::Unverified),
        };
        let uid = account.as_ref().map(|account| account.uid.as_str());
        let staff = &self.inner.staff;
        let document = staff.find(uid.unwrap_or_default(), email.as_str()).await?;
        let gives_roles = person.roles.as_ref().is_some_and(|roles| !roles.is_empty());
        if document.is_none() && !gives_roles {
            return Err(OidcRefusal::NoAccount);
        }

        if let Some(account) = account.as_ref().filter(|_| !is_linked)
            && proven.as_ref() != Some(&account.uid)
            && self.has_another_way_in(account).await?
        {
            return Ok(AccountMatch::NeedsPassword(person));
        }

        let uid = self.account(account, &email).await?;
        if !is_linked {
            links::link_account(&self.inner.store, issuer, &person.subject, &uid).await?;
        }
        let name = person.name.as_deref();
        let id = self
            .write_down(&email, name, person.roles, document)
            .await?;
        self.refresh_rights(&mut last_seen, &[id], None).await?;
        Ok(AccountMatch::Linked(Verified {
            // What else it asks for is the provider's to say.
            lacks_code: false,
            uid,
            email,
            // An account is linked by an email that the provider has verified, and by no other.
            email_is_verified: true,
            grant: None,
        }))
    }

    /// Whether somebody may hold the account by other means than its email: by a password, a second
    /// factor, or as another person of the provider, who had this email before. Without any, it was
    /// invited and nobody has come: the invitation's link, too, is for whoever reads that mailbox.
    async fn has_another_way_in(&self, account: &Account) -> Result<bool, OidcRefusal> {
        let (reader, uid) = (self.inner.store.reader(), account.uid.as_str());
        Ok(self.inner.provider.has_password(uid).await?
            || two_factor::state(reader, uid).await? == two_factor::State::On
            || links::has_any(reader, uid).await?)
    }

    /// Links the account of a person's email to them, which takes its password and its second
    /// factor, and signs them in. Refuses as [`Identity::sign_in`] does; 400 `link-expired`.
    pub(super) async fn link(
        &self,
        issuer: &str,
        pending: PendingLink,
        password: &str,
        code: Option<&str>,
        client: &Client,
    ) -> Result<SignedIn, ApiError> {
        let verified = self
            .check_credentials(pending.email(), password, code, client)
            .await?;
        let person = pending.into_person();
        let proven = Some(verified.uid.clone());
        match self.known_as(issuer, person, proven).await {
            Ok(AccountMatch::Linked(_)) => self.begin(verified, client).await,
            // Another account has this email by now.
            Ok(AccountMatch::NeedsPassword(_)) => Err(OidcRefusal::LinkExpired.into()),
            Err(refused) => Err(refused.into()),
        }
    }

    /// The user id; whoever has no account gets one without a password.
    async fn account(
        &self,
        account: Option<Account>,
        email: &Email,
    ) -> Result<String, OidcRefusal> {
        if let Some(account) = account {
            return Ok(account.uid);
        }
        let email = &Email::parse_new(email.as_str())?;
        let uid = self.inner.provider.sign_up(email, None).await?;
        // Another provider of passwords keeps its accounts elsewhere.
        accounts::upsert(self.inner.store.writer(), &uid, email).await?;
        Ok(uid)
    }

    /// Brings the staff document up to date: roles, where the provider says any, and that who is in
    /// is no longer merely invited. Gives the document's id.
    async fn write_down(
        &self,
        email: &Email,
        name: Option<&str>,
        roles: Option<Vec<Role>>,
        document: Option<StaffDocument>,
    ) -> Result<String, OidcRefusal> {
        let staff = &self.inner.staff;
        let Some(document) = document else {
            let name = name.map_or_else(|| email.as_str().to_owned(), plain);
            let patch = StaffPatch {
                email: Some(email.as_str().to_owned()),
                name: Some(name),
                roles,
                created_at: Some(Some(Timestamp::now())),
                ..StaffPatch::default()
            };
            return Ok(staff.merge(email.as_str(), patch).await?.id);
        };
        let mut patch = StaffPatch {
            invited: document.invited.then_some(false),
            roles,
            ..StaffPatch::default()
        };
        if self.demotes_last_owner(&document, &patch).await? {
            tracing::warn!(
                document = document.id,
                "the OpenID Connect provider does not name the last owner as one, who stays it"
            );
            patch.roles.get_or_insert_default().push(Role::Owner);
        }
        if document.roles == patch.roles {
            patch.roles = None;
        }
        if patch != StaffPatch::default() {
            staff.merge(&document.id, patch).await?;
        }
        Ok(document.id)
    }

    async fn demotes_last_owner(
        &self,
        document: &StaffDocument,
        patch: &StaffPatch,
    ) -> Result<bool, ApiError> {
        if patch.roles.is_none() {
            return Ok(false);
        }
        let before = self.documents().await?;
        let mut after = before.clone();
        patch
            .clone()
            .apply(after.entry(document.id.clone()).or_default());
        self.takes_last_owner(&before, &after).await
    }
}

impl From<sea_orm::DbErr> for OidcRefusal {
    fn from(error: sea_orm::DbErr) -> Self {
        ApiError::from(error).into()
    }
}

impl From<crate::staff::StaffError> for OidcRefusal {
    fn from(error: crate::staff::StaffError) -> Self {
        ApiError::from(error).into()
    }
}

impl From<ProviderError> for OidcRefusal {
    fn from(error: ProviderError) -> Self {
        ApiError::from(error).into()
    }
}
