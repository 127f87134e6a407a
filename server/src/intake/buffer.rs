//! What has arrived of a file and is not read yet, and where in the file it stands.

/// The longest row, in bytes: a warranty story has some 10 KB. A longer one is refused, so that
/// memory does not grow with what a file leaves unclosed.
pub(super) const LONGEST_ROW: usize = 8 * 1024 * 1024;

pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// How many of `bytes` are read.
    read: usize,
    /// Of the file, from 1.
    line: usize,
    /// Bytes of that line which are read.
    column: usize,
    /// Bytes of the file which are read.
    offset: usize,
    after_cr: bool,
}

impl Buffer {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::new(),
            read: 0,
            line: 1,
            column: 0,
            offset: 0,
            after_cr: false,
        }
    }

    pub(super) fn push(&mut self, more: &[u8]) {
        // Moving what is left costs no more than what was read.
        if self.read >= self.bytes.len() / 2 {
            self.bytes.drain(..self.read);
            self.read = 0;
        }
        self.bytes.extend_from_slice(more);
    }

    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.read..]
    }

    pub(super) fn line(&self) -> usize {
        self.line
    }

    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// Line and column (from 1) of the byte `ahead` of the next one.
    pub(super) fn position(&self, ahead: usize) -> (usize, usize) {
        let (mut line, mut column, mut after_cr) = (self.line, self.column, self.after_cr);
        for &byte in &self.rest()[..ahead] {
            step(byte, &mut line, &mut column, &mut after_cr);
        }
        (line, column + 1)
    }

    /// Goes on behind the next `count` bytes.
    pub(super) fn skip(&mut self, count: usize) {
        let end = self.read + count;
        for &byte in &self.bytes[self.read..end] {
            step(byte, &mut self.line, &mut self.column, &mut self.after_cr);
        }
        self.read = end;
        self.offset += count;
    }

    /// Goes on behind what JSON calls white space.
    pub(super) fn skip_space(&mut self) {
        let space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let count = self.rest().iter().take_while(|byte| space(byte)).count();
        self.skip(count);
    }

    /// Forgets what is behind the next `most` bytes.
    pub(super) fn keep(&mut self, most: usize) {
        self.bytes.truncate(self.read + most);
    }
}

/// `\n`, `\r\n` and `\r` alone end a line.
fn step(byte: u8, line: &mut usize, column: &mut usize, after_cr: &mut bool) {
    match byte {
        b'\n' if *after_cr => {}
        b'\n' | b'\r' => {
            *line += 1;
            *column = 0;
        }
        _ => *column += 1,
    }
    *after_cr = byte == b'\r';
}
