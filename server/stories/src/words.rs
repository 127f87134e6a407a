//! A text in which words of the catalogue are looked for.

use dispatch_actors::text::folded;
use serde::Deserialize;

/// Words to look for: a word's beginning, a whole word (with a space behind it), or with a star in front
/// of it anything. Whatever their case and accents.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub struct WordList(Vec<String>);

impl From<Vec<String>> for WordList {
    fn from(words: Vec<String>) -> Self {
        Self(words.iter().map(|word| folded(word)).collect())
    }
}

/// A text as it is searched: folded, its words one space apart, and one before and behind it.
#[derive(Clone)]
pub struct Words(String);

impl Words {
    pub fn of(text: &str) -> Self {
        let mut padded = String::from(" ");
        for c in folded(text).chars() {
            let is_space = c.is_whitespace()
                || matches!(
                    c,
                    ',' | ';'
                        | ':'
                        | '('
                        | ')'
                        | '"'
                        | '!'
                        | '?'
                        | '¿'
                        | '¡'
                        | '*'
                        | '\u{2019}'
                        | '\''
                );
            if !is_space {
                padded.push(c);
            } else if !padded.ends_with(' ') {
                padded.push(' ');
            }
        }
        // A full stop ends a word, too, unless more of it follows.
        let mut padded = padded.replace(". ", " ").replace("... ", " ");
        while padded.ends_with(['.', ' ']) {
            padded.pop();
        }
        padded.push(' ');
        Self(padded)
    }

    fn have(&self, word: &str) -> bool {
        match word.strip_prefix('*') {
            Some(anywhere) => self.0.contains(anywhere),
            None => self.0.contains(&format!(" {word}")),
        }
    }

    pub fn have_any(&self, words: &WordList) -> bool {
        words.0.iter().any(|word| self.have(word))
    }

    pub fn begin_with_any(&self, words: &WordList) -> bool {
        words.0.iter().any(|word| self.0[1..].starts_with(&**word))
    }

    /// How many of the words are there.
    pub fn count(&self, words: &WordList) -> usize {
        words.0.iter().filter(|word| self.have(word)).count()
    }

    /// Without the phrases: what stands in them says nothing by itself.
    pub fn without(&self, phrases: &WordList) -> Self {
        let mut text = self.0.clone();
        for phrase in &phrases.0 {
            text = text.replace(&format!(" {}", phrase.trim_end()), " ");
        }
        Self(text)
    }
}
