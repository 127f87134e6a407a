//! The two questions a provider is asked: where to send somebody, and who came back.

use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreAuthenticationFlow, CoreClientAuthMethod,
    CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm, CoreProviderMetadata, CoreRevocableToken, CoreRevocationErrorResponse,
    CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::url::Url;
use openidconnect::{
    AccessToken, AccessTokenHash, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId,
    ClientSecret, EmptyExtraTokenFields, EndUserName, EndpointMaybeSet, EndpointNotSet,
    EndpointSet, IdToken, IdTokenClaims, IdTokenFields, LocalizedClaim, OAuth2TokenResponse,
    PkceCodeChallenge, RedirectUrl, RequestTokenError, Scope, SignatureVerificationError,
    StandardErrorResponse, StandardTokenResponse, TokenResponse, UserInfoClaims, UserInfoError,
};

use super::OidcOptions;
use super::claims::{More, Person};
use super::description::{Description, Undescribed};
use super::http::{Http, NoAnswer};
use super::round_trip::RoundTrip;

/// What providers sign with. Not among them: keys that both sides know, and none.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

type Claims = IdTokenClaims<More, CoreGenderClaim>;
type Token =
    IdToken<More, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;
type Tokens = StandardTokenResponse<
    IdTokenFields<
        More,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;
type Client = openidconnect::Client<
    More,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

pub(super) struct Provider {
    options: OidcOptions,
    redirect: RedirectUrl,
    http: Http,
    description: Description,
}

/// Why the provider did not say who somebody is. No secret is in any of them.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unknown {
    #[error(transparent)]
    Undescribed(#[from] Undescribed),
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
    pub(super) async fn get_ready(&self) -> Result<(), Undescribed> {
        self.description.get().await.map(drop)
    }

    pub(super) fn issuer(&self) -> &str {
        self.options.issuer.url().as_str()
    }

    /// Where a browser goes to sign in.
    pub(super) async fn authorize(&self, trip: &RoundTrip) -> Result<Url, Unknown> {
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
    pub(super) async fn who(&self, code: String, trip: RoundTrip) -> Result<Person, Unknown> {
        let metadata = self.description.get().await?;
        let mut client = self.client(&metadata);
        let tokens = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|error| Unknown::CodeRefused(error.to_string()))?
            .set_pkce_verifier(trip.verifier)
            .request_async(&self.http)
            .await
            .map_err(code_refused)?;
        let token = tokens.id_token().ok_or(Unknown::NoIdToken)?;
        let mut verified = verify(&client, token, &trip.nonce);
        if let Err(ClaimsVerificationError::SignatureVerification(
            SignatureVerificationError::NoMatchingKey,
        )) = verified
        {
            client = self.client(&*self.description.newer_than(&metadata).await?);
            verified = verify(&client, token, &trip.nonce);
        }
        let claims = verified.map_err(|error| Unknown::BadIdToken(chain(&error)))?;
        self.is_ours(&claims)?;
        belongs(&client, token, tokens.access_token(), &claims)?;
        self.person(&client, tokens.access_token(), &claims).await
    }

    /// The crate leaves the party that a token was issued to alone.
    fn is_ours(&self, claims: &Claims) -> Result<(), Unknown> {
        match claims.authorized_party() {
            Some(party) if **party != self.options.client_id => Err(Unknown::BadIdToken(
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
    ) -> Result<Person, Unknown> {
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
            let told: UserInfoClaims<More, CoreGenderClaim> = request
                .request_async(&self.http)
                .await
                .map_err(bad_user_info)?;
            let more = told.additional_claims();
            let said = Person::new(
                claims.subject(),
                told.email().map(|email| email.as_str()),
                told.email_verified(),
                plain_name(told.name()),
                roles_claim.and_then(|claim| more.roles(claim)),
            );
            if lacks_email {
                person.email = said.email;
            }
            person.name = person.name.or(said.name);
            person.roles = person.roles.or(said.roles);
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

fn verify(
    client: &Client,
    token: &Token,
    nonce: &openidconnect::Nonce,
) -> Result<Claims, ClaimsVerificationError> {
    let verifier = client.id_token_verifier().set_allowed_algs(ALGORITHMS);
    token.claims(&verifier, nonce).cloned()
}

/// The access token must be the one that the ID token was issued with, where that says.
fn belongs(
    client: &Client,
    token: &Token,
    access_token: &AccessToken,
    claims: &Claims,
) -> Result<(), Unknown> {
    let Some(expected) = claims.access_token_hash() else {
        return Ok(());
    };
    let bad = |why: String| Unknown::BadIdToken(why);
    let verifier = client.id_token_verifier().set_allowed_algs(ALGORITHMS);
    let algorithm = token
        .signing_alg()
        .map_err(|error| bad(error.to_string()))?;
    let key = token
        .signing_key(&verifier)
        .map_err(|error| bad(error.to_string()))?;
    let actual = AccessTokenHash::from_token(access_token, algorithm, key)
        .map_err(|error| bad(error.to_string()))?;
    match actual == *expected {
        true => Ok(()),
        false => Err(bad("it belongs to another access token".to_owned())),
    }
}

/// Without one in another language.
fn plain_name(name: Option<&LocalizedClaim<EndUserName>>) -> Option<&str> {
    Some(name?.get(None)?.as_str())
}

/// Without the body of an answer that cannot be read: there may be tokens in it.
fn code_refused(
    error: RequestTokenError<NoAnswer, StandardErrorResponse<CoreErrorResponseType>>,
) -> Unknown {
    match error {
        RequestTokenError::ServerResponse(answer) => {
            Unknown::CodeRefused(super::plain(answer.error().as_ref()))
        }
        RequestTokenError::Request(error) => Unknown::CodeRefused(error.to_string()),
        RequestTokenError::Parse(..) => {
            Unknown::CodeRefused("its answer is no token response".to_owned())
        }
        RequestTokenError::Other(_) => {
            Unknown::CodeRefused("its answer is not what the standard says".to_owned())
        }
    }
}

fn bad_user_info(error: UserInfoError<NoAnswer>) -> Unknown {
    Unknown::BadUserInfo(match error {
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
