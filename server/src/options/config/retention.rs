//! For how long old rows are kept, and no shorter than something still needs them.

use super::ConfigError;
use crate::options::cli::RetentionOptions;
use crate::retention::{KeepDays, RetentionTerms};

/// The figures of this month and the last are counted from closed orders, their events and the clocks.
const MIN_FIGURES_DAYS: u32 = 62;

/// A tablet that was off for a week is told what became of its assignments.
const MIN_RECEIPTS_DAYS: u32 = 7;

/// What strangers did is kept so long.
const MIN_AUDIT_DAYS: u32 = 30;

/// As long as the answer to an interview's last request is kept.
const MIN_CONVERSATIONS_DAYS: u32 = 2;

pub(super) fn terms(
    options: RetentionOptions,
    file: RetentionOptions,
) -> Result<RetentionTerms, ConfigError> {
    let default = RetentionTerms::default();
    let term = |name, option: Option<KeepDays>, file: Option<KeepDays>, min, default| {
        let term = option.or(file).unwrap_or(default);
        match term.is_shorter_than(min) {
            true => Err(ConfigError::KeptTooShort { name, min }),
            false => Ok(term),
        }
    };
    let closed_orders = term(
        "keep-closed-orders-days",
        options.keep_closed_orders_days,
        file.keep_closed_orders_days,
        MIN_FIGURES_DAYS,
        default.closed_orders,
    )?;
    Ok(RetentionTerms {
        closed_orders,
        events: term(
            "keep-events-days",
            options.keep_events_days,
            file.keep_events_days,
            MIN_FIGURES_DAYS,
            closed_orders,
        )?,
        receipts: term(
            "keep-receipts-days",
            options.keep_receipts_days,
            file.keep_receipts_days,
            MIN_RECEIPTS_DAYS,
            default.receipts,
        )?,
        clocks: term(
            "keep-clocks-days",
            options.keep_clocks_days,
            file.keep_clocks_days,
            MIN_FIGURES_DAYS,
            default.clocks,
        )?,
        audit: term(
            "keep-audit-days",
            options.keep_audit_days,
            file.keep_audit_days,
            MIN_AUDIT_DAYS,
            default.audit,
        )?,
        conversations: term(
            "keep-conversations-days",
            options.keep_conversations_days,
            file.keep_conversations_days,
            MIN_CONVERSATIONS_DAYS,
            default.conversations,
        )?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(closed_orders: &str, events: &str) -> RetentionOptions {
        RetentionOptions {
            keep_closed_orders_days: closed_orders.parse().ok(),
            keep_events_days: events.parse().ok(),
            ..RetentionOptions::default()
        }
    }

    #[test]
    fn the_command_line_goes_before_the_file_and_events_are_kept_as_long_as_orders() {
        let terms = |options, file| terms(options, file).unwrap();
        let none = RetentionOptions::default;
        assert_eq!(terms(none(), none()), RetentionTerms::default());
        let chosen = terms(days("100", ""), days("200", "forever"));
        assert_eq!(chosen.closed_orders, KeepDays::Days(100));
        assert_eq!(chosen.events, KeepDays::Forever);
        assert_eq!(terms(none(), days("forever", "")).events, KeepDays::Forever);
    }

    #[test]
    fn what_figures_are_counted_from_is_not_kept_for_a_shorter_time() {
        let refused = terms(days("61", ""), RetentionOptions::default());
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("--keep-closed-orders-days"), "{refused}");
        assert!(refused.contains("62"), "{refused}");
    }
}
