//! Where a job's story comes from: what its events say, old ones included.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use dispatch_actors::repair_order::{
    Answer, AnswerField, Change, Command, ImportedJob, ImportedOrder, InterviewerId, JobTexts,
    RepairOrder, RoNumber, StoryAnswer, StoryKind, StoryProvenance, Undo,
};
use jiff::Timestamp;

fn noon() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn order(story: Option<&str>) -> (RepairOrder, Vec<Change>) {
    let imported = ImportedOrder {
        jobs: vec![ImportedJob {
            job_number: 1,
            tech_story: story.map(str::to_owned),
            ..ImportedJob::default()
        }],
        ..ImportedOrder::default()
    };
    let number = RoNumber::try_from(4389).unwrap();
    let changes = RepairOrder::create(number, &imported, noon());
    (RepairOrder::replay(&changes).unwrap(), changes)
}

fn interviewed() -> StoryProvenance {
    StoryProvenance {
        kind: StoryKind::Interview,
        interviewer: Some(InterviewerId::Gemini),
        model: Some("gemini-2.5-flash".to_owned()),
        cause: "Worn".to_owned(),
        brief_tech_notes: "Replaced".to_owned(),
        answers: vec![StoryAnswer {
            question: "Verified?".to_owned(),
            answer: Answer::NotApplicable,
            value: None,
            field: AnswerField::None,
        }],
        ..StoryProvenance::default()
    }
}

fn write(story: &str, provenance: Option<StoryProvenance>) -> Command {
    Command::EditJob {
        job_number: 1,
        texts: JobTexts {
            tech_story: Some(story.to_owned()),
            ..JobTexts::default()
        },
        provenance: provenance.map(Box::new),
    }
}

#[test]
fn a_storys_provenance_is_in_its_event_and_comes_back_from_the_log() {
    let (order, _) = order(None);
    let changes = order
        .apply(&write("Replaced.", Some(interviewed())))
        .unwrap();
    let logged = serde_json::to_string(&changes[0]).unwrap();
    let change: Change = serde_json::from_str(&logged).unwrap();
    assert_eq!(change, changes[0]);
    let story = change.story_of(1).unwrap();
    assert_eq!(
        (story.kind, story.story),
        (StoryKind::Interview, "Replaced.")
    );
    assert_eq!(story.provenance, Some(&interviewed()));
    assert_eq!(change.story_of(2), None);
    let answers = &serde_json::from_str::<serde_json::Value>(&logged).unwrap()["provenance"];
    assert_eq!(answers["answers"][0]["answer"], "N/A");
}

#[test]
fn an_event_without_provenance_is_read_and_written_unchanged() {
    let old = r#"{"type":"jobEdited","jobNumber":1,"from":{"techStory":""},"to":{"techStory":"By hand."}}"#;
    let change: Change = serde_json::from_str(old).unwrap();
    assert_eq!(serde_json::to_string(&change).unwrap(), old);
    let story = change.story_of(1).unwrap();
    assert_eq!((story.kind, story.provenance), (StoryKind::Edited, None));
}

#[test]
fn a_change_of_other_texts_is_no_version_of_the_story() {
    let (order, _) = order(Some("As it came."));
    let command = Command::EditJob {
        job_number: 1,
        texts: JobTexts {
            cause: Some("Worn".to_owned()),
            tech_story: Some("As it came.".to_owned()),
            ..JobTexts::default()
        },
        provenance: Some(Box::new(interviewed())),
    };
    let changes = order.apply(&command).unwrap();
    assert_eq!(changes[0].story_of(1), None);
    assert!(matches!(
        &changes[0],
        Change::JobEdited {
            provenance: None,
            ..
        }
    ));
    let same = write("As it came.", Some(interviewed()));
    assert_eq!(order.apply(&same).unwrap(), []);
}

#[test]
fn a_story_that_came_with_the_order_is_its_first_version() {
    let (_, changes) = order(Some("As it came."));
    let story = changes[0].story_of(1).unwrap();
    assert_eq!(
        (story.kind, story.story),
        (StoryKind::Imported, "As it came.")
    );
    let (_, changes) = order(None);
    assert_eq!(changes[0].story_of(1), None);
}

#[test]
fn a_story_that_an_undo_restores_claims_no_interview() {
    let (mut order, _) = order(Some("As it came."));
    let changes = order.apply(&write("New.", Some(interviewed()))).unwrap();
    changes.iter().for_each(|change| order.evolve(change));
    let undo = Command::Undo(Box::new(Undo {
        changes,
        since: Vec::new(),
        at: noon(),
    }));
    let undone = order.apply(&undo).unwrap();
    let story = undone[0].story_of(1).unwrap();
    assert_eq!((story.story, story.provenance), ("As it came.", None));
}
