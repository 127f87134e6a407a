//! The text of a kept file, a piece at a time, so that a file of any length is looked through with little memory.
//! Knows no customers.

use std::io::{BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

/// Bytes that are read at once.
const PIECE_BYTES: u64 = 256 * 1024;

/// Of a packed file, 256 MB of text: a small file could unpack to a thousand times its size.
const MAX_UNPACKED_PIECES: usize = 1024;

const GZIP: [u8; 2] = [0x1F, 0x8B];

/// What Windows-1252 has for the bytes 0x80 to 0x9F; five are no characters, and stay control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Gives the pieces of a file's text. A piece ends where a row or a value does, if it can.
pub(super) struct FileText {
    /// None behind its end.
    source: Option<Box<dyn Read>>,
    /// None until the first bytes tell.
    encoding: Option<Encoding>,
    /// Bytes of the next piece.
    held: Vec<u8>,
    /// How many more may be read.
    pieces_left: usize,
    is_readable: bool,
}

impl FileText {
    /// The file may be packed with gzip.
    pub(super) fn new(file: impl Read + 'static) -> Self {
        Self::limited(file, MAX_UNPACKED_PIECES)
    }

    fn limited(file: impl Read + 'static, max_unpacked_pieces: usize) -> Self {
        let mut file = BufReader::new(file);
        // An error is met once more when the file is read.
        let is_packed = file.fill_buf().is_ok_and(|bytes| bytes.starts_with(&GZIP));
        let source: Box<dyn Read> = match is_packed {
            true => Box::new(MultiGzDecoder::new(file)),
            false => Box::new(file),
        };
        Self {
            source: Some(source),
            encoding: None,
            held: Vec::new(),
            pieces_left: match is_packed {
                true => max_unpacked_pieces,
                false => usize::MAX,
            },
            is_readable: true,
        }
    }

    /// Whether all that was read so far was text. Behind the last piece: whether the whole file was.
    pub(super) fn is_readable(&self) -> bool {
        self.is_readable
    }

    /// Reads on; false at the end, and where the file cannot be read any further.
    fn fill(&mut self) -> bool {
        let Some(source) = &mut self.source else {
            return false;
        };
        let has_more = if self.pieces_left == 0 {
            self.is_readable = false;
            false
        } else {
            self.pieces_left -= 1;
            let count = source
                .by_ref()
                .take(PIECE_BYTES)
                .read_to_end(&mut self.held);
            self.is_readable &= count.is_ok();
            count.is_ok_and(|count| count > 0)
        };
        if !has_more {
            self.source = None;
        }
        has_more
    }
}

impl Iterator for FileText {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let has_more = self.fill();
        if self.held.is_empty() {
            return None;
        }
        let encoding = *self
            .encoding
            .get_or_insert_with(|| Encoding::of(&self.held));
        let end = match has_more {
            true => encoding.end_of_piece(&self.held),
            false => self.held.len(),
        };
        let rest = self.held.split_off(end);
        let piece = std::mem::replace(&mut self.held, rest);
        let text = encoding.text(&piece);
        self.is_readable &= !text.chars().any(is_of_no_text);
        Some(text)
    }
}

#[derive(Clone, Copy)]
enum Encoding {
    /// UTF-8, and Windows-1252 where it is not.
    Bytes,
    /// By how two bytes are one unit.
    Utf16(fn([u8; 2]) -> u16),
}

