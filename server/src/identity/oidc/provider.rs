//! The two questions a provider is asked: where to send somebody, and who came back.

use openidconnect::core::{
    CoreAuthenticationFlow, CoreClientAuthMethod, CoreErrorResponseType, CoreGenderClaim,
    CoreProviderMetadata,
};
use openidconnect::url::Url;
use openidconnect::{
    AccessToken, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret,
    EndUserName, LocalizedClaim, OAuth2TokenResponse, PkceCodeChallenge, RedirectUrl,
    RequestTokenError, Scope, SignatureVerificationError, StandardErrorResponse, TokenResponse,
    UserInfoClaims, UserInfoError,
};

use super::OidcOptions;
use super::description::{Description, MetadataError};
use super::http::{Http, HttpError};
use super::round_trip::RoundTrip;
use super::tokens::claims::{ExtraClaims, Person};
use super::tokens::id_token::{Claims, Client, require_matching_access_token, verify};

pub(super) struct Provider {
    options: OidcOptions,
    redirect: RedirectUrl,
    http: Http,
    description: Description,
}

/// Why the provider did not say who somebody is. No secret is in any of them.
#[derive(Debug, thiserror::Error)]
pub(super) enum OidcError {
    #[error(transparent)]
    MetadataError(#[from] MetadataError),
    #[error("the provider did not take the code: {0}")]
    CodeRefused(String),
    #[error("the provider sent no ID token")]
    NoIdToken,
    #[error("the provider's ID token is not good: {0}")]
    BadIdToken(String),
    #[error("the provider's answer about the person is not good: {0}")]
    BadUserInfo(String),
}

impl Provider {
    pub(super) fn new(options: OidcOptions, redirect: RedirectUrl) -> Result<Self, reqwest::Error> {
        let http = Http::to(&options.issuer)?;
        Ok(Self {
            description: Description::new(options.issuer.clone(), http.clone()),
            http,
            options,
            redirect,
        })
    }

    /// Asks it what it is, if nobody did yet.
    pub(super) async fn get_ready(&self) -> Result<(), MetadataError> {
        self.description.get().await.map(drop)
    }

    pub(super) fn issuer(&self) -> &str {
        self.options.issuer.url().as_str()
    }

