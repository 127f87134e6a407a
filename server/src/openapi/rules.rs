//! The rules that pages have to know, in the document as `x-rules`: what a schema cannot say. The page makes constants
//! of them (`web/api-rules.mjs`), so that none is written down twice.

use std::collections::BTreeMap;

use dispatch_actors::repair_order::{
    DUE_SOON, DisplayedStatus, LONG_STAY_DAYS, Priority, Status, TOO_LONG_STAY_DAYS,
};
use serde::Serialize;
use serde_json::json;
use utoipa::openapi::OpenApi;
use utoipa::openapi::extensions::Extensions;

use crate::boards::layout::Layout;
use crate::clocks::MAX_SHIFT;
use crate::error::ErrorCode;

/// Each member is a constant of the page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rules {
    /// Every status of the wire.
    statuses: Vec<StatusRule>,
    /// Those that screens show, in the order of tabs and pickers.
    displayed_statuses: [DisplayedStatus; 4],
    /// Where neither the desk's nor the dealer system's status is one of `statuses`.
    default_displayed_status: DisplayedStatus,
    /// The most urgent first.
    priorities: Vec<PriorityRule>,
    /// By displayed status: the priority that a change to it sets with it.
    automatic_priorities: BTreeMap<&'static str, Priority>,
    /// By displayed status and priority; the most urgent is 0.
    urgencies: BTreeMap<&'static str, BTreeMap<&'static str, u8>>,
    /// A promise within this many minutes is soon due.
    due_soon_minutes: i64,
    /// A used car or a delivery is marked from the first on, and marked as too long from the second on.
    long_stay_days: [u8; 2],
    /// A clock that runs for longer was forgotten.
    max_shift_hours: i64,
    /// In the order in which they are offered.
    board_layouts: Vec<BoardLayoutRule>,
    /// The HTTP status that goes with each error code.
    error_statuses: BTreeMap<&'static str, u16>,
}

#[derive(Serialize)]
struct StatusRule {
    name: Status,
    id: u8,
    displayed: DisplayedStatus,
}

#[derive(Serialize)]
struct PriorityRule {
    name: Priority,
    level: u8,
}

/// The most urgent category is the first.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BoardLayoutRule {
    name: Layout,
    categories: Vec<DisplayedStatus>,
    default_categories: Vec<DisplayedStatus>,
}

pub(super) fn describe(document: &mut OpenApi) {
    let rules = Extensions::from_iter([("x-rules", json!(rules()))]);
    document
        .extensions
        .get_or_insert_with(Extensions::default)
        .merge(rules);
}

fn rules() -> Rules {
    Rules {
        statuses: Status::ALL.map(status_rule).into(),
        displayed_statuses: DisplayedStatus::IN_TAB_ORDER,
        default_displayed_status: DisplayedStatus::DEFAULT,
        priorities: most_urgent_first().map(priority_rule).collect(),
        automatic_priorities: by_displayed_status(DisplayedStatus::automatic_priority),
        urgencies: by_displayed_status(urgencies),
        due_soon_minutes: DUE_SOON.as_mins(),
        long_stay_days: [LONG_STAY_DAYS, TOO_LONG_STAY_DAYS],
        max_shift_hours: MAX_SHIFT.as_hours(),
        board_layouts: Layout::ALL.map(board_layout_rule).into(),
        error_statuses: ErrorCode::ALL
            .iter()
            .map(|code| (code.as_str(), code.status().as_u16()))
            .collect(),
    }
}

fn status_rule(status: Status) -> StatusRule {
    StatusRule {
        name: status,
        id: status.id(),
        displayed: status.displayed(),
    }
}

fn priority_rule(priority: Priority) -> PriorityRule {
    PriorityRule {
        name: priority,
        level: priority.level(),
    }
}

fn most_urgent_first() -> impl Iterator<Item = Priority> {
    Priority::ALL.into_iter().rev()
}