impl Encoding {
    /// By the file's first bytes.
    fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(&[0xFF, 0xFE]) {
            Self::Utf16(u16::from_le_bytes)
        } else if bytes.starts_with(&[0xFE, 0xFF]) {
            Self::Utf16(u16::from_be_bytes)
        } else {
            Self::Bytes
        }
    }

    /// Behind the last line end, comma or tag; bytes without any are cut where they end.
    fn end_of_piece(self, bytes: &[u8]) -> usize {
        let ends = |unit: u16| [b'\n', b',', b'>'].map(u16::from).contains(&unit);
        match self {
            Self::Bytes => bytes
                .iter()
                .rposition(|&byte| ends(byte.into()))
                .map_or(bytes.len(), |at| at + 1),
            Self::Utf16(unit) => {
                let (pairs, _) = bytes.as_chunks::<2>();
                let end = pairs.iter().rposition(|&pair| ends(unit(pair)));
                2 * end.map_or(pairs.len(), |at| at + 1)
            }
        }
    }

    fn text(self, bytes: &[u8]) -> String {
        match self {
            Self::Bytes => utf8_or_windows(bytes),
            Self::Utf16(unit) => {
                let (pairs, _) = bytes.as_chunks::<2>();
                char::decode_utf16(pairs.iter().map(|&pair| unit(pair)))
                    .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect()
            }
        }
    }
}

fn utf8_or_windows(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| windows_1252(byte)));
    }
    text
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// A spreadsheet, an archive or a picture is full of them. DOS ends a text with U+001A.
fn is_of_no_text(letter: char) -> bool {
    letter.is_control() && !letter.is_whitespace() && letter != '\u{1a}'
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(content: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(content).unwrap();
        packed.finish().unwrap()
    }

    fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(unit).collect()
    }

    /// The text, and whether it is all of it.
    fn read(mut file: FileText) -> (String, bool) {
        let text = file.by_ref().collect();
        (text, file.is_readable())
    }

    #[test]
    fn a_text_is_read_in_every_encoding_that_a_spreadsheet_saves() {
        let text = "Müller,\nDvořák\n";
        for bytes in [
            text.as_bytes().to_vec(),
            utf16(text, u16::to_le_bytes),
            utf16(text, u16::to_be_bytes),
            packed(text.as_bytes()),
            packed(&utf16(text, u16::to_le_bytes)),
        ] {
            let (read, is_readable) = read(FileText::new(Cursor::new(bytes)));
            assert_eq!(read.trim_start_matches('\u{feff}'), text);
            assert!(is_readable);
        }
        // One row was added by another program.
        let mixed = b"M\xFCller \x80 5\nM\xC3\xBCller\x1A".to_vec();
        let expected = "Müller € 5\nMüller\u{1a}".to_owned();
        assert_eq!(read(FileText::new(Cursor::new(mixed))), (expected, true));
        assert_eq!(read(FileText::new(Cursor::new(""))), (String::new(), true));
    }

    #[test]
    fn a_long_text_is_cut_between_its_rows() {
        let text = "14389;Ann Müller\n".repeat(40_000);
        for bytes in [text.clone().into_bytes(), utf16(&text, u16::to_le_bytes)] {
            let pieces: Vec<String> = FileText::new(Cursor::new(bytes)).collect();
            assert!(pieces.len() > 2, "{}", pieces.len());
            assert!(pieces.iter().all(|piece| piece.ends_with("Müller\n")));
            assert_eq!(pieces.concat().trim_start_matches('\u{feff}'), text);
        }
        let without_end = "x".repeat(600_000);
        let file = FileText::new(Cursor::new(without_end.clone()));
        assert_eq!(read(file), (without_end, true));
    }

    #[test]
    fn what_is_no_text_or_cannot_be_unpacked_is_not_readable() {
        let text = "number\n".repeat(100_000);
        let whole = packed(text.as_bytes());
        for bytes in [
            b"PK\x03\x04\x14\0\0\0\x08\0".to_vec(),
            packed(&packed(b"number\n1\n")),
            whole[..whole.len() - 4].to_vec(),
            GZIP.to_vec(),
        ] {
            assert!(!read(FileText::new(Cursor::new(bytes))).1);
        }
        let file = |pieces| FileText::limited(Cursor::new(whole.clone()), pieces);
        assert_eq!(read(file(10)), (text.clone(), true));
        let (beginning, is_readable) = read(file(1));
        assert!(!is_readable);
        assert!(text.starts_with(&beginning) && beginning.len() as u64 == PIECE_BYTES);
    }
}
