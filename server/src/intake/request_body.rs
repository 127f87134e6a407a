//! The body of an import over HTTP.

use actix_web::dev::Decompress;
use actix_web::error::PayloadError;
use actix_web::http::header::CONTENT_ENCODING;
use actix_web::{HttpMessage, HttpRequest, web};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};

use crate::error::ApiError;

/// Compressed bytes that are unpacked at once: deflate makes a thousand of one at most.
const PACKED_CHUNK_SIZE: usize = 1024;

/// A file name for a body of this content type: the reader goes by its ending.
pub(super) fn file_name(request: &HttpRequest) -> Result<&'static str, ApiError> {
    let kind = request.content_type().trim().to_ascii_lowercase();
    match kind.as_str() {
        "application/json" => Ok("request.json"),
        "application/x-ndjson" => Ok("request.ndjson"),
        "text/csv" => Ok("request.csv"),
        kind if kind.starts_with("multipart/") => Err(ApiError::invalid(
            "Send the file itself as the body, not a form with the file in it",
        )),
        _ => Ok("request"),
    }
}

/// The body as it comes, unpacked. A few bytes can unpack to millions, so that they are unpacked a few at a
/// time, and the next only when those before are imported.
pub(super) fn chunks(
    request: &HttpRequest,
    body: web::Payload,
) -> Result<impl Stream<Item = Result<Bytes, PayloadError>> + use<>, ApiError> {
    let encoding = request.headers().get(CONTENT_ENCODING);
    let encoding = encoding.map_or("identity", |value| value.to_str().unwrap_or_default());
    let piece = match encoding.trim().to_ascii_lowercase().as_str() {
        "identity" => usize::MAX,
        "gzip" | "deflate" => PACKED_CHUNK_SIZE,
        _ => {
            return Err(ApiError::invalid(
                "Send the body as it is, or packed with gzip",
            ));
        }
    };
    let pieces = body.flat_map(move |chunk| {
        let pieces = match chunk {
            Ok(mut chunk) => {
                let mut pieces = Vec::with_capacity(chunk.len().div_ceil(piece));
                while !chunk.is_empty() {
                    pieces.push(Ok(chunk.split_to(piece.min(chunk.len()))));
                }
                pieces
            }
            Err(error) => vec![Err(error)],
        };
        stream::iter(pieces)
    });
    Ok(Decompress::from_headers(pieces, request.headers()))
}
