//! What the dealer's own cars need before they can be sold.

use super::{Fits, Work};
use crate::sample_shop::technicians::Trade;

/// What the new-car lot orders; the first is on every such order.
pub(in super::super) const NEW_CARS: &[Work] = &[
    Work {
        code: "PDI",
        sold_hundredths: 180,
        description: "Pre-delivery inspection",
        trade: Trade::Pdi,
        fits: Fits::Any,
        often: 1,
        concerns: &[
            "Perform pre-delivery inspection",
            "PDI, unit arrived on the truck this week",
            "PDI. SOLD UNIT, customer picks up today",
        ],
        findings: &[
            ("New vehicle", "PDI done, transport fuses in, tires 36 psi"),
            (
                "New vehicle",
                "Scratch on {side} rear door, transport claim pictures taken",
            ),
            ("New vehicle", "Battery 11.9 V, charging"),
        ],
    },
    Work {
        code: "WASH",
        sold_hundredths: 50,
        description: "Wash and prepare for delivery",
        trade: Trade::Pdi,
        fits: Fits::Any,
        often: 10,
        concerns: &["Remove film, wash and vacuum", "Delivery wash, gas and go"],
        findings: &[("New vehicle", "Washed, film off, full tank")],
    },
    Work {
        code: "ACC-MATS",
        sold_hundredths: 20,
        description: "Install all-weather floor mats",
        trade: Trade::Pdi,
        fits: Fits::Any,
        often: 6,
        concerns: &[
            "Install all-weather mats",
            "Mats and cargo liner per we-owe",
        ],
        findings: &[("Accessory", "Installed")],
    },
    Work {
        code: "ACC-HITCH",
        sold_hundredths: 250,
        description: "Install trailer hitch and wiring",
        trade: Trade::Pdi,
        fits: Fits::Any,
        often: 4,
        concerns: &["Install class III hitch and 7-pin harness per we-owe"],
        findings: &[
            ("Accessory", "Hitch torqued 75 lb-ft, lights tested"),
            ("Accessory", "Harness backordered"),
        ],
    },
    Work {
        code: "ACC-STEP",
        sold_hundredths: 320,
        description: "Install running boards",
        trade: Trade::Pdi,
        fits: Fits::Any,
        often: 4,
        concerns: &[
            "Running boards, black, both sides",
            "Install side steps before delivery",
        ],
        findings: &[
            ("Accessory", "Installed both sides"),
            ("Accessory", "One bracket missing from the kit"),
        ],
    },
    Work {
        code: "ACC-TINT",
        sold_hundredths: 0,
        description: "Sublet: tint windows",
        trade: Trade::Pdi,
        fits: Fits::Any,
        often: 4,
        concerns: &["Tint front doors to match rear", "Tint all around, 35 %"],
        findings: &[
            ("Sublet", "Back from tint shop"),
            ("Sublet", "Tint shop comes Tuesday"),
        ],
    },
    Work {
        code: "SWUPD",
        sold_hundredths: 60,
        description: "Update vehicle software",
        trade: Trade::Electrical,
        fits: Fits::Any,
        often: 4,
        concerns: &["Stop-sale: update software before delivery"],
        findings: &[(
            "Open campaign",
            "Update took 48 min on battery support, no codes",
        )],
    },
];

/// What the used-car lot orders; the first is on every such order.
pub(in super::super) const USED_CARS: &[Work] = &[
    Work {
        code: "UCI",
        sold_hundredths: 150,
        description: "Used car inspection and safety check",
        trade: Trade::Engine,
        fits: Fits::Any,
        often: 1,
        concerns: &[
            "Used car inspection, trade-in",
            "UCI. Auction unit, check for frame damage and open recalls",
            "Inspect for certification, {miles} miles",
        ],
        findings: &[
            ("Used car inspection", "Passed, certify"),
            (
                "Inspection, needs pads and two tires",
                "Report with estimate to used car manager, 1,480 total",
            ),
            (
                "Inspection, front struts leak",
                "Wholesale? Waiting for used car manager",
            ),
        ],
    },
    Work {
        code: "DETAIL",
        sold_hundredths: 300,
        description: "Full detail",
        trade: Trade::Pdi,
        fits: Fits::Any,
        often: 12,
        concerns: &[
            "Full detail, smoker's car",
            "Detail and engine bay, dog hair in the back",
            "Detail for the front line",
        ],
        findings: &[
            ("Reconditioning", "Detail done, needs touch-up {side} rear"),
            ("Reconditioning", "Second ozone treatment"),
        ],
    },
    Work {
        code: "RECON",
        sold_hundredths: 450,
        description: "Reconditioning per inspection",
        trade: Trade::Engine,
        fits: Fits::Any,
        often: 10,
        concerns: &[
            "Do all items on the inspection, approved by used car manager",
            "Recon approved up to 1,200",
        ],
        findings: &[
            ("Reconditioning", "3 of 5 items done"),
            ("Reconditioning", "Waiting for parts, {end} struts"),
        ],
    },
    Work {
        code: "UTIRE",
        sold_hundredths: 140,
        description: "Replace tires for resale",
        trade: Trade::QuickService,
        fits: Fits::Any,
        often: 7,
        concerns: &["Two tires, {end}", "Four tires, whatever matches"],
        findings: &[("Tread 3/32", "Mounted and balanced")],
    },
    Work {
        code: "UBRK",
        sold_hundredths: 210,
        description: "Replace brakes for resale",
        trade: Trade::Alignment,
        fits: Fits::Any,
        often: 7,
        concerns: &[
            "Brakes {end}, found at inspection",
            "Pads and rotors all around",
        ],
        findings: &[
            ("Pads 2 mm", "Done, road tested"),
            ("Rotors pitted from sitting", "Rotors on the way"),
        ],
    },
    Work {
        code: "UKEY",
        sold_hundredths: 40,
        description: "Second key for resale",
        trade: Trade::Electrical,
        fits: Fits::Any,
        often: 4,
        concerns: &["Only one key came with the trade, make another"],
        findings: &[("Reconditioning", "Key cut and programmed")],
    },
    Work {
        code: "SMOG",
        sold_hundredths: 50,
        description: "Emissions inspection",
        trade: Trade::Engine,
        fits: Fits::Engine,
        often: 6,
        concerns: &["Emissions test for title"],
        findings: &[
            ("Inspection", "Passed, certificate in the jacket"),
            (
                "Catalyst monitor not ready",
                "Drive cycle tonight, retest tomorrow",
            ),
        ],
    },
];
