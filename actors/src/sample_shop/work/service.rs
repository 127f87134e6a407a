//! What customers' cars come in for.

use super::{Fits, Work};
use crate::sample_shop::technicians::Trade;

pub(in super::super) const SERVICE: &[Work] = &[
    Work {
        code: "LOF",
        sold_hundredths: 30,
        description: "Lube, oil and filter",
        trade: Trade::QuickService,
        fits: Fits::Engine,
        often: 40,
        concerns: &[
            "Oil change, due at {miles} miles",
            "Perform {miles} mile service, full synthetic, customer supplied coupon",
            "Oil change light is on",
            "LOF and top off all fluids. Last one was done {since} ago at another shop and the skid plate has rattled since",
        ],
        findings: &[
            (
                "Maintenance due",
                "Drained and filled 6.0 qt 0W-20, filter, reset oil life",
            ),
            (
                "Oil life 4 %",
                "LOF done. Drain plug gasket replaced, tires set to 35 psi",
            ),
            (
                "Oil 1.5 qt low, dark",
                "Changed, no leak seen. Recheck level in 1,000 miles",
            ),
        ],
    },
    Work {
        code: "MPI",
        sold_hundredths: 40,
        description: "Multi-point inspection",
        trade: Trade::QuickService,
        fits: Fits::Any,
        often: 22,
        concerns: &[
            "Multi-point inspection, courtesy",
            "Look the vehicle over before a road trip",
            "State inspection is due this month, please check what it needs to pass",
        ],
        findings: &[
            (
                "Inspection",
                "Tires 6/32 front 5/32 rear, pads 7 mm all around",
            ),
            (
                "Cabin filter dirty, wipers streak",
                "Recommend cabin filter and wiper blades, battery tested good",
            ),
        ],
    },
    Work {
        code: "ROT",
        sold_hundredths: 30,
        description: "Rotate tires and set pressures",
        trade: Trade::QuickService,
        fits: Fits::Any,
        often: 20,
        concerns: &[
            "Rotate tires",
            "Rotate and balance, 9,000 miles since the last time",
            "tire pressure light comes on {when}",
        ],
        findings: &[
            (
                "Maintenance due",
                "Rotated front to back, torqued to 100 lb-ft",
            ),
            (
                "Right rear 24 psi, nail in tread",
                "Patched and plugged right rear, relearned TPMS sensors",
            ),
            ("Uneven wear, inner edges", "Rotated, recommend alignment"),
        ],
    },
    Work {
        code: "TIRE4",
        sold_hundredths: 120,
        description: "Mount and balance four tires",
        trade: Trade::QuickService,
        fits: Fits::Any,
        often: 10,
        concerns: &[
            "Install 4 tires, customer approved estimate",
            "steering wheel shakes at {mph} mph, tires are worn",
            "slips in the rain, was told the tires are bald on the {end}",
        ],
        findings: &[
            (
                "Tread 2/32, cords showing inside edge",
                "Mounted and balanced 4, road tested {mph} mph smooth",
            ),
            (
                "Tire belt separated, {side}",
                "Waiting on 2 tires from the warehouse, ETA tomorrow a.m.",
            ),
        ],
    },
    Work {
        code: "BATT",
        sold_hundredths: 50,
        description: "Test and replace battery",
        trade: Trade::QuickService,
        fits: Fits::Any,
        often: 10,
        concerns: &[
            "had to be jumped {since} ago, cranks slow {when}",
            "no start, clicks. TOWED IN",
            "the radio resets its clock every morning and the key fob says it is not found, even right next to the car",
        ],
        findings: &[
            (
                "Battery tested 212 CCA of 650, replace",
                "Replaced battery, cleaned terminals, charging 14.2 V",
            ),
            (
                "Parasitic draw 0.6 A, glove box lamp stays on",
                "Adjusted lamp switch, draw 0.02 A. Charged and retested battery, good",
            ),
        ],
    },
    Work {
        code: "WIPER",
        sold_hundredths: 20,
        description: "Replace wiper blades",
        trade: Trade::QuickService,
        fits: Fits::Any,
        often: 6,
        concerns: &[
            "wipers streak and chatter",
            "washer fluid does not spray on the {side}",
        ],
        findings: &[
            ("Blades torn", "Replaced both blades"),
            (
                "Washer hose off at the hood hinge",
                "Reconnected hose, sprays OK",
            ),
        ],
    },
    Work {
        code: "BRKF",
        sold_hundredths: 180,
        description: "Replace front brake pads and rotors",
        trade: Trade::Alignment,
        fits: Fits::Any,
        often: 18,
        concerns: &[
            "brakes squeal when coming to a stop, mostly {when}",
            "steering wheel shakes when braking from {mph} mph",
            "grinding noise from the {end} when braking. It began as a squeak {since} ago and now it can be heard inside with the windows up",
            "brake pedal feels soft and has to be pumped",
        ],
        findings: &[
            (
                "Front pads 2 mm, rotors below minimum",
                "Measured rotors 25.8 mm, min 26.4. Needs authorization",
            ),
            (
                "Rotor runout .006 in, pads glazed",
                "Replaced pads and rotors, cleaned slides, bedded in",
            ),
            (
                "Caliper slide pin seized, {side}",
                "Caliper on order, pads in stock",
            ),
        ],
    },
    Work {
        code: "BRKR",
        sold_hundredths: 160,
        description: "Replace rear brake pads and rotors",
        trade: Trade::Alignment,
        fits: Fits::Any,
        often: 10,
        concerns: &[
            "squeak from the rear when backing up",
            "parking brake does not hold on a hill",
            "scraping from the {side} rear wheel {when}",
        ],
        findings: &[
            (
                "Rear pads 1 mm inner, slide pins dry",
                "Replaced rear pads and rotors, put EPB in service mode",
            ),
            (
                "Parking brake cable stretched",
                "Adjusted cable 6 turns, holds on the ramp",
            ),
        ],
    },
    Work {
        code: "ALIGN",
        sold_hundredths: 120,
        description: "Four-wheel alignment",
        trade: Trade::Alignment,
        fits: Fits::Any,
        often: 14,
        concerns: &[
            "pulls to the {side} at {mph} mph",
            "steering wheel is not straight since hitting a pothole {since} ago",
            "front tires wear on the inside edge, the other shop said it needs an alignment",
        ],
        findings: &[
            (
                "Toe out of specification, left front -0.42",
                "Set toe and camber, wheel centered, printout with RO",
            ),
            (
                "Tie rod end loose, {side}",
                "Replaced outer tie rod, aligned",
            ),
            (
                "Caster split 0.9 degrees",
                "Rear cam bolts seized, need cut out. Advise",
            ),
        ],
    },
    Work {
        code: "SUSP",
        sold_hundredths: 100,
        description: "Diagnose suspension noise",
        trade: Trade::Alignment,
        fits: Fits::Any,
        often: 10,
        concerns: &[
            "clunk from the {end} over speed bumps",
            "rattle in the {side} front on rough roads, not on the highway. It does it more {when}. Please ride along with the customer, as the last two visits could not duplicate",
            "vehicle leans to the {side} when parked",
        ],
        findings: &[
            (
                "Stabilizer link worn, {side}",
                "Duplicated on the bump course, link has play. Replaced both links",
            ),
            (
                "Strut mount bearing binds",
                "Spring twangs at full lock. Mounts quoted",
            ),
            (
                "Lower control arm bushing torn",
                "Road tested with customer, heard it at {mph} mph. Arm on order",
            ),
        ],
    },
    Work {
        code: "ACDIAG",
        sold_hundredths: 120,
        description: "Diagnose air conditioning performance",
        trade: Trade::AirConditioning,
        fits: Fits::Any,
        often: 14,
        concerns: &[
            "AC blows warm",
            "AC is cold on the driver's side and warm on the passenger's",
            "AC works on the highway but blows warm at red lights, and there is a smell like wet socks {when}",
            "hissing behind the dash after the AC is turned off",
        ],
        findings: &[
            (
                "System 0.6 lb low, dye at condenser",
                "Vent 61 F at idle. Evacuated, dye added, found condenser leaking",
            ),
            (
                "Blend door actuator stripped",
                "Actuator ordered, dash apart",
            ),
            (
                "Compressor clutch gap too wide",
                "Shimmed clutch, recharged 1.2 lb R-1234yf, vent 42 F",
            ),
        ],
    },
    Work {
        code: "HEAT",
        sold_hundredths: 100,
        description: "Diagnose no heat",
        trade: Trade::AirConditioning,
        fits: Fits::Engine,
        often: 6,
        concerns: &[
            "no heat {when}",
            "heater blows cold on the {side}",
            "sweet smell from the vents and the windshield fogs up",
        ],
        findings: &[
            (
                "Thermostat stuck open",
                "Engine only reaches 158 F. Replaced thermostat, bled system",
            ),
            (
                "Heater core restricted",
                "In 190 F, out 104 F. Back-flushed twice, no better",
            ),
            (
                "Coolant 2 qt low, water pump weeps",
                "Pressure tested 16 psi, drips at weep hole",
            ),
        ],
    },
    Work {
        code: "CEL",
        sold_hundredths: 100,
        description: "Diagnose check engine light",
        trade: Trade::Engine,
        fits: Fits::GasEngine,
        often: 20,
        concerns: &[
            "check engine light is on",
            "check engine light flashes and the car shakes {when}",
            "MIL on for {since}, parts store read P0420 and sold a sensor which did not help",
            "engine light came on after filling up, runs fine",
        ],
        findings: &[
            (
                "P0302, coil cylinder 2 open",
                "Swapped coil 2 to 4, misfire followed. Replaced coil and plugs",
            ),
            (
                "P0456, small EVAP leak, purge valve",
                "Smoke tested, leak at purge valve",
            ),
            (
                "P0420, catalyst below threshold",
                "No exhaust leaks, converter quoted, emissions warranty?",
            ),
            (
                "P0171, intake boot split",
                "Fuel trim +22 %. Replaced boot, monitors not ready yet, needs a drive cycle",
            ),
        ],
    },
    Work {
        code: "OILLK",
        sold_hundredths: 150,
        description: "Diagnose oil leak",
        trade: Trade::Engine,
        fits: Fits::Engine,
        often: 9,
        concerns: &[
            "oil spots on the driveway",
            "burning oil smell at stop lights {when}",
            "has to add a quart every 1,000 miles",
        ],
        findings: &[
            (
                "Valve cover gasket seeps onto exhaust",
                "Cleaned, dyed, recheck after 50 miles",
            ),
            (
                "Front crank seal leaks",
                "Timing cover leaks too, 9.4 h. Waiting for authorization",
            ),
            (
                "Oil filter housing gasket hard",
                "Gasket replaced, dry after 20 minutes",
            ),
        ],
    },
    Work {
        code: "OVRHT",
        sold_hundredths: 130,
        description: "Diagnose overheating",
        trade: Trade::Engine,
        fits: Fits::Engine,
        often: 7,
        concerns: &[
            "temperature gauge climbs in traffic {when}",
            "overheated on the freeway, steam from under the hood, drove another half mile to the exit before it shut off. TOWED IN",
            "coolant light on, adds a gallon every week",
        ],
        findings: &[
            (
                "Radiator fan inoperative, relay burned",
                "Replaced fan assembly, held 210 F for 30 minutes",
            ),
            (
                "Head gasket, combustion gas in coolant",
                "Block test positive, compression 90 on 3. Needs teardown",
            ),
            ("Water pump leaks", "Pump and thermostat quoted"),
        ],
    },
    Work {
        code: "NOISE",
        sold_hundredths: 150,
        description: "Diagnose engine noise",
        trade: Trade::Engine,
        fits: Fits::Engine,
        often: 8,
        concerns: &[
            "ticking from the engine after a cold start, goes away warm",
            "squeal for a few seconds at start-up",
            "knocking under load at {mph} mph, gets louder uphill",
        ],
        findings: &[
            (
                "Exhaust manifold stud broken, rear",
                "Stud 8 gone, drill fixture needed",
            ),
            (
                "Drive belt glazed, tensioner weak",
                "Replaced belt and tensioner, quiet",
            ),
            (
                "Cam phaser rattles at hot idle",
                "Stethoscope to right bank, phaser. TSB applies",
            ),
        ],
    },
    Work {
        code: "ENGRR",
        sold_hundredths: 1650,
        description: "Remove and replace engine assembly",
        trade: Trade::Engine,
        fits: Fits::Engine,
        often: 3,
        concerns: &[
            "engine locked up while driving. Extended warranty, inspector has to see it first. Customer has been in a rental for a week",
            "Replace engine, approved by warranty company",
        ],
        findings: &[
            (
                "Rod bearing failed, no. 4",
                "Teardown done, pictures sent to warranty company",
            ),
            (
                "Oil starvation, sludge in pickup",
                "Long block ETA Thursday, 18.6 h approved",
            ),
        ],
    },
    Work {
        code: "TRFL",
        sold_hundredths: 110,
        description: "Transmission fluid exchange",
        trade: Trade::Transmission,
        fits: Fits::Engine,
        often: 8,
        concerns: &[
            "Transmission service at {miles} miles",
            "Change transmission fluid, requested by customer",
        ],
        findings: &[
            ("Maintenance due", "Exchanged 12 qt, level set at 104 F"),
            (
                "Fluid dark, slight burnt smell",
                "Pan has fine metal, normal. Filter replaced",
            ),
        ],
    },
    Work {
        code: "TRDIAG",
        sold_hundredths: 150,
        description: "Diagnose transmission shift concern",
        trade: Trade::Transmission,
        fits: Fits::Engine,
        often: 11,
        concerns: &[
            "shifts hard from 1st to 2nd {when}",
            "slips at {mph} mph going uphill, RPM goes up and the car does not",
            "shudders between {mph} mph and highway speed, feels like driving over a rumble strip. Software was updated {since} ago and it was better for a week",
            "delay of 3 or 4 seconds when going into reverse",
        ],
        findings: &[
            (
                "Torque converter clutch shudder, fluid contaminated",
                "Fluid exchanged per TSB, drive 50 miles and recheck",
            ),
            (
                "P0741, TCC solenoid",
                "Hotline case opened, awaiting answer",
            ),
            (
                "Valve body bore worn, 2-3 shift",
                "Adaptive relearn done, flare remains on 2-3. Valve body quoted",
            ),
        ],
    },
    Work {
        code: "TRANSRR",
        sold_hundredths: 920,
        description: "Remove and replace transmission",
        trade: Trade::Transmission,
        fits: Fits::Engine,
        often: 4,
        concerns: &[
            "no drive, engine revs. TOWED IN",
            "Install reman transmission, part arrived",
        ],
        findings: &[
            (
                "No line pressure, pump failed",
                "Unit out, cooler flushed, reman unit on the bench",
            ),
            (
                "Clutch pack burned, metal in pan",
                "Core goes back with claim, reman ETA Friday",
            ),
        ],
    },
    Work {
        code: "4WD",
        sold_hundredths: 160,
        description: "Diagnose transfer case or axle",
        trade: Trade::Transmission,
        fits: Fits::Engine,
        often: 5,
        concerns: &[
            "4WD light blinks and it does not engage",
            "whine from the {end} axle at {mph} mph",
            "binding in tight turns {when}",
        ],
        findings: &[
            (
                "Shift motor position sensor failed",
                "U0422, replaced shift motor, calibrated",
            ),
            (
                "Pinion bearing worn",
                "Bearing noise on the chassis ear, {side}",
            ),
            (
                "Fluid burnt in transfer case",
                "Drained, chain has slack. Unit quoted",
            ),
        ],
    },
    Work {
        code: "ELEC",
        sold_hundredths: 130,
        description: "Electrical diagnosis",
        trade: Trade::Electrical,
        fits: Fits::Any,
        often: 13,
        concerns: &[
            "{side} window does not go up",
            "headlights flicker {when}",
            "the screen goes black and the backup camera shows a blue picture, comes back by itself after a while",
            "battery is dead after sitting for two days",
            "horn honks by itself at night, and the neighbors have complained twice",
        ],
        findings: &[
            (
                "Switch burned, {side} door",
                "Replaced switch, relearned window",
            ),
            (
                "Ground G104 corroded",
                "Draw 0.38 A, pulls down with fuse 27. Cleaned G104, monitor overnight",
            ),
            (
                "Open in harness at door hinge",
                "Wiggle test at the hinge, circuit opens. Repaired 2 wires",
            ),
            ("Head unit software freezes", "Updated head unit, monitor"),
        ],
    },
    Work {
        code: "ALT",
        sold_hundredths: 140,
        description: "Replace alternator",
        trade: Trade::Electrical,
        fits: Fits::Engine,
        often: 6,
        concerns: &[
            "battery light is on",
            "lights dim at idle {when}",
            "stalled at {mph} mph with all the lights on the dash",
        ],
        findings: &[
            (
                "Alternator output 11.9 V at 2000 rpm",
                "Replaced alternator, 14.4 V loaded",
            ),
            (
                "Pulley one-way clutch seized",
                "Belt soaked in oil, quote belt too",
            ),
        ],
    },
    Work {
        code: "ADAS",
        sold_hundredths: 150,
        description: "Calibrate driver assistance camera",
        trade: Trade::Electrical,
        fits: Fits::Any,
        often: 5,
        concerns: &[
            "lane assist unavailable since the windshield was replaced",
            "cruise brakes for nothing at {mph} mph",
            "front radar blocked message in clear weather",
        ],
        findings: &[
            (
                "Camera not calibrated after glass",
                "Static calibration done on targets, then 12 miles dynamic",
            ),
            (
                "Radar bracket bent, 1.8 degrees",
                "Bracket ordered, body shop to confirm",
            ),
        ],
    },
    Work {
        code: "KEY",
        sold_hundredths: 50,
        description: "Cut and program key",
        trade: Trade::Electrical,
        fits: Fits::Any,
        often: 4,
        concerns: &[
            "Make a second key",
            "key fob works only right at the door",
            "Lost all keys, proof of ownership copied",
        ],
        findings: &[
            ("Fob battery 2.1 V", "Battery replaced, all doors OK"),
            ("Customer request", "2 keys programmed"),
            ("Customer request", "Blank on order"),
        ],
    },
    Work {
        code: "HVDIAG",
        sold_hundredths: 190,
        description: "Diagnose high-voltage system",
        trade: Trade::Electrical,
        fits: Fits::HighVoltage,
        often: 12,
        concerns: &[
            "range dropped by a third within {since}",
            "will not charge at home, charges fine at the store",
            "warning: have high-voltage system checked, then it went into turtle mode at {mph} mph",
        ],
        findings: &[
            (
                "Isolation fault, coolant in the junction box",
                "HV disabled and verified 0 V. Isolation 310 kohm, traced to heater",
            ),
            (
                "Charge port lock actuator failed",
                "Actuator replaced, charges at 7.2 kW",
            ),
            (
                "Module 7 voltage 0.21 V low",
                "Case with engineering open, HV lock on",
            ),
        ],
    },
    Work {
        code: "DSLINJ",
        sold_hundredths: 230,
        description: "Diagnose diesel fuel injection",
        trade: Trade::Diesel,
        fits: Fits::Diesel,
        often: 16,
        concerns: &[
            "long crank {when}",
            "white smoke at start and it stumbles for a minute",
            "loses power pulling a trailer at {mph} mph, rail pressure code",
        ],
        findings: &[
            (
                "Injector 5 balance rate out",
                "Contribution test, 5 low. Return flow 2x spec",
            ),
            (
                "High-pressure pump, metal in fuel",
                "Fuel sample taken, glitter. Whole system quoted",
            ),
            (
                "Fuel filter plugged",
                "Filter and water drained, rail pressure OK",
            ),
        ],
    },
    Work {
        code: "DPF",
        sold_hundredths: 160,
        description: "Service diesel particulate filter",
        trade: Trade::Diesel,
        fits: Fits::Diesel,
        often: 14,
        concerns: &[
            "exhaust filter full, speed limited in 50 miles",
            "regenerates every day and smells hot",
            "DEF message counts down although the tank was filled {since} ago",
        ],
        findings: &[
            (
                "Soot load 140 %, EGR cooler leaking",
                "Service regen 42 min, soot 11 % after. Cooler on order",
            ),
            ("NOx sensor 2 slow", "NOx sensor on order, countdown reset"),
            (
                "DEF quality poor, 24 %",
                "Drained DEF tank, refilled, quality test passed",
            ),
        ],
    },
    Work {
        code: "TURBO",
        sold_hundredths: 150,
        description: "Diagnose low boost",
        trade: Trade::Diesel,
        fits: Fits::Diesel,
        often: 9,
        concerns: &[
            "no power and a whistle from the engine",
            "hissing when accelerating past {mph} mph",
        ],
        findings: &[
            (
                "Charge air hose split",
                "Smoke test, boot at intercooler. Replaced",
            ),
            ("Vanes stuck, soot", "Swept vanes, sticks at 70 %"),
        ],
    },
    Work {
        code: "SPARK",
        sold_hundredths: 190,
        description: "Replace spark plugs",
        trade: Trade::Engine,
        fits: Fits::GasEngine,
        often: 7,
        concerns: &["Tune up at {miles} miles", "rough idle {when}"],
        findings: &[
            ("Maintenance due", "Replaced plugs, gap .044, coils OK"),
            ("Plug gap .062 in", "Cowl and intake off, 2 plugs to go"),
        ],
    },
    Work {
        code: "RECALL",
        sold_hundredths: 80,
        description: "Safety recall inspection and remedy",
        trade: Trade::QuickService,
        fits: Fits::Any,
        often: 10,
        concerns: &[
            "Perform open recall",
            "Recall letter received, check VIN for all open campaigns",
            "Recall: seat belt pretensioner inspection, parts reserved",
        ],
        findings: &[
            (
                "Open campaign",
                "Inspected, date code outside range, no repair needed",
            ),
            ("Open campaign", "Remedy performed, label on the pillar"),
        ],
    },
    Work {
        code: "LEAK",
        sold_hundredths: 180,
        description: "Diagnose water leak",
        trade: Trade::AirConditioning,
        fits: Fits::Any,
        often: 5,
        concerns: &[
            "carpet wet on the {side} after rain",
            "water drips from the dome light {when}",
            "musty smell, trunk has standing water",
        ],
        findings: &[
            (
                "Sunroof drain plugged, {side}",
                "Blew out drains, carpet drying",
            ),
            ("Cowl seal open", "Water test 10 min, enters at A pillar"),
            ("AC drain restricted", "Drain cleared, 1 qt came out"),
        ],
    },
    Work {
        code: "FUELSYS",
        sold_hundredths: 70,
        description: "Fuel system cleaning",
        trade: Trade::Engine,
        fits: Fits::GasEngine,
        often: 4,
        concerns: &["gas mileage got worse {since} ago", "hesitates from a stop"],
        findings: &[
            (
                "Throttle body carbon",
                "Cleaned throttle body, idle relearned",
            ),
            ("Injectors restricted", "Induction service done"),
        ],
    },
];
