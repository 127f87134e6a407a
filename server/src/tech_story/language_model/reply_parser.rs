//! What a language model said: JSON of one of two forms, taken out of whatever fence it came in, and
//! its text as far as it is there while it still comes.

use dispatch_actors::repair_order::AnswerField;
use dispatch_stories::{Language, Reply, headed};
use serde_json::{Map, Value};

use crate::text::{self, MAX_TEXT_CHARS};

/// Characters of a question.
const MAX_QUESTION_CHARS: usize = 1_000;

/// Characters of headings, and of what stands in empty sections.
const MAX_HEADING_CHARS: usize = 400;

/// Names under which the text may be.
const CONTENT: [&str; 3] = ["content", "question", "techStory"];

/// The sections of a story, by their names.
const SECTIONS: [&str; 3] = ["complaint", "cause", "correction"];

/// None for what is neither a question nor a story.
pub fn reply(output: &str, language: Language) -> Option<Reply> {
    let object: Map<String, Value> = serde_json::from_str(without_fence(output)).ok()?;
    let kind = object.get("type")?.as_str()?;
    if kind == "techStory" && SECTIONS.iter().any(|name| object.contains_key(*name)) {
        return story(&object, language);
    }
    let content = object
        .get("content")
        .or_else(|| object.get(kind))?
        .as_str()?;
    let content = text::cleaned(content);
    let length = content.chars().count();
    match kind {
        "question" if (1..=MAX_QUESTION_CHARS).contains(&length) => Some(Reply::Question {
            question: text::one_line(&content),
            of: None,
            field: field(&object),
        }),
        "techStory" if (1..=MAX_TEXT_CHARS).contains(&length) => Some(Reply::Story(content)),
        _ => None,
    }
}

/// A story of sections, with their headings.
fn story(object: &Map<String, Value>, language: Language) -> Option<Reply> {
    let section = |name: &str| match object.get(name) {
        None | Some(Value::Null) => Some(String::new()),
        Some(text) => text.as_str().map(text::cleaned),
    };
    let [complaint, cause, correction] = SECTIONS.map(section);
    let written = [complaint?, cause?, correction?];
    let length: usize = written.iter().map(|text| text.chars().count()).sum();
    let fits = (1..=MAX_TEXT_CHARS - MAX_HEADING_CHARS).contains(&length);
    fits.then(|| Reply::Story(headed(language, written.each_ref().map(String::as_str))))
}

/// What can be given with a Yes; nothing where it names what there is not.
fn field(object: &Map<String, Value>) -> AnswerField {
    let named = object.get("field").cloned().unwrap_or_default();
    serde_json::from_value(named).unwrap_or_default()
}

/// Without ```json and ``` around it.
fn without_fence(output: &str) -> &str {
    let output = output.trim().trim_start_matches('\u{feff}');
    let Some(fenced) = output.strip_prefix("```") else {
        return output;
    };
    // The first line is the language's name.
    let body = fenced.split_once('\n').map_or(fenced, |(_, body)| body);
    let body = body.trim_end();
    body.strip_suffix("```").unwrap_or(body).trim()
}

/// The text of a reply that has not come whole.
pub fn so_far(output: &str) -> String {
    let begin = |name: &str| {
        let quoted = format!("\"{name}\"");
        let mut from = 0;
        // As a name, that is with a colon and a text behind it: the type's value is called the same.
        while let Some(found) = output[from..].find(&quoted) {
            let behind = &output[from + found + quoted.len()..];
            let value = behind.trim_start().strip_prefix(':').map(str::trim_start);
            if let Some(text) = value.and_then(|value| value.strip_prefix('"')) {
                return Some(text);
            }
            from += found + quoted.len();
        }
        None
    };
    if let Some(text) = CONTENT.iter().find_map(|name| begin(name)) {
        return unescaped(text);
    }
    let sections = SECTIONS.iter().filter_map(|name| begin(name));
    let texts: Vec<String> = sections
        .map(unescaped)
        .filter(|text| !text.is_empty())
        .collect();
    texts.join("\n\n")
}

