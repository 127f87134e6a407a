//! Work that is done again and again, and the log: what fails is said once, until it works again.

/// Whether the work failed when it was done last.
#[derive(Debug, Default)]
pub struct FirstFailure {
    has_failed: bool,
}

impl FirstFailure {
    /// The error that is worth a line: none where the work went well, and where it failed before, too.
    pub fn of<E>(&mut self, done: Result<(), E>) -> Option<E> {
        let error = done.err();
        let had_failed = std::mem::replace(&mut self.has_failed, error.is_some());
        error.filter(|_| !had_failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_said_once_until_the_work_goes_well() {
        let mut failure = FirstFailure::default();
        let said = [Ok(()), Err(1), Err(2), Ok(()), Err(3)].map(|done| failure.of(done));
        assert_eq!(said, [None, Some(1), None, None, Some(3)]);
    }
}
