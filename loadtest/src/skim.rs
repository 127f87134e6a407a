//! What a reader needs of a packet, without reading the rest: a change is a kilobyte or two, of
//! which four numbers matter.

use jiff::Timestamp;

use crate::clock::Micros;

#[derive(Debug, PartialEq)]
pub enum Packet<'a> {
    /// Engine.IO's first.
    Open,
    Ping,
    /// The answer to CONNECT, with the `pid` that recovery needs, if the server has that.
    Connected {
        pid: Option<&'a str>,
    },
    Refused(&'a str),
    Disconnected,
    Event(Event<'a>),
    Other,
}

#[derive(Debug, PartialEq)]
pub struct Event<'a> {
    pub kind: Kind,
    /// The last argument, where it is a text.
    pub offset: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Hello(Progress),
    Tick(Progress),
    Modified(Modified),
    /// None that a reader needs, or a client's hint, which has no number.
    Other,
}

/// How far the stream is, and whether the server has read the database lately.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    pub seq: i64,
    /// False while what is on a screen may be old.
    pub is_read: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modified {
    pub seq: i64,
    pub number: i64,
    /// The order's version in this message's rows, the event's own where it has none.
    pub version: i64,
    /// Without rows it is on no list any more.
    pub open: bool,
    pub stamped: Option<Micros>,
}

/// None for what is no packet.
pub fn skim(packet: &[u8]) -> Option<Packet<'_>> {
    Some(match packet {
        [b'0', ..] => Packet::Open,
        [b'2', ..] => Packet::Ping,
        [b'4', b'0', auth @ ..] => Packet::Connected { pid: pid(auth) },
        [b'4', b'1', ..] => Packet::Disconnected,
        [b'4', b'4', refusal @ ..] => Packet::Refused(std::str::from_utf8(refusal).ok()?),
        [b'4', b'2', arguments @ ..] => Packet::Event(event(arguments)?),
        _ => Packet::Other,
    })
}

fn pid(answer: &[u8]) -> Option<&str> {
    let mut pid = None;
    Scan::new(answer).object(|key, value| {
        match key {
            b"pid" => pid = Some(value.text()?),
            _ => value.skip()?,
        }
        Some(())
    })?;
    std::str::from_utf8(pid?).ok()
}

/// `["RO_MODIFIED",{..},"812"]`
fn event(arguments: &[u8]) -> Option<Event<'_>> {
    let (mut name, mut kind, mut offset) = (None, Kind::Other, None);
    Scan::new(arguments).list(|place, value| {
        offset = None;
        match (place, value.peek()?) {
            (0, _) => name = Some(value.text()?),
            (1, b'{') => {
                kind = match name? {
                    b"RO_MODIFIED" => modified(value)?.map_or(Kind::Other, Kind::Modified),
                    b"hello" => Kind::Hello(progress(value)?),
                    b"tick" => Kind::Tick(progress(value)?),
                    _ => {
                        value.skip()?;
                        Kind::Other
                    }
                }
            }
            (_, b'"') => offset = Some(value.text()?),
            _ => value.skip()?,
        }
        Some(())
    })?;
    Some(Event {
        kind,
        offset: offset.and_then(|offset| std::str::from_utf8(offset).ok()),
    })
}

fn progress(value: &mut Scan<'_>) -> Option<Progress> {
    let (mut seq, mut is_read) = (None, true);
    value.object(|key, value| {
        match key {
            b"seq" => seq = Some(value.number()?),
            b"notReadSince" => {
                is_read = value.peek()? == b'n';
                value.skip()?;
            }
            _ => value.skip()?,
        }
        Some(())
    })?;
    Some(Progress { seq: seq?, is_read })
}

fn modified(value: &mut Scan<'_>) -> Option<Option<Modified>> {
    let (mut seq, mut number, mut version, mut rows, mut stamped) = (None, None, 0, None, None);
    value.object(|key, value| {
        match key {
            b"seq" => seq = value.number_or_null()?,
            b"roNumber" => number = Some(value.number()?),
            b"version" => version = value.number()?,
            b"timestamp" => stamped = timestamp(value.text()?),
            b"rows" => rows = newest_row(value)?,
            _ => value.skip()?,
        }
        Some(())
    })?;
    let Some(seq) = seq else {
        return Some(None);
    };
    Some(Some(Modified {
        seq,
        number: number?,
        version: rows.unwrap_or(version),
        open: rows.is_some(),
        stamped,
    }))
}

/// The highest version of the rows; within, none where there is no row.
fn newest_row(rows: &mut Scan<'_>) -> Option<Option<i64>> {
    let mut newest = None;
    rows.list(|_, row| {
        row.object(|key, value| {
            match key {
                b"version" => newest = newest.max(Some(value.number()?)),
                _ => value.skip()?,
            }
            Some(())
        })
    })?;
    Some(newest)
}

fn timestamp(text: &[u8]) -> Option<Micros> {
    let timestamp: Timestamp = std::str::from_utf8(text).ok()?.parse().ok()?;
    Some(timestamp.as_microsecond())
}

/// A place in JSON. Every step answers none at what is no JSON; what it skips is checked no further
/// than finding its end needs.
struct Scan<'a> {
    rest: &'a [u8],
}

impl<'a> Scan<'a> {
    fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// The first byte of the next token.
    fn peek(&mut self) -> Option<u8> {
        self.rest = self.rest.trim_ascii_start();
        self.rest.first().copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.rest = &self.rest[1..])
    }

    /// `each` must go past the value it is given.
    fn object(&mut self, mut each: impl FnMut(&'a [u8], &mut Self) -> Option<()>) -> Option<()> {
        self.take(b'{')?;
        if self.peek()? == b'}' {
            return self.take(b'}');
        }
        loop {
            let key = self.text()?;
            self.take(b':')?;
            each(key, self)?;
            match self.peek()? {
                b',' => self.take(b',')?,
                _ => return self.take(b'}'),
            }
        }
    }

    /// `each` must go past the value it is given.
    fn list(&mut self, mut each: impl FnMut(usize, &mut Self) -> Option<()>) -> Option<()> {
        self.take(b'[')?;
        if self.peek()? == b']' {
            return self.take(b']');
        }
        for place in 0.. {
            each(place, self)?;
            match self.peek()? {
                b',' => self.take(b',')?,
                _ => return self.take(b']'),
            }
        }
        None
    }

    /// A string as it is written, escapes and all: what is compared here has none.
    fn text(&mut self) -> Option<&'a [u8]> {
        self.take(b'"')?;
        let mut end = 0;
        loop {
            match self.rest.get(end)? {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(text)
    }

    fn number(&mut self) -> Option<i64> {
        let word = self.word()?;
        std::str::from_utf8(word).ok()?.parse().ok()
    }

    fn number_or_null(&mut self) -> Option<Option<i64>> {
        match self.peek()? {
            b'n' => self.word().map(|_| None),
            _ => self.number().map(Some),
        }
    }

    /// A number, true, false or null.
    fn word(&mut self) -> Option<&'a [u8]> {
        self.peek()?;
        let ends =
            |byte: &u8| matches!(byte, b',' | b'}' | b']' | b':') || byte.is_ascii_whitespace();
        let end = self.rest.iter().position(ends).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn skip(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.text().map(drop),
            b'{' | b'[' => self.skip_nested(),
            _ => self.word().map(drop),
        }
    }

    fn skip_nested(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match *self.rest.first()? {
                b'"' => {
                    self.text()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.rest = &self.rest[1..];
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests;