fn by_displayed_status<Rule>(
    rule: impl Fn(DisplayedStatus) -> Rule,
) -> BTreeMap<&'static str, Rule> {
    let statuses = DisplayedStatus::ALL.into_iter();
    statuses
        .map(|status| (Status::from(status).name(), rule(status)))
        .collect()
}

fn urgencies(status: DisplayedStatus) -> BTreeMap<&'static str, u8> {
    most_urgent_first()
        .map(|priority| (priority.name(), status.urgency(priority)))
        .collect()
}

fn board_layout_rule(layout: Layout) -> BoardLayoutRule {
    let sorted = |mut categories: Vec<DisplayedStatus>| {
        categories.sort_by_key(|category| category.urgency(Priority::Waiting));
        categories
    };
    BoardLayoutRule {
        name: layout,
        categories: sorted(layout.categories().to_vec()),
        default_categories: sorted(layout.defaults().categories),
    }
}

#[cfg(test)]
mod tests {
    use dispatch_actors::repair_order::{DisplayedStatus, Priority, Status};
    use serde_json::{Value, json};

    fn document_rules() -> Value {
        let document: Value = serde_json::from_str(&crate::openapi::json().unwrap()).unwrap();
        document["x-rules"].clone()
    }

    #[test]
    fn the_document_has_every_status_and_priority_with_what_clients_send() {
        let rules = document_rules();
        for status in Status::ALL {
            let rule =
                json!({ "name": status, "id": status.id(), "displayed": status.displayed() });
            let statuses = rules["statuses"].as_array().unwrap();
            assert!(statuses.contains(&rule), "{rule}");
        }
        let levels = [("Waiting", 4), ("High", 3), ("Medium", 2), ("Low", 1)];
        let levels = levels.map(|(name, level)| json!({ "name": name, "level": level }));
        assert_eq!(rules["priorities"], json!(levels));
    }

    #[test]
    fn every_displayed_status_is_a_tab_and_has_its_priority_and_urgencies() {
        let rules = document_rules();
        let tabs = rules["displayedStatuses"].as_array().unwrap();
        assert_eq!(tabs.len(), DisplayedStatus::ALL.len());
        assert_eq!(rules["defaultDisplayedStatus"], "Drop");
        for status in DisplayedStatus::ALL {
            assert!(tabs.contains(&json!(status)));
            let name = Status::from(status).name();
            assert_eq!(
                rules["automaticPriorities"][name],
                json!(status.automatic_priority())
            );
            for priority in Priority::ALL {
                let urgency = &rules["urgencies"][name][priority.name()];
                assert_eq!(*urgency, status.urgency(priority));
            }
        }
    }

    #[test]
    fn the_document_says_from_when_on_times_are_marked_and_with_what_status_an_error_comes() {
        let rules = document_rules();
        assert_eq!(rules["dueSoonMinutes"], 30);
        assert_eq!(rules["longStayDays"], json!([7, 14]));
        assert_eq!(rules["maxShiftHours"], 12);
        assert_eq!(rules["errorStatuses"]["stale-version"], 409);
        let document: Value = serde_json::from_str(&crate::openapi::json().unwrap()).unwrap();
        let codes = document["components"]["schemas"]["ErrorCode"]["enum"].as_array();
        let statuses = rules["errorStatuses"].as_object().unwrap();
        assert_eq!(codes.unwrap().len(), statuses.len());
    }

    #[test]
    fn a_layout_has_its_categories_the_most_urgent_first() {
        let rules = document_rules();
        let lounge = json!({
            "name": "lounge",
            "categories": ["Waiting", "Drop"],
            "defaultCategories": ["Waiting"],
        });
        assert_eq!(rules["boardLayouts"][3], lounge);
        let shop_floor = &rules["boardLayouts"][0]["categories"];
        assert_eq!(*shop_floor, json!(["Waiting", "Drop", "Used", "PDI"]));
    }
}