    /// Where a browser goes to sign in.
    pub(super) async fn authorize(&self, trip: &RoundTrip) -> Result<Url, OidcError> {
        let client = self.client(&*self.description.get().await?);
        let (state, nonce) = (trip.state.clone(), trip.nonce.clone());
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&trip.verifier);
        let (url, _, _) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || state,
                move || nonce,
            )
            .add_scope(Scope::new("email".to_owned()))
            .add_scope(Scope::new("profile".to_owned()))
            .set_pkce_challenge(challenge)
            .url();
        Ok(url)
    }

    /// Whom a code stands for.
    pub(super) async fn identify(
        &self,
        code: String,
        trip: RoundTrip,
    ) -> Result<Person, OidcError> {
        let metadata = self.description.get().await?;
        let mut client = self.client(&metadata);
        let tokens = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|error| OidcError::CodeRefused(error.to_string()))?
            .set_pkce_verifier(trip.verifier)
            .request_async(&self.http)
            .await
            .map_err(code_refused)?;
        let token = tokens.id_token().ok_or(OidcError::NoIdToken)?;
        let mut verified = verify(&client, token, &trip.nonce);
        if let Err(ClaimsVerificationError::SignatureVerification(
            SignatureVerificationError::NoMatchingKey,
        )) = verified
        {
            client = self.client(&*self.description.newer_than(&metadata).await?);
            verified = verify(&client, token, &trip.nonce);
        }
        let claims = verified.map_err(|error| OidcError::BadIdToken(chain(&error)))?;
        self.require_authorized_party(&claims)?;
        require_matching_access_token(&client, token, tokens.access_token(), &claims)?;
        self.person(&client, tokens.access_token(), &claims).await
    }

    /// The crate leaves the party that a token was issued to alone.
    fn require_authorized_party(&self, claims: &Claims) -> Result<(), OidcError> {
        match claims.authorized_party() {
            Some(party) if **party != self.options.client_id => Err(OidcError::BadIdToken(
                "another party is authorized by it".to_owned(),
            )),
            _ => Ok(()),
        }
    }

    /// Some providers put everything into the ID token, others tell email and roles only when asked
    /// once more.
    async fn person(
        &self,
        client: &Client,
        access_token: &AccessToken,
        claims: &Claims,
    ) -> Result<Person, OidcError> {
        let roles_claim = self.options.roles_claim.as_deref();
        let more = claims.additional_claims();
        let roles = roles_claim.and_then(|claim| more.roles(claim));
        let mut person = Person::new(
            claims.subject(),
            claims.email().map(|email| email.as_str()),
            claims.email_verified(),
            plain_name(claims.name()),
            roles,
        );
        let lacks_roles = roles_claim.is_some() && person.roles.is_none();
        let lacks_email = claims.email().is_none();
        if (lacks_roles || lacks_email)
            && let Ok(request) =
                client.user_info(access_token.clone(), Some(claims.subject().clone()))
        {
            let user_info: UserInfoClaims<ExtraClaims, CoreGenderClaim> = request
                .request_async(&self.http)
                .await
                .map_err(bad_user_info)?;
            let more = user_info.additional_claims();
            let answer = Person::new(
                claims.subject(),
                user_info.email().map(|email| email.as_str()),
                user_info.email_verified(),
                plain_name(user_info.name()),
                roles_claim.and_then(|claim| more.roles(claim)),
            );
            if lacks_email {
                person.email = answer.email;
            }
            person.name = person.name.or(answer.name);
            person.roles = person.roles.or(answer.roles);
        }
        if let Some(claim) = roles_claim.filter(|_| person.roles.is_none()) {
            tracing::warn!(claim, "the OpenID Connect provider says nothing of roles");
            person.roles = Some(Vec::new());
        }
        Ok(person)
    }

    fn client(&self, metadata: &CoreProviderMetadata) -> Client {
        let secret = self.options.client_secret.clone().map(ClientSecret::new);
        let client = Client::from_provider_metadata(
            metadata.clone(),
            ClientId::new(self.options.client_id.clone()),
            secret,
        );
        client
            .set_redirect_uri(self.redirect.clone())
            .set_auth_type(auth_type(metadata))
    }
}

/// In the header, as the standard says where a provider says nothing, unless it takes the secret in
/// the body alone.
fn auth_type(metadata: &CoreProviderMetadata) -> AuthType {
    match metadata.token_endpoint_auth_methods_supported() {
        Some(methods)
            if !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
                && methods.contains(&CoreClientAuthMethod::ClientSecretPost) =>
        {
            AuthType::RequestBody
        }
        _ => AuthType::BasicAuth,
    }
}

/// Without one in another language.
fn plain_name(name: Option<&LocalizedClaim<EndUserName>>) -> Option<&str> {
    Some(name?.get(None)?.as_str())
}

/// Without the body of an answer that cannot be read: there may be tokens in it.
fn code_refused(
    error: RequestTokenError<HttpError, StandardErrorResponse<CoreErrorResponseType>>,
) -> OidcError {
    match error {
        RequestTokenError::ServerResponse(answer) => {
            OidcError::CodeRefused(super::plain(answer.error().as_ref()))
        }
        RequestTokenError::Request(error) => OidcError::CodeRefused(error.to_string()),
        RequestTokenError::Parse(..) => {
            OidcError::CodeRefused("its answer is no token response".to_owned())
        }
        RequestTokenError::Other(_) => {
            OidcError::CodeRefused("its answer is not what the standard says".to_owned())
        }
    }
}

fn bad_user_info(error: UserInfoError<HttpError>) -> OidcError {
    OidcError::BadUserInfo(match error {
        UserInfoError::Request(error) => error.to_string(),
        UserInfoError::Response(status, ..) => format!("HTTP status code {status}"),
        UserInfoError::ClaimsVerification(error) => chain(&error),
        _ => "it cannot be read".to_owned(),
    })
}

/// An error with what it is about, which the crate's own sentences leave out.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        text = format!("{text}: {deeper}");
        cause = deeper.source();
    }
    super::plain(&text)
}
