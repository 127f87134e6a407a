//! Finds where JSON values end without reading them, and while they are still arriving, so that one
//! broken entry of a list is refused by itself and every entry's own text can be kept.

/// Looks for the end of the value at which it starts.
#[derive(Clone, Default)]
pub(super) struct ValueScan {
    /// How far it looked.
    pub(super) at: usize,
    depth: usize,
    state: State,
    /// Of the outermost object: what its next text is, and its members' lists are looked for.
    member: Member,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Nothing,
    Text,
    /// Behind a backslash of a text.
    Escape,
    /// A number, true, false, null, or whatever else stands between delimiters.
    Bare,
}

#[derive(Clone, Copy, Default)]
enum Member {
    #[default]
    BeforeName,
    /// From its opening quote.
    Name(usize),
    Named(usize, usize),
    BeforeValue(usize, usize),
    Value,
}

pub(super) enum ValueEnd {
    /// The rest has not arrived yet.
    Open,
    At(usize),
    /// The file ends in the middle of it.
    Cut,
    /// No value starts here.
    Nothing,
}

impl ValueScan {
    /// `bytes` start where the value does; `at_end` when no more will follow.
    pub(super) fn scan(&mut self, bytes: &[u8], at_end: bool) -> ValueEnd {
        loop {
            let Some(&byte) = bytes.get(self.at) else {
                return match self.state {
                    _ if !at_end => ValueEnd::Open,
                    State::Bare if self.depth == 0 => ValueEnd::At(self.at),
                    _ => ValueEnd::Cut,
                };
            };
            if let Some(end) = self.step(byte) {
                return end;
            }
        }
    }

    fn step(&mut self, byte: u8) -> Option<ValueEnd> {
        let outermost = self.depth == 0;
        match (self.state, byte) {
            (State::Escape, _) => self.state = State::Text,
            (State::Text, b'\\') => self.state = State::Escape,
            (State::Text, b'"') => {
                self.state = State::Nothing;
                if outermost {
                    return Some(ValueEnd::At(self.at + 1));
                }
            }
            (State::Text, _) => {}
            (State::Bare, byte) if delimits(byte) => return Some(ValueEnd::At(self.at)),
            (State::Bare, _) => {}
            (State::Nothing, b'"') => self.state = State::Text,
            (State::Nothing, b'{' | b'[') => self.depth += 1,
            (State::Nothing, b'}' | b']') if outermost => return Some(ValueEnd::Nothing),
            (State::Nothing, b'}' | b']') => {
                self.depth -= 1;
                if self.depth == 0 {
                    return Some(ValueEnd::At(self.at + 1));
                }
            }
            (State::Nothing, byte) if outermost && delimits(byte) => {
                return Some(ValueEnd::Nothing);
            }
            (State::Nothing, _) if outermost => self.state = State::Bare,
            (State::Nothing, _) => {}
        }
        self.at += 1;
        None
    }

    /// As [`scan`](Self::scan), but stops at the list or object that the outermost object holds
    /// under one of `names`: true where it found one, which starts at `at`.
    pub(super) fn find_member(&mut self, bytes: &[u8], names: &[&str]) -> (bool, ValueEnd) {
        loop {
            let Some(&byte) = bytes.get(self.at) else {
                return (false, ValueEnd::Open);
            };
            if self.depth == 1 && self.state != State::Escape {
                let text = self.state == State::Text;
                self.member = match (self.member, byte) {
                    (Member::BeforeName, b'"') => Member::Name(self.at + 1),
                    (Member::Name(start), b'"') if text => Member::Named(start, self.at),
                    (Member::Named(start, end), b':') => Member::BeforeValue(start, end),
                    (Member::BeforeValue(start, end), b'{' | b'[')
                        if names
                            .iter()
                            .any(|name| name.as_bytes() == &bytes[start..end]) =>
                    {
                        return (true, ValueEnd::Open);
                    }
                    (before @ Member::BeforeValue(..), byte) if byte.is_ascii_whitespace() => {
                        before
                    }
                    (Member::BeforeValue(..), _) => Member::Value,
                    (_, b',') if !text => Member::BeforeName,
                    (member, _) => member,
                };
            }
            if let Some(end) = self.step(byte) {
                return (false, end);
            }
        }
    }

    /// The scanned bytes are gone from the buffer.
    pub(super) fn forget(&mut self) {
        self.at = 0;
    }
}

fn delimits(byte: u8) -> bool {
    matches!(byte, b',' | b':' | b'"' | b'{' | b'}' | b'[' | b']') || byte.is_ascii_whitespace()
}

/// Whether a text is one object, from its first to its last character.
pub(super) fn is_one_object(text: &str) -> bool {
    text.starts_with('{')
        && matches!(ValueScan::default().scan(text.as_bytes(), true), ValueEnd::At(end) if end == text.len())
}
