use super::*;

fn hashes() -> HashConfig {
    let text = r#"{"signerKey":"c2lnbmVy","saltSeparator":"Bw==","rounds":8,"memCost":14}"#;
    HashConfig::parse(text).unwrap()
}

fn entries(text: &str) -> Vec<Entry> {
    Export::parse(text, Some(&hashes())).unwrap().entries
}

fn refused(entry: &Entry) -> &str {
    match &entry.content {
        EntryContent::Refused(why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_export_of_accounts_is_read_with_its_lines() {
    let text = r#"{"users": [
{
  "localId": "uid-1",
  "email": "ann@shop.example",
  "emailVerified": true,
  "passwordHash": "aGFzaGVk",
  "salt": "c2FsdA==",
  "displayName": "Ann",
  "providerUserInfo": []
},
{ "localId": "uid-2", "email": "bob@shop.example" },
{ "localId": "uid-3", "email": "eve@shop.example", "disabled": true },
{ "localId": "uid-4", "phoneNumber": "+15550100" },
{ "localId": "uid-5", "email": "cem@shop.example", "passwordHash": "AA==", "salt": "" },
{ "email": "nobody@shop.example" }
]}"#;
    let entries = entries(text);
    let lines: Vec<usize> = entries.iter().map(|entry| entry.line).collect();
    assert_eq!(lines, [2, 11, 12, 13, 14, 15]);
    assert_eq!(
        entries[0].content,
        EntryContent::Account {
            uid: "uid-1".to_owned(),
            email: "ann@shop.example".to_owned(),
            password: Some("$firebase-scrypt$m=14,r=8$c2FsdA$Bw$c2lnbmVy$aGFzaGVk".to_owned()),
        }
    );
    assert!(matches!(
        &entries[1].content,
        EntryContent::Account { password: None, .. }
    ));
    assert_eq!(
        entries[2].content,
        EntryContent::Left("it is disabled".to_owned())
    );
    assert_eq!(refused(&entries[3]), "it has no email");
    assert_eq!(
        refused(&entries[4]),
        "its password cannot be taken: the hash was made with another signer key"
    );
    assert_eq!(refused(&entries[5]), "it has no 'localId'");
}

#[test]
fn hashes_without_their_parameters_stop_the_file() {
    let text = r#"{"users":[{"localId":"1","email":"a@b","passwordHash":"AAAA","salt":""}]}"#;
    assert_eq!(Export::parse(text, None), Err(ExportError::NeedsHashConfig));
    let without = r#"{"users":[{"localId":"1","email":"a@b"}]}"#;
    assert!(Export::parse(without, None).is_ok());
}

#[test]
fn a_collection_is_read_by_id_and_as_a_list() {
    let ann = r#"{
        "email": "Ann@Shop.Example", "name": "Ann", "roles": ["Owner", "service manager"],
        "skill": "Master", "technicianId": "1104", "invited": true,
        "invitedAt": "2026-03-01T10:00:00.000Z",
        "createdAt": { "_seconds": 1700000000, "_nanoseconds": 5000000 },
        "role": "owner", "phone": "555-0100"
    }"#;
    let listed = ann.replacen('{', r#"{ "id": "Ann@Shop.Example", "#, 1);
    let by_id = entries(&format!(r#"{{ "Ann@Shop.Example": {ann} }}"#));
    assert_eq!(
        by_id[0].content,
        EntryContent::Document(Document {
            id: "ann@shop.example".to_owned(),
            email: "ann@shop.example".to_owned(),
            name: "Ann".to_owned(),
            roles: Some(vec![Role::Owner, Role::ServiceManager]),
            skill: Some("Master".to_owned()),
            technician_id: Some(1_104),
            invited: true,
            invited_at: Some("2026-03-01T10:00:00Z".parse().unwrap()),
            role: Some("owner".to_owned()),
            created_at: Some(Timestamp::from_millisecond(1_700_000_000_005).unwrap()),
        })
    );
    let others = [
        format!("[{listed}]"),
        format!(r#"{{ "users": {{ "Ann@Shop.Example": {ann} }} }}"#),
    ];
    for text in others {
        assert_eq!(entries(&text), by_id);
    }
}

#[test]
fn a_field_that_a_document_lacks_is_empty() {
    let entries = entries(r#"{ "Uid-1": {}, "bob@shop.example": { "roles": [] } }"#);
    let empty = Document {
        id: "Uid-1".to_owned(),
        ..Document::default()
    };
    assert_eq!(entries[0].content, EntryContent::Document(empty));
    let bob = Document {
        id: "bob@shop.example".to_owned(),
        email: "bob@shop.example".to_owned(),
        name: "bob@shop.example".to_owned(),
        roles: Some(Vec::new()),
        ..Document::default()
    };
    assert_eq!(entries[1].content, EntryContent::Document(bob));
}

#[test]
fn a_wrong_document_is_refused_with_the_reason() {
    for (fields, why) in [
        (r#"{"roles":"Owner"}"#, "its roles are no list"),
        (r#"{"roles":[1]}"#, "one of its roles is no text"),
        (
            r#"{"roles":["Boss"]}"#,
            "'Boss' is not a role: use Admin, Technician, Advisor, Service_Manager, Used or Owner",
        ),
        (r#"{"name":{}}"#, "its 'name' is no text"),
        (
            r#"{"technicianId":"one"}"#,
            "its 'technicianId' is no number",
        ),
        (r#"{"invitedAt":"yesterday"}"#, "its 'invitedAt' is no time"),
    ] {
        let entries = entries(&format!(r#"{{ "ann": {fields} }}"#));
        assert_eq!(refused(&entries[0]), why);
    }
    assert_eq!(
        refused(&entries(r#"[{"name":"Ann"}]"#)[0]),
        "it has no 'id'"
    );
    assert_eq!(
        refused(&entries(r#"{"":{}}"#)[0]),
        "its id cannot be a document's"
    );
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let parse = |text: &str| Export::parse(text, None).unwrap_err();
    assert!(matches!(parse(""), ExportError::NotJson(_)));
    assert!(matches!(parse("localId,email\n"), ExportError::NotJson(_)));
    for text in ["1", "\"users\"", r#"{"users":1}"#, r#"{"a":[]}"#] {
        assert_eq!(parse(text), ExportError::UnknownContent, "{text}");
    }
}
