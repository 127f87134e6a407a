//! The stage of work that a row names. Which one is meant is for the shop's list to say.

use super::*;

#[test]
fn every_format_may_name_the_stage() {
    for record in [
        only(csv("RO Number,Stage Name\n1,  In work \n")),
        only(json(r#"{"repairOrderNumber": 1, "stage": "In work"}"#)),
        only(json(
            r#"{"roNumber": "1", "statusDesc": "Open", "stage": "In work"}"#,
        )),
        only(json(
            r#"{"RepairOrderNumber": "1", "Job": [], "stage": "In work"}"#,
        )),
    ] {
        assert_eq!(record.stage, some("In work"));
        assert_eq!(record.order.stage, None);
        assert!(record.warnings.is_empty(), "{record:?}");
    }
}

#[test]
fn the_last_row_that_names_a_stage_counts_and_an_empty_cell_says_nothing() {
    let record = only(csv("ro,stage\n1,dispatched\n1,Wash\n1,\n"));
    assert_eq!(record.stage, some("Wash"));
    assert_eq!(only(csv("ro,stage\n1, \n")).stage, None);
}

#[test]
fn what_cannot_be_a_stage_is_left_out_and_the_row_is_taken() {
    let long = format!(r#"{{"ro": 1, "stage": "{}"}}"#, "x".repeat(501));
    for row in [r#"{"ro": 1, "stage": {"code": 7}}"#, &long] {
        let record = only(json(row));
        assert_eq!(record.stage, None);
        let [warning] = record.warnings.as_slice() else {
            panic!("{record:?}");
        };
        assert!(warning.starts_with("the stage is left out. "), "{warning}");
    }
}
