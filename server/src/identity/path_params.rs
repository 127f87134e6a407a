//! The parameters in a call's address, told of only to callers who are signed in.

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;

use super::Caller;
use crate::error::ApiError;
use crate::typed_params::ParseText;

/// What is in an address, in the order of its parts: one parameter, or a tuple of them. Whoever is
/// not signed in is answered 401 also where a parameter is wrong.
///
/// In the document: `params(("idSkill" = inline(PathText<SkillId>), Path))`.
pub struct Path<T>(pub T);

/// One parameter, or a tuple of them.
pub trait PathParams: Sized + 'static {
    type Texts: DeserializeOwned + 'static;

    fn parse_texts(texts: Self::Texts) -> Result<Self, ApiError>;
}

impl<T: ParseText + 'static> PathParams for T {
    type Texts = String;

    fn parse_texts(text: String) -> Result<Self, ApiError> {
        T::parse_text(&text)
    }
}

impl<A: ParseText + 'static, B: ParseText + 'static> PathParams for (A, B) {
    type Texts = (String, String);

    fn parse_texts((a, b): Self::Texts) -> Result<Self, ApiError> {
        Ok((A::parse_text(&a)?, B::parse_text(&b)?))
    }
}

impl<A, B, C> PathParams for (A, B, C)
where
    A: ParseText + 'static,
    B: ParseText + 'static,
    C: ParseText + 'static,
{
    type Texts = (String, String, String);

    fn parse_texts((a, b, c): Self::Texts) -> Result<Self, ApiError> {
        Ok((A::parse_text(&a)?, B::parse_text(&b)?, C::parse_text(&c)?))
    }
}

impl<T: PathParams> FromRequest for Path<T> {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let texts = web::Path::<T::Texts>::from_request(request, payload);
        let request = request.clone();
        Box::pin(async move {
            let parsed = match texts.await {
                Ok(texts) => T::parse_texts(texts.into_inner()).map_err(Into::into),
                Err(error) => Err(error),
            };
            if parsed.is_err() {
                // Extractors run side by side, and this one would be faster than the caller's.
                Caller::extract(&request).await?;
            }
            parsed.map(Self)
        })
    }
}
