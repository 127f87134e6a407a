//! The provider's ID token: which claims it has for us, and whether it is genuine.

use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreRevocableToken,
    CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AccessToken, AccessTokenHash, ClaimsVerificationError, EmptyExtraTokenFields, EndpointMaybeSet,
    EndpointNotSet, EndpointSet, IdToken, IdTokenClaims, IdTokenFields, StandardErrorResponse,
    StandardTokenResponse,
};

use super::super::provider::OidcError;
use super::claims::ExtraClaims;

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

pub(in crate::identity::oidc) type Claims = IdTokenClaims<ExtraClaims, CoreGenderClaim>;

type Token = IdToken<
    ExtraClaims,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

type Tokens = StandardTokenResponse<
    IdTokenFields<
        ExtraClaims,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;

pub(in crate::identity::oidc) type Client = openidconnect::Client<
    ExtraClaims,
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

pub(in crate::identity::oidc) fn verify(
    client: &Client,
    token: &Token,
    nonce: &openidconnect::Nonce,
) -> Result<Claims, ClaimsVerificationError> {
    let verifier = client.id_token_verifier().set_allowed_algs(ALGORITHMS);
    token.claims(&verifier, nonce).cloned()
}

/// The access token must be the one that the ID token was issued with, where that says.
pub(in crate::identity::oidc) fn require_matching_access_token(
    client: &Client,
    token: &Token,
    access_token: &AccessToken,
    claims: &Claims,
) -> Result<(), OidcError> {
    let Some(expected) = claims.access_token_hash() else {
        return Ok(());
    };
    let bad = |why: String| OidcError::BadIdToken(why);
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
        false => Err(bad(
            "it require_matching_access_token to another access token".to_owned(),
        )),
    }
}
