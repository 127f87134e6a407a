//! Who interviews technicians.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Deserialize;
use url::Url;

/// Who interviews technicians for the stories of their jobs.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[command(next_help_heading = "Tech stories")]
pub struct InterviewOptions {
    /// Who interviews technicians and writes their stories; gemini and openai send what a job says to
    /// that provider [default: built-in]
    #[arg(long, value_name = "INTERVIEWER", env = "DISPATCH_STORY_PROVIDER")]
    pub story_provider: Option<InterviewerName>,

    /// The provider's model [default for gemini: gemini-2.5-flash]
    #[arg(long, value_name = "MODEL", env = "DISPATCH_STORY_MODEL")]
    pub story_model: Option<String>,

    /// The provider's base address, such as https://api.openai.com/v1 or, for a model on this machine,
    /// http://127.0.0.1:11434/v1 [default for gemini: Google's]
    #[arg(long, value_name = "URL", env = "DISPATCH_STORY_URL")]
    pub story_url: Option<Url>,

    /// The provider's key; rather by the variable, or by --story-key-file, than where `ps` shows it
    #[arg(
        long,
        value_name = "KEY",
        env = "DISPATCH_STORY_KEY",
        hide_env_values = true
    )]
    pub story_key: Option<String>,

    /// File that holds the provider's key and nothing else
    #[arg(long, value_name = "FILE", env = "DISPATCH_STORY_KEY_FILE")]
    pub story_key_file: Option<PathBuf>,

    /// Replies of the provider that one person may ask for in an hour [default: 30]
    #[arg(long, value_name = "NUMBER", env = "DISPATCH_STORY_CALLS_AN_HOUR")]
    pub story_calls_an_hour: Option<NonZeroU32>,

    /// Seconds until a reply of the provider has come, all attempts together [default: 60]
    #[arg(
        long,
        value_name = "SECONDS",
        env = "DISPATCH_STORY_TIMEOUT",
        value_parser = clap::value_parser!(u32).range(1..=600)
    )]
    pub story_timeout: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InterviewerName {
    /// Ours: it works from a catalogue of questions, and asks nobody.
    BuiltIn,
    /// Google's Gemini.
    Gemini,
    /// Whatever speaks OpenAI's chat completions.
    Openai,
}