/// A JSON text up to its end, or to where it breaks off.
fn unescaped(text: &str) -> String {
    let mut end = 0;
    let mut characters = text.char_indices();
    while let Some((place, c)) = characters.next() {
        match c {
            '"' => {
                end = place;
                break;
            }
            '\\' => match characters.next() {
                Some((_, 'u')) => {
                    let Some((last, c)) = characters.nth(3) else {
                        break;
                    };
                    end = last + c.len_utf8();
                }
                Some((last, c)) => end = last + c.len_utf8(),
                None => break,
            },
            _ => end = place + c.len_utf8(),
        }
    }
    // The first half of a pair of surrogates waits for its second.
    let text = &text[..end];
    let read = |text: &str| serde_json::from_str(&format!("\"{text}\"")).ok();
    read(text)
        .or_else(|| {
            text.len()
                .checked_sub(6)
                .and_then(|end| text.get(..end))
                .and_then(read)
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(text: &str) -> Option<Reply> {
        Some(Reply::Question {
            question: text.to_owned(),
            of: None,
            field: AnswerField::None,
        })
    }

    fn reply(output: &str) -> Option<Reply> {
        super::reply(output, Language::En)
    }

    #[test]
    fn a_story_comes_in_sections_and_a_question_names_its_field() {
        let story =
            r#"{"type":"techStory","complaint":"Noise.","cause":"Pads worn.","correction":""}"#;
        assert_eq!(
            reply(story),
            Some(Reply::Story(
                "Complaint:\nNoise.\n\nCause:\nPads worn.\n\nCorrection:\nWhat was done is not recorded."
                    .to_owned()
            ))
        );
        let cut = story.find("worn").unwrap() + "worn".len();
        assert_eq!(so_far(&story[..cut]), "Noise.\n\nPads worn");
        assert_eq!(
            reply(r#"{"type":"techStory","complaint":"","cause":""}"#),
            None
        );
        assert_eq!(reply(r#"{"type":"techStory","cause":["x"]}"#), None);
        for (named, expected) in [("codes", AnswerField::Codes), ("colour", AnswerField::None)] {
            let question = format!(r#"{{"type":"question","content":"Codes?","field":"{named}"}}"#);
            let Some(Reply::Question { field, .. }) = reply(&question) else {
                panic!("it is a question")
            };
            assert_eq!(field, expected);
        }
    }

    #[test]
    fn both_forms_are_read_under_either_name_and_in_a_fence() {
        for output in [
            r#"{"type":"question","content":"Verified?"}"#,
            r#"{"type":"question","question":"Verified?"}"#,
            "```json\n{\"type\":\"question\",\"content\":\"Verified?\"}\n```",
            "```\n{\"type\": \"question\", \"content\": \"Verified?\"}```\n",
            "\u{feff} {\"content\":\" Verified?\\n\",\"type\":\"question\"} ",
        ] {
            assert_eq!(reply(output), question("Verified?"), "{output}");
        }
        assert_eq!(
            reply(r#"{"type":"techStory","techStory":"Complaint:\nNoise."}"#),
            Some(Reply::Story("Complaint:\nNoise.".to_owned()))
        );
    }

    #[test]
    fn everything_else_is_no_reply() {
        let long = format!(r#"{{"type":"question","content":"{}"}}"#, "x".repeat(1_001));
        for output in [
            "",
            "I am glad to help. Was it verified?",
            "[]",
            r#"{"type":"answer","content":"x"}"#,
            r#"{"type":"question"}"#,
            r#"{"type":"question","content":"  "}"#,
            r#"{"type":"question","content":["x"]}"#,
            r#"{"type":1,"content":"x"}"#,
            r#"{"type":"techStory","content":"cut o"#,
            r#"{"type":"question","content":"a"} {"type":"question","content":"b"}"#,
            &long,
        ] {
            assert_eq!(reply(output), None, "{output}");
        }
    }

    #[test]
    fn the_text_is_told_as_far_as_it_is_there() {
        let whole = r#"{"type":"techStory","content":"A \"b\"\nc é 🔧 d"}"#;
        let mut last = String::new();
        for (end, _) in whole.char_indices() {
            let now = so_far(&whole[..end]);
            assert!(now.starts_with(&last), "{now} after {last}");
            last = now;
        }
        assert_eq!(so_far(whole), "A \"b\"\nc é 🔧 d");
        assert_eq!(
            so_far(r#"```json {"type":"question","question":"Ver"#),
            "Ver"
        );
        assert_eq!(so_far(r#"{"type":"question""#), "");
        assert_eq!(so_far(r#"{"type":"question","content":"a\ud83d"#), "a");
        assert_eq!(so_far(r#"{"type":"question","content":"a\u00e"#), "a");
    }
}
