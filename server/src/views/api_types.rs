//! Named views as clients see and change them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::change_request::double_option;
use crate::ids::ExpectedVersion;
use crate::repair_orders::api_types::By;
use crate::text::OneLine;

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedView {
    #[schema(format = "uuid")]
    pub view_id: String,
    pub name: String,
    /// Of the desk's address, without the question mark.
    pub query: String,
    /// Whether everybody sees it.
    pub shared: bool,
    /// Raised with every change.
    pub version: i64,
    /// As they were called when they last changed it.
    pub author: By,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewNamedView {
    /// 1 to 100 characters; none of the author's other views has it, also not in another case.
    pub name: OneLine,
    /// Of the desk's address, without the question mark.
    #[schema(max_length = 2000, pattern = "^[!-~]*$")]
    pub query: String,
    #[serde(default)]
    #[schema(required = false)]
    pub shared: bool,
}

/// A field that is not sent stays unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedViewFields {
    #[serde(default)]
    #[schema(required = false)]
    pub expected_version: ExpectedVersion,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub name: Option<OneLine>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(
        required = false,
        nullable = false,
        max_length = 2000,
        pattern = "^[!-~]*$"
    )]
    pub query: Option<String>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub shared: Option<bool>,
}
