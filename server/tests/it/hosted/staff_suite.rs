//! What every staff collection does, wherever it is kept.

use dispatch_server::staff::{Role, StaffChange, StaffCollection, StaffDocument, StaffPatch};
use jiff::Timestamp;
use tokio::sync::broadcast::Receiver;
use tokio::time::timeout;

use crate::fixture::WAIT_TIMEOUT;

/// Every test below, for an empty collection that an expression makes.
macro_rules! staff_suite {
    ($collection:expr) => {
        crate::hosted::staff_suite::staff_suite! { $collection;
            a_merge_makes_a_document_and_keeps_the_fields_it_does_not_name
            an_update_changes_what_is_there_and_makes_nothing
            all_are_given_by_id
            those_with_a_role_are_given_by_id
            a_document_is_deleted_once
            what_is_written_is_announced
            an_id_may_have_dots_and_signs_in_it
            the_document_with_the_user_id_counts_unless_it_names_no_roles
        }
    };
    ($collection:expr; $($name:ident)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                let collection = $collection.await;
                crate::hosted::staff_suite::$name(&*collection).await;
            }
        )*
    };
}
pub(crate) use staff_suite;

const ANN: &str = "ann@shop.example";

fn patch_with_name(name: &str) -> StaffPatch {
    StaffPatch {
        name: Some(name.to_owned()),
        ..StaffPatch::default()
    }
}

fn with_roles(roles: &[Role]) -> StaffPatch {
    StaffPatch {
        roles: Some(roles.to_vec()),
        ..StaffPatch::default()
    }
}

fn ids(documents: &[StaffDocument]) -> Vec<&str> {
    documents
        .iter()
        .map(|document| document.id.as_str())
        .collect()
}

pub async fn a_merge_makes_a_document_and_keeps_the_fields_it_does_not_name(
    staff: &dyn StaffCollection,
) {
    assert_eq!(staff.get(ANN).await.unwrap(), None);
    let at: Timestamp = "2026-03-01T10:00:00.123Z".parse().unwrap();
    let whole = StaffPatch {
        email: Some(ANN.to_owned()),
        name: Some("Ann \"B.\" Bell, Ünï".to_owned()),
        roles: Some(vec![Role::ServiceManager, Role::Technician]),
        skill: Some(Some("Master".to_owned())),
        technician_id: Some(Some(1_104)),
        invited: Some(true),
        invited_at: Some(Some(at)),
        role: Some(Some("owner".to_owned())),
        created_at: Some(Some(at)),
    };
    let mut expected = StaffDocument {
        id: ANN.to_owned(),
        ..StaffDocument::default()
    };
    whole.clone().apply(&mut expected);
    assert_eq!(staff.merge(ANN, whole).await.unwrap(), expected);
    assert_eq!(staff.get(ANN).await.unwrap().unwrap(), expected);

    let some = StaffPatch {
        name: Some("Ann".to_owned()),
        skill: Some(None),
        invited: Some(false),
        invited_at: Some(None),
        ..StaffPatch::default()
    };
    some.clone().apply(&mut expected);
    assert_eq!(staff.merge(ANN, some).await.unwrap(), expected);
    assert_eq!(staff.get(ANN).await.unwrap().unwrap(), expected);
    assert_eq!(expected.roles().len(), 2);

    let none = StaffPatch {
        roles: Some(Vec::new()),
        technician_id: Some(None),
        ..StaffPatch::default()
    };
    none.clone().apply(&mut expected);
    assert_eq!(staff.merge(ANN, none).await.unwrap(), expected);
    assert_eq!(
        staff.get(ANN).await.unwrap().unwrap().roles,
        Some(Vec::new())
    );
}

