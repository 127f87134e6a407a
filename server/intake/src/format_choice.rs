//! What the sender says of a file: its syntax, its format, or neither.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::formats::Format;
use crate::syntax::Syntax;

/// `--format` of the command line and `format` of the API, which name a syntax or a format. Where
/// it is missing, the ending of the file's name decides, else the file's content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormatChoice {
    #[default]
    Auto,
    /// JSON syntax; each object is ours, CDK's or STAR's by its own members.
    Json,
    /// CSV syntax. Its header may have any format's flat names.
    Csv,
    /// CDK Drive's service repair orders, which are JSON.
    Cdk,
    /// STAR 5's names, in JSON or CSV.
    Star,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a format: use auto, json, csv, cdk or star")]
pub struct UnknownFormat(String);

impl FromStr for FormatChoice {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        match text.trim().to_ascii_lowercase().as_str() {
            "auto" => Ok(FormatChoice::Auto),
            "json" | "ndjson" | "jsonl" => Ok(FormatChoice::Json),
            "csv" | "tsv" => Ok(FormatChoice::Csv),
            "cdk" => Ok(FormatChoice::Cdk),
            "star" => Ok(FormatChoice::Star),
            _ => Err(UnknownFormat(text.to_owned())),
        }
    }
}

impl FormatChoice {
    /// By the choice, else by the file's name; none where the first character must tell.
    pub(crate) fn syntax(self, file_name: &str) -> Option<Syntax> {
        match self {
            FormatChoice::Json | FormatChoice::Cdk => Some(Syntax::Json),
            FormatChoice::Csv => Some(Syntax::Csv),
            FormatChoice::Auto | FormatChoice::Star => Syntax::by_file_name(file_name),
        }
    }

    /// None where each object's members tell.
    pub(crate) fn format(self) -> Option<Format> {
        match self {
            FormatChoice::Cdk => Some(Format::Cdk),
            FormatChoice::Star => Some(Format::Star),
            FormatChoice::Auto | FormatChoice::Json | FormatChoice::Csv => None,
        }
    }
}
