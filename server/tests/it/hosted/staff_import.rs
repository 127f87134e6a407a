//! `dispatch staff import`: what Firebase exports, beside a running server and without one.

use dispatch_server::identity::firebase_scrypt;
use dispatch_server::staff::{Role, StaffCollection, StaffDocuments};
use sea_orm::{ConnectionTrait, Statement};

use crate::fixture::{Server, Shop};

/// The published example of Firebase's scrypt, as `firebase auth:export` writes it.
const ACCOUNTS: &str = r#"{"users": [
{
  "localId": "UiD1",
  "email": "User1@Shop.Example",
  "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
  "salt": "42xEC+ixf3L2lw==",
  "createdAt": "1700000000000",
  "providerUserInfo": []
},
{ "localId": "UiD2", "email": "gone@shop.example", "disabled": true },
{ "localId": "UiD3", "email": "nobody" },
{ "localId": "UiD4", "email": "invited@shop.example" }
]}"#;

const HASHES: &str = "hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}
";

const DOCUMENTS: &str = r#"{
  "user1@shop.example": { "name": "User One", "roles": ["Owner", "Technician"], "technicianId": 77 },
  "invited@shop.example": { "name": "In Vited", "roles": ["Boss"] }
}"#;

fn files(shop: &Shop) {
    shop.write("accounts.json", ACCOUNTS);
    shop.write("hashes.txt", HASHES);
    shop.write("users.json", DOCUMENTS);
}

const IMPORT: [&str; 6] = [
    "staff",
    "import",
    "accounts.json",
    "users.json",
    "--hash-config",
    "hashes.txt",
];

#[tokio::test]
async fn an_export_is_imported_beside_a_server_and_without_one() {
    for with_server in [false, true] {
        let server = if with_server {
            Some(Server::start().await)
        } else {
            None
        };
        let alone = Shop::new();
        let shop = server.as_ref().map_or(&alone, |server| &server.shop);
        files(shop);

        let ran = shop.run(&IMPORT).await;
        assert_eq!(ran.code, Some(1), "something was refused: {ran:?}");
        assert_eq!(
            ran.out,
            "accounts.json:2: User1@Shop.Example: created\n\
             accounts.json:10: gone@shop.example: left: it is disabled\n\
             accounts.json:11: nobody: refused: This is not an email address: write it like name@example.com\n\
             accounts.json:12: invited@shop.example: created\n\
             users.json:2: user1@shop.example: created\n\
             users.json:3: invited@shop.example: refused: 'Boss' is not a role: use Admin, Technician, Advisor, Service_Manager, Used or Owner\n\
             3 created, 1 left as they were, 2 refused.\n"
        );
        let again = shop.run(&IMPORT).await;
        assert!(
            again
                .out
                .contains("User1@Shop.Example: left: there is an account with this user id\n")
                && again
                    .out
                    .contains("user1@shop.example: left: there is a document with this id\n")
                && again
                    .out
                    .ends_with("0 created, 4 left as they were, 2 refused.\n"),
            "{}",
            again.out
        );

        let store = shop.store().await;
        let row = Statement::from_string(
            store.reader().get_database_backend(),
            "SELECT uid, password_hash FROM accounts WHERE email = 'user1@shop.example'",
        );
        let row = store.reader().query_one_raw(row).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<String>(0).unwrap(), "UiD1");
        let kept: String = row.try_get_by_index(1).unwrap();
        let verify = |password| firebase_scrypt::verify(password, &kept);
        assert_eq!(verify("user1password"), Some(true));
        assert_eq!(verify("user2password"), Some(false));
        let document = StaffDocuments::new(store).get("user1@shop.example").await;
        let document = document.unwrap().unwrap();
        assert_eq!(document.roles(), [Role::Owner, Role::Technician]);
        assert_eq!(
            (document.name.as_str(), document.technician_id),
            ("User One", Some(77))
        );
    }
}

#[tokio::test]
async fn a_person_who_is_there_already_is_left_alone() {
    let shop = Shop::new();
    shop.add_user("user1@shop.example", "Advisor").await;
    files(&shop);
    let ran = shop.run(&IMPORT).await;
    assert!(
        ran.out
            .contains("User1@Shop.Example: left: there is an account with this email\n"),
        "{}",
        ran.out
    );
    let staff = StaffDocuments::new(shop.store().await);
    let document = staff.get("user1@shop.example").await.unwrap().unwrap();
    assert_eq!(document.roles(), [Role::Advisor]);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_stops_the_import_before_it_begins() {
    let shop = Shop::new();
    files(&shop);
    shop.write("broken.json", "{");
    shop.write("bcrypt.txt", "hash_config {\n  algorithm: BCRYPT,\n}");
    for (arguments, sentence) in [
        (
            &["users.json", "accounts.json"][..],
            "accounts.json: it holds password hashes: name a file with the project's password hash parameters by --hash-config (Firebase's console shows them under Authentication, Users)",
        ),
        (
            &["users.json", "broken.json"],
            "broken.json: it is not JSON: EOF while parsing an object at line 1 column 1",
        ),
        (
            &["accounts.json", "--hash-config", "bcrypt.txt"],
            "bcrypt.txt: the password hash parameters are of BCRYPT; only SCRYPT, Firebase's own, can be taken",
        ),
        (
            &["nothing.json"],
            "cannot read nothing.json: No such file or directory (os error 2)",
        ),
    ] {
        let all = [&["staff", "import"][..], arguments].concat();
        assert_eq!(shop.run(&all).await.refused(), sentence);
    }
}

#[tokio::test]
async fn accounts_are_not_imported_while_firebase_keeps_them() {
    let shop = Shop::new();
    files(&shop);
    let arguments = [&IMPORT[..], &["--identity", "firebase"]].concat();
    assert_eq!(
        shop.run(&arguments).await.refused(),
        "accounts.json: the accounts stay with Firebase as long as --identity says so"
    );
}
