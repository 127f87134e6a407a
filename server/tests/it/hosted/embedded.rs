//! Our own provider does what every identity provider does.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use dispatch_actors::testing::Throwaway;
use dispatch_server::identity::{
    Email, Embedded, IdentityProvider, MailDelivery, MailQueue, PasswordPolicy,
};
use dispatch_server::mail::Mailer;

use super::identity_suite::{Stage, identity_suite};

struct Ours {
    provider: Embedded,
    mails: tempfile::TempDir,
    _database: Throwaway,
}

async fn on(database: Throwaway) -> Ours {
    let mails = tempfile::tempdir().unwrap();
    let policy = PasswordPolicy {
        min_length: 6,
        max_length: 1_000,
        refuses_common: false,
    };
    let mailer = Mailer::to_folder(mails.path().to_owned());
    let public_url = Arc::from("http://127.0.0.1:8080");
    let store = database.store().await;
    let queue = MailQueue::new(store.clone());
    let delivery = MailDelivery::new(queue.clone(), mailer, public_url);
    tokio::spawn(delivery.run(std::future::pending()));
    Ours {
        provider: Embedded::new(store, policy, queue),
        mails,
        _database: database,
    }
}

#[async_trait]
impl Stage for Ours {
    fn provider(&self) -> &dyn IdentityProvider {
        &self.provider
    }

    async fn mailed_tokens(&self, email: &Email) -> Vec<String> {
        let mails = std::fs::read_dir(self.mails.path()).unwrap();
        let paths = mails.map(|mail| mail.unwrap().path());
        let mut paths: Vec<PathBuf> = paths
            .filter(|path| path.extension().is_some_and(|ending| ending == "eml"))
            .collect();
        paths.sort();
        let texts = paths
            .iter()
            .map(|path| std::fs::read_to_string(path).unwrap());
        let theirs = texts.filter(|text| text.contains(email.as_str()));
        theirs.map(|text| token(&text)).collect()
    }
}

fn token(mail: &str) -> String {
    let (_, after) = mail
        .split_once("http://127.0.0.1:8080/reset-password#token=")
        .unwrap();
    let token = after.split(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c));
    token.into_iter().next().unwrap().to_owned()
}

mod sqlite {
    use super::*;
    identity_suite!(on(Throwaway::sqlite()));
}

mod postgres {
    use super::*;
    identity_suite!(async { on(Throwaway::postgres().await).await });
}
