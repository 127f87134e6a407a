//! What has arrived of a file and is not read yet, and where in the file it stands.

/// A warranty story has some 10 KB. A longer row is rejected, so that
/// memory does not grow with what a file leaves unclosed.
pub(crate) const MAX_ROW_BYTES: usize = 8 * 1024 * 1024;

pub(crate) struct Buffer {
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
    pub(crate) fn new() -> Self {
        Self {
            bytes: Vec::new(),
            read: 0,
            line: 1,
            column: 0,
            offset: 0,
            after_cr: false,
        }
    }

    pub(crate) fn push(&mut self, more: &[u8]) {
        // Moving what is left costs no more than what was read.
        if self.read >= self.bytes.len() / 2 {
            self.bytes.drain(..self.read);
            self.read = 0;
        }
        self.bytes.extend_from_slice(more);
    }

    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.read..]
    }

    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// The current line as a record or reject names it.
    pub(crate) fn line_place(&self) -> String {
        format!("line {}", self.line)
    }

    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// Line and column (from 1) of the byte `ahead` of the next one.
    fn position(&self, ahead: usize) -> (usize, usize) {
        let (mut line, mut column, mut after_cr) = (self.line, self.column, self.after_cr);
        for &byte in &self.rest()[..ahead] {
            step(byte, &mut line, &mut column, &mut after_cr);
        }
        (line, column + 1)
    }

    /// The next `end` bytes as text, or line and column of the first that is not UTF-8.
    pub(crate) fn text(&self, end: usize) -> Result<&str, (usize, usize)> {
        std::str::from_utf8(&self.rest()[..end]).map_err(|error| self.position(error.valid_up_to()))
    }

    /// Moves behind the next `count` bytes.
    pub(crate) fn skip(&mut self, count: usize) {
        let end = self.read + count;
        for &byte in &self.bytes[self.read..end] {
            step(byte, &mut self.line, &mut self.column, &mut self.after_cr);
        }
        self.read = end;
        self.offset += count;
    }

    /// Moves behind what JSON calls white space.
    pub(crate) fn skip_space(&mut self) {
        let space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let count = self.rest().iter().take_while(|byte| space(byte)).count();
        self.skip(count);
    }

    /// Forgets what is behind the next `count` bytes.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.bytes.truncate(self.read + count);
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
