//! What a board shows and how: its layout, its settings, and the view that both make.

use std::fmt;

use dispatch_actors::repair_order::{DisplayedStatus, TechnicianId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::boards::api_types::{BoardSettings, SettingsFields, WholeNumber};
use crate::error::ApiError;

/// Technicians that a board may be about.
const MAX_TECHNICIANS: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = BoardLayout)]
pub enum Layout {
    /// A column for each technician, with their cars.
    ShopFloor,
    /// Waiting and drop-off by promise.
    Queue,
    /// Used cars and deliveries being prepared, by the days they have been here.
    UsedPdi,
    /// For customers: no number, no whole name, nothing of what is wrong with their car.
    Lounge,
}

impl Layout {
    pub const ALL: [Layout; 4] = [
        Layout::ShopFloor,
        Layout::Queue,
        Layout::UsedPdi,
        Layout::Lounge,
    ];

    /// As it is written on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Layout::ShopFloor => "shop-floor",
            Layout::Queue => "queue",
            Layout::UsedPdi => "used-pdi",
            Layout::Lounge => "lounge",
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layout| layout.name() == name)
    }

    /// What it can show.
    pub fn categories(self) -> &'static [DisplayedStatus] {
        match self {
            Layout::ShopFloor => &DisplayedStatus::ALL,
            Layout::Queue | Layout::Lounge => &[DisplayedStatus::Drop, DisplayedStatus::Waiting],
            Layout::UsedPdi => &[DisplayedStatus::Used, DisplayedStatus::Pdi],
        }
    }

    /// As it is until somebody wants it otherwise.
    pub fn defaults(self) -> BoardSettings {
        BoardSettings {
            categories: match self {
                // A customer who dropped the car off is not in the lounge.
                Layout::Lounge => vec![DisplayedStatus::Waiting],
                other => other.categories().to_vec(),
            },
            technicians: Vec::new(),
            columns: None,
            text_size: TextSize::Normal,
            page_seconds: match self {
                Layout::Lounge => 12,
                Layout::ShopFloor | Layout::Queue | Layout::UsedPdi => 15,
            },
            theme: match self {
                Layout::Lounge => Theme::Light,
                Layout::ShopFloor | Layout::Queue | Layout::UsedPdi => Theme::Dark,
            },
            dim_from: Some("19:00".to_owned()),
            dim_until: Some("06:30".to_owned()),
            language: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = BoardTextSize)]
pub enum TextSize {
    Normal,
    Large,
    Larger,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = BoardTheme)]
pub enum Theme {
    Dark,
    Light,
}

/// What of the shop's orders boards show: equal ones get the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub layout: Layout,
    /// Sorted; never empty.
    categories: Vec<DisplayedStatus>,
    /// Sorted; empty: all.
    technicians: Vec<TechnicianId>,
}

impl View {
    pub fn of(layout: Layout, settings: &BoardSettings) -> Self {
        let can = layout.categories();
        let mut categories = settings.categories.clone();
        categories.retain(|category| can.contains(category));
        if categories.is_empty() {
            categories = can.to_vec();
        }
        categories.sort_unstable();
        categories.dedup();
        let mut technicians = settings.technicians.clone();
        technicians.sort_unstable();
        technicians.dedup();
        Self {
            layout,
            categories,
            technicians,
        }
    }

    pub fn has(&self, category: DisplayedStatus) -> bool {
        self.categories.contains(&category)
    }

    /// Whether it is about this technician.
    pub fn is_about(&self, technician: TechnicianId) -> bool {
        self.technicians.is_empty() || self.technicians.binary_search(&technician).is_ok()
    }

    /// Whether it is about all of them.
    pub fn is_about_all(&self) -> bool {
        self.technicians.is_empty()
    }
}

/// As one word, the same in every process.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            layout,
            categories,
            technicians,
        } = self;
        write!(f, "{}:{categories:?}:{technicians:?}", layout.name())
    }
}