pub async fn an_update_changes_what_is_there_and_makes_nothing(staff: &dyn StaffCollection) {
    assert_eq!(
        staff.update(ANN, patch_with_name("Ann")).await.unwrap(),
        None
    );
    assert_eq!(staff.get(ANN).await.unwrap(), None);
    assert!(staff.all().await.unwrap().is_empty());

    staff.merge(ANN, with_roles(&[Role::Used])).await.unwrap();
    let updated = staff
        .update(ANN, patch_with_name("Ann"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (updated.name.as_str(), updated.roles()),
        ("Ann", &[Role::Used][..])
    );
    assert_eq!(staff.get(ANN).await.unwrap(), Some(updated));
}

pub async fn all_are_given_by_id(staff: &dyn StaffCollection) {
    for id in [
        "m@shop.example",
        "Z-uid",
        "a@shop.example",
        "z@shop.example",
    ] {
        staff.merge(id, patch_with_name(id)).await.unwrap();
    }
    let all = staff.all().await.unwrap();
    assert_eq!(
        ids(&all),
        [
            "Z-uid",
            "a@shop.example",
            "m@shop.example",
            "z@shop.example"
        ]
    );
    assert!(all.iter().all(|document| document.name == document.id));
}

pub async fn those_with_a_role_are_given_by_id(staff: &dyn StaffCollection) {
    for (id, roles) in [
        ("c", &[Role::Technician][..]),
        ("a", &[Role::Admin, Role::Technician]),
        ("b", &[Role::Admin, Role::ServiceManager]),
        ("d", &[]),
    ] {
        staff.merge(id, with_roles(roles)).await.unwrap();
    }
    staff
        .merge("e", patch_with_name("Says nothing of roles"))
        .await
        .unwrap();
    for (role, expected) in [
        (Role::Technician, &["a", "c"][..]),
        (Role::Admin, &["a", "b"]),
        (Role::ServiceManager, &["b"]),
        (Role::Owner, &[]),
    ] {
        let found = staff.with_role(role).await.unwrap();
        assert_eq!(ids(&found), expected, "{role}");
    }
}

pub async fn a_document_is_deleted_once(staff: &dyn StaffCollection) {
    assert!(!staff.delete(ANN).await.unwrap());
    staff.merge(ANN, patch_with_name("Ann")).await.unwrap();
    assert!(staff.delete(ANN).await.unwrap());
    assert_eq!(staff.get(ANN).await.unwrap(), None);
    assert!(!staff.delete(ANN).await.unwrap());
    let again = staff.merge(ANN, with_roles(&[Role::Used])).await.unwrap();
    assert_eq!(again.name, "", "nothing is left of the one before");
}

pub async fn what_is_written_is_announced(staff: &dyn StaffCollection) {
    let mut changes = staff.changes();
    staff.merge(ANN, patch_with_name("Ann")).await.unwrap();
    hears_of(&mut changes, ANN).await;
    staff
        .update("nobody", patch_with_name("Nobody"))
        .await
        .unwrap();
    staff.delete("nobody").await.unwrap();
    staff.merge("bob", patch_with_name("Bob")).await.unwrap();
    hears_of(&mut changes, "bob").await;
    staff.update(ANN, patch_with_name("Ann B.")).await.unwrap();
    hears_of(&mut changes, ANN).await;
    staff.delete(ANN).await.unwrap();
    hears_of(&mut changes, ANN).await;
}

/// That a document, or any, may have changed.
async fn hears_of(changes: &mut Receiver<StaffChange>, id: &str) {
    let heard = async {
        while let Some(other) = changes.recv().await.unwrap().id
            && &*other != id
        {
            assert_ne!(&*other, "nobody", "nothing was written");
        }
    };
    let heard = timeout(WAIT_TIMEOUT, heard).await;
    heard.unwrap_or_else(|_| panic!("a change of {id} is announced"));
}

pub async fn an_id_may_have_dots_and_signs_in_it(staff: &dyn StaffCollection) {
    let mut odd = [
        "o'neil+shop@example.co.uk",
        "a.b.c@shop.example",
        "%40@shop.example",
        "ünï@shop.example",
        "a b",
        "`tick`",
        "1",
    ];
    for id in odd {
        staff.merge(id, patch_with_name(id)).await.unwrap();
        let mut patch = with_roles(&[Role::Used]);
        patch.email = Some(id.to_owned());
        staff.update(id, patch).await.unwrap().unwrap();
    }
    odd.sort_unstable();
    let all = staff.all().await.unwrap();
    assert_eq!(ids(&all), odd);
    for id in odd {
        let found = staff.get(id).await.unwrap().unwrap();
        assert_eq!((found.name.as_str(), found.email.as_str()), (id, id));
        assert!(staff.delete(id).await.unwrap(), "{id}");
    }
}

pub async fn the_document_with_the_user_id_counts_unless_it_names_no_roles(
    staff: &dyn StaffCollection,
) {
    let find = async || staff.find("uid-1", ANN).await.unwrap();
    assert_eq!(find().await, None);
    staff.merge(ANN, with_roles(&[Role::Used])).await.unwrap();
    assert_eq!(find().await.unwrap().id, ANN);
    staff
        .merge("uid-1", patch_with_name("Says nothing of roles"))
        .await
        .unwrap();
    assert_eq!(find().await.unwrap().id, ANN);
    staff.merge("uid-1", with_roles(&[])).await.unwrap();
    assert_eq!(find().await.unwrap().id, "uid-1");
    staff.delete(ANN).await.unwrap();
    assert_eq!(find().await.unwrap().id, "uid-1");
}
