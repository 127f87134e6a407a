//! How the provider is asked: by the server's own HTTP client, with little patience, a limit on
//! what it takes in, and no redirect followed, which could lead a secret to somebody else.

use std::pin::Pin;
use std::time::Duration;

use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use reqwest::redirect::Policy;

use super::tokens::issuer::Issuer;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

/// Keys and metadata are some kilobytes.
const MAX_RESPONSE_BYTES: usize = 1024 * 1024;

#[derive(Clone, Debug)]
pub(super) struct Http(reqwest::Client);

#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error("it cannot be reached: {}", innermost(.0))]
    Unreachable(#[from] reqwest::Error),
    #[error("its answer is longer than {MAX_RESPONSE_BYTES} bytes")]
    TooLong,
    #[error("its answer cannot be read: {0}")]
    Unreadable(#[from] openidconnect::http::Error),
}

/// reqwest itself says only that something failed.
fn innermost(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it took too long".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

impl Http {
    pub(super) fn to(issuer: &Issuer) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(RESPONSE_TIMEOUT);
        let client = match issuer.is_loopback() {
            true => client.no_proxy(),
            false => client,
        };
        client.build().map(Self)
    }

    async fn ask(self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let mut answer = self.0.execute(request.try_into()?).await?;
        let mut whole = openidconnect::http::Response::builder().status(answer.status());
        if let Some(headers) = whole.headers_mut() {
            headers.clone_from(answer.headers());
        }
        let mut body = Vec::new();
        while let Some(piece) = answer.chunk().await? {
            if body.len() + piece.len() > MAX_RESPONSE_BYTES {
                return Err(HttpError::TooLong);
            }
            body.extend_from_slice(&piece);
        }
        Ok(whole.body(body)?)
    }
}

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = HttpError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.clone().ask(request))
    }
}