impl BoardSettings {
    /// With what was sent. 400 `invalid-request`.
    pub fn with(mut self, fields: SettingsFields) -> Result<Self, ApiError> {
        let SettingsFields {
            categories,
            technicians,
            columns,
            text_size,
            page_seconds,
            theme,
            dim_from,
            dim_until,
            language,
        } = fields;
        if let Some(mut categories) = categories {
            categories.sort_unstable();
            categories.dedup();
            self.categories = categories;
        }
        if let Some(technicians) = technicians {
            if technicians.len() > MAX_TECHNICIANS {
                return Err(ApiError::invalid(format!(
                    "A board is about {MAX_TECHNICIANS} technicians at most"
                )));
            }
            self.technicians = technicians
                .into_iter()
                .map(|number| between("A technician's number", number, 0, i64::MAX))
                .collect::<Result<_, _>>()?;
        }
        if let Some(columns) = columns {
            self.columns = columns
                .map(|columns| between("columns", columns, 1, 12))
                .transpose()?
                .map(|columns| columns as i32);
        }
        if let Some(seconds) = page_seconds {
            self.page_seconds = between("pageSeconds", seconds, 5, 120)? as i32;
        }
        self.text_size = text_size.unwrap_or(self.text_size);
        self.theme = theme.unwrap_or(self.theme);
        self.language = language.unwrap_or(self.language);
        for (ours, theirs) in [
            (&mut self.dim_from, dim_from),
            (&mut self.dim_until, dim_until),
        ] {
            if let Some(theirs) = theirs {
                *ours = theirs.map(time_of_day).transpose()?;
            }
        }
        Ok(self)
    }
}

fn between(
    what: &str,
    WholeNumber(number): WholeNumber,
    least: i64,
    most: i64,
) -> Result<i64, ApiError> {
    if (least..=most).contains(&number) {
        Ok(number)
    } else if most == i64::MAX {
        Err(ApiError::invalid(format!("{what} is {least} or more")))
    } else {
        Err(ApiError::invalid(format!("{what} is {least} to {most}")))
    }
}

fn time_of_day(text: String) -> Result<String, ApiError> {
    let digits = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
    let fits = text.split_once(':').is_some_and(|(hours, minutes)| {
        digits(hours) && digits(minutes) && hours < "24" && minutes < "60"
    });
    if fits {
        Ok(text)
    } else {
        Err(ApiError::invalid(
            "dimFrom and dimUntil are times such as 19:00, or null",
        ))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn settings(layout: Layout, sent: serde_json::Value) -> Result<BoardSettings, ApiError> {
        layout
            .defaults()
            .with(serde_json::from_value(sent).unwrap())
    }

    #[test]
    fn layouts_that_differ_only_in_appearance_share_one_view() {
        let view = |sent| View::of(Layout::Queue, &settings(Layout::Queue, sent).unwrap());
        let plain = view(json!({}));
        for same in [
            json!({ "theme": "light", "columns": 3, "textSize": "larger", "dimFrom": null }),
            json!({ "categories": ["Waiting", "Drop", "Waiting"], "technicians": [] }),
            json!({ "categories": [] }),
            // A queue cannot show them.
            json!({ "categories": ["Used", "PDI"] }),
        ] {
            assert_eq!(view(same.clone()), plain, "{same}");
        }
        assert_eq!(
            view(json!({ "technicians": [7, 3, 7] })),
            view(json!({ "technicians": [3, 7.0] }))
        );
        assert_ne!(view(json!({ "technicians": [3] })), plain);
        assert_ne!(view(json!({ "categories": ["Drop"] })), plain);
        assert!(view(json!({ "categories": ["Drop", "Used"] })).has(DisplayedStatus::Drop));
        assert!(!view(json!({ "categories": ["Drop", "Used"] })).has(DisplayedStatus::Used));
    }

    #[test]
    fn settings_keep_to_their_bounds() {
        for wrong in [
            json!({ "columns": 0 }),
            json!({ "columns": 13 }),
            json!({ "pageSeconds": 121 }),
            json!({ "technicians": [-1] }),
            json!({ "technicians": vec![1; 201] }),
            json!({ "dimFrom": "7:00" }),
            json!({ "dimUntil": "24:00" }),
            json!({ "dimUntil": "12:60" }),
        ] {
            let refused = settings(Layout::Lounge, wrong.clone()).unwrap_err();
            assert_eq!(refused.code.as_str(), "invalid-request", "{wrong}");
        }
        let all = settings(
            Layout::Lounge,
            json!({ "columns": null, "pageSeconds": 5.0, "dimFrom": "23:59", "dimUntil": null }),
        );
        let all = all.unwrap();
        assert_eq!((all.columns, all.page_seconds), (None, 5));
        assert_eq!(
            (all.dim_from.as_deref(), all.dim_until),
            (Some("23:59"), None)
        );
    }

    #[test]
    fn a_layout_has_one_spelling() {
        for layout in Layout::ALL {
            assert_eq!(serde_json::to_value(layout).unwrap(), layout.name());
            assert_eq!(Layout::of_name(layout.name()), Some(layout));
        }
        assert_eq!(Layout::of_name("cinema"), None);
    }
}
