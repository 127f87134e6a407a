//! A text cut into words, where a word may have signs in it: `2.5`, `07/14/2026`, `06A-906-088`.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    pub text: &'a str,
    /// In bytes.
    pub start: usize,
    /// Whether it is the first of its line.
    pub begins_line: bool,
}

impl<'a> Word<'a> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn has_digit(&self) -> bool {
        self.text.bytes().any(|byte| byte.is_ascii_digit())
    }

    /// What stands between its signs.
    pub fn parts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|part| !part.is_empty())
    }

    /// The same as words of their own.
    pub fn pieces(&self) -> Vec<Word<'a>> {
        self.parts()
            .map(|text| Word {
                text,
                // A part is a piece of the very text.
                start: self.start + (text.as_ptr() as usize - self.text.as_ptr() as usize),
                begins_line: false,
            })
            .collect()
    }
}

pub fn words(text: &str) -> Vec<Word<'_>> {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let mut words = Vec::new();
    let mut begins_line = true;
    let mut at = 0;
    while let Some((start, c)) = characters.get(at).copied() {
        if !c.is_alphanumeric() {
            begins_line |= c == '\n';
            at += 1;
            continue;
        }
        while characters.get(at).is_some_and(|(_, c)| c.is_alphanumeric()) || joins(&characters, at)
        {
            at += 1;
        }
        let end = characters.get(at).map_or(text.len(), |(end, _)| *end);
        words.push(Word {
            text: &text[start..end],
            start,
            begins_line,
        });
        begins_line = false;
    }
    words
}

/// Whether the sign here, behind a letter or digit, is in a word.
fn joins(characters: &[(usize, char)], at: usize) -> bool {
    let character = |at: usize| characters.get(at).map(|(_, c)| *c);
    let Some(sign) = character(at) else {
        return false;
    };
    let before = at.checked_sub(1).and_then(character).unwrap_or(' ');
    let after = character(at + 1).unwrap_or(' ');
    let digits = before.is_ascii_digit() && after.is_ascii_digit();
    match sign {
        '-' | '\u{2010}' | '\u{2011}' | '/' | '_' => {
            before.is_alphanumeric() && after.is_alphanumeric()
        }
        ',' | ':' | '\'' | '\u{2019}' | '\u{2013}' => digits,
        // The end of a sentence, unless a digit follows, or a letter that stands alone.
        '.' => {
            let alone = !character(at + 2).is_some_and(char::is_alphanumeric);
            before.is_alphanumeric()
                && (after.is_ascii_digit()
                    || (after.is_ascii_uppercase() && alone && before.is_ascii_digit()))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_join_where_they_belong_to_a_word() {
        let texts: Vec<&str> =
            words("pads 2,5mm, P0301/P0420. W712/75 07/14/2026: 06A.906.088.C, 1'000 done.Next")
                .into_iter()
                .map(|word| word.text)
                .collect();
        assert_eq!(
            texts,
            [
                "pads",
                "2,5mm",
                "P0301/P0420",
                "W712/75",
                "07/14/2026",
                "06A.906.088.C",
                "1'000",
                "done",
                "Next"
            ]
        );
    }
}
