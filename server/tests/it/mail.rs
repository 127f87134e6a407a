//! Mail to a real mail server, which the tests start.

use dispatch_server::mail::{Mail, Mailer, OutgoingMail, SendError, SmtpServer};

use crate::fixture::{ANYWHERE, MailServer, Server, Shop};

const LINK: &str = "https://desk.example.com/reset-password#token=mF0_9dQ2-0123456789012345678901234567890123456789abc&invitation=1";

fn mailer(url: &str) -> Mailer {
    let mail = Mail::Server {
        server: SmtpServer::new(&url.parse().unwrap()).unwrap(),
        from: "Dispatch Süd <desk@example.com>".parse().unwrap(),
    };
    Mailer::new(&mail, "nowhere".as_ref())
}

fn outgoing_mail() -> OutgoingMail {
    OutgoingMail {
        id: "0198f2b1-5b7e-7c11-8f0e-3f1d2c4b5a69".to_owned(),
        to: "ann@example.com".to_owned(),
        subject: "Einladung für Größe 12".to_owned(),
        text: format!("Grüß Gott, Ann!\n\nHier geht es weiter:\n\n{LINK}\n\nBis bald\n"),
    }
}

async fn refusal_text(url: &str) -> String {
    refused(url).await.to_string()
}

async fn refused(url: &str) -> SendError {
    let refused = mailer(url).send(&outgoing_mail()).await;
    refused.expect_err("it cannot be delivered")
}

#[tokio::test]
async fn a_letter_arrives_as_it_was_written() {
    let mut server = MailServer::start(&[]).await;
    mailer(&server.url("smtp://", ""))
        .send(&outgoing_mail())
        .await
        .unwrap();
    let arrived = server.next_mail().await;
    assert_eq!(
        arrived["envelope"],
        serde_json::json!(["desk@example.com", "ann@example.com"])
    );
    assert_eq!(arrived["from"], "Dispatch Süd <desk@example.com>");
    assert_eq!(arrived["to"], "ann@example.com");
    assert_eq!(arrived["subject"], "Einladung für Größe 12");
    assert_eq!(arrived["defects"], serde_json::json!([]));
    assert_eq!(
        arrived["messageId"],
        format!("<{}@example.com>", outgoing_mail().id)
    );
    assert!(arrived["date"].is_string());
    let text = arrived["text"].as_str().unwrap();
    assert!(text.contains("Grüß Gott, Ann!"), "{text}");
    assert!(text.lines().any(|line| line == LINK), "{text}");
    let html = arrived["html"].as_str().unwrap();
    assert!(html.contains(&format!("href=\"{}\"", LINK.replace('&', "&amp;"))));
    assert!(html.contains("Gr&#252;&#223; Gott"), "{html}");
}

#[tokio::test]
async fn a_password_goes_over_tls_to_a_server_with_a_valid_certificate() {
    for (traits, scheme, tls) in [
        (["starttls", "auth"], "smtp", "?tls=required&"),
        (["starttls", "auth"], "smtp", "?"),
        (["tls", "auth"], "smtps", "?"),
    ] {
        let mut server = MailServer::start(&traits).await;
        let with = |user: &str, ca: &str| {
            server.url(&format!("{scheme}://{user}@"), &format!("{tls}{ca}"))
        };
        let ca = format!("ca={}", server.authority().display());
        let desk = "desk:s3cret%20%40%2F%3A";
        let stranger = refusal_text(&with(desk, "")).await;
        assert!(stranger.contains("certificate"), "{stranger}");
        let wrong = refused(&with("desk:guess", &ca)).await;
        assert!(wrong.to_string().contains("535"), "{wrong}");
        assert!(!wrong.is_permanent(), "the configuration is put right");
        mailer(&with(desk, &ca))
            .send(&outgoing_mail())
            .await
            .unwrap();
        let arrived = server.next_mail().await;
        assert_eq!(
            (&arrived["tls"], &arrived["user"]),
            (&true.into(), &"desk".into())
        );
    }
}

#[tokio::test]
async fn a_server_without_tls_gets_nothing_where_tls_is_required() {
    let server = MailServer::start(&[]).await;
    let why = refusal_text(&server.url("smtp://ann:s3cret@", "?tls=required")).await;
    assert!(why.contains("STARTTLS"), "{why}");
}

#[tokio::test]
async fn an_old_server_gets_the_letter_in_seven_bits() {
    let mut server = MailServer::start(&["seven-bit"]).await;
    mailer(&server.url("smtp://", ""))
        .send(&outgoing_mail())
        .await
        .unwrap();
    let arrived = server.next_mail().await;
    assert_eq!(arrived["encoding"], "base64");
    assert!(arrived["text"].as_str().unwrap().contains(LINK));
}

#[tokio::test]
async fn a_permanent_refusal_differs_from_a_temporary_one() {
    let server = MailServer::start(&["rejecting"]).await;
    let why = refused(&server.url("smtp://", "")).await;
    assert!(why.is_permanent());
    let why = why.to_string();
    assert!(
        why.contains("550") && why.contains("Nobody of that name lives here"),
        "{why}"
    );

    let mut server = MailServer::start(&["busy"]).await;
    let url = server.url("smtp://", "");
    let why = refused(&url).await;
    assert!(!why.is_permanent());
    assert!(why.to_string().contains("451"), "{why}");
    mailer(&url).send(&outgoing_mail()).await.unwrap();
    server.next_mail().await;

    let nobody = format!("smtp://127.0.0.1:{}", MailServer::nowhere().await);
    let why = refused(&nobody).await;
    assert!(!why.is_permanent());
    assert!(why.to_string().contains("refused"), "{why}");
}

#[tokio::test]
async fn a_mail_server_needs_a_sender_address() {
    let shop = Shop::unplaced();
    let serve = |options: &[&'static str]| [&ANYWHERE[..], options].concat();
    for (options, says) in [
        (
            serve(&["--smtp-url", "smtp://127.0.0.1"]),
            "say who with --mail-from",
        ),
        (
            serve(&["--smtp-url", "smtp://127.0.0.1", "--mail-from", "nobody"]),
            "'nobody' cannot be --mail-from",
        ),
        (serve(&["--mail-from", "a@"]), "'a@' cannot be --mail-from"),
        (
            serve(&[
                "--smtp-url",
                "http://mail.example.com",
                "--mail-from",
                "a@b.example",
            ]),
            "--smtp-url must begin with smtp:// or smtps://",
        ),
    ] {
        let refusal = shop.run(&options).await.refused();
        assert!(refusal.contains(says), "{refusal}");
    }
    assert!(!shop.data_dir().exists(), "nothing was made");
}

#[tokio::test]
async fn a_mail_folder_that_is_a_link_is_reported_at_the_start_with_a_remedy() {
    let shop = Shop::new();
    let (mail, disk) = (shop.data_dir().join("mail"), shop.path("disk"));
    for folder in [shop.data_dir(), disk.clone()] {
        std::fs::create_dir(folder).unwrap();
    }
    std::os::unix::fs::symlink(disk, &mail).unwrap();
    let server = Server::start_in(shop, &[]).await;
    let message = format!(
        "no mail can be written to {}: it is a link, and none is followed here: put a folder in its \
         place, or mount the other disk there",
        mail.display()
    );
    let log = server.shop.read("server.log");
    assert!(log.contains(&message), "{log}");
}
