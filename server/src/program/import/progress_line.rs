//! How far an import is, on the terminal.

use std::io::{IsTerminal, Write};

use dispatch_server::intake::ImportProgress;

/// One line that is written again and again. Nothing is written where standard error is not a
/// terminal.
pub struct ProgressLine<'a> {
    name: &'a str,
    is_shown: bool,
}

impl<'a> ProgressLine<'a> {
    pub fn new(name: &'a str) -> Self {
        let is_shown = std::io::stderr().is_terminal();
        Self { name, is_shown }
    }

    pub fn show(&self, progress: ImportProgress) {
        let ImportProgress {
            created,
            changed,
            unchanged,
            refused,
        } = progress;
        let orders = with_separators(created + changed + unchanged);
        let refused = with_separators(refused);
        self.write(format_args!(
            "{}: {orders} repair orders, {refused} refused",
            self.name
        ));
    }

    pub fn clear(&self) {
        self.write(format_args!(""));
    }

    /// Writes over the line, and clears the rest of it.
    fn write(&self, text: std::fmt::Arguments<'_>) {
        if self.is_shown {
            let mut stderr = std::io::stderr();
            let _ = write!(stderr, "\r{text}\x1b[K").and_then(|()| stderr.flush());
        }
    }
}

/// 3200 is 3,200.
pub fn with_separators(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
