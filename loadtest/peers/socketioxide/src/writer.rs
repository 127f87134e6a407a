//! The thread that has the database: SQLite waits for the disk, which no thread of the runtime may.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

use crate::api_types::{EntryResult, List};
use crate::broadcaster::{Announcement, Announcer};
use crate::shop::{Entry, Fault, Shop};

#[derive(Clone)]
pub struct Writer(Sender<Request>);

enum Request {
    List(oneshot::Sender<Result<List, Fault>>),
    Change(Vec<Entry>, oneshot::Sender<Vec<EntryResult>>),
    Close,
}

/// The database failed; what and why is on standard error.
#[derive(Debug)]
pub struct Failed;

impl Writer {
    pub fn start(shop: Shop, announcer: Announcer) -> io::Result<(Self, JoinHandle<()>)> {
        let (requests, inbox) = channel();
        let thread = thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || run(shop, &inbox, &announcer))?;
        Ok((Self(requests), thread))
    }

    pub async fn list(&self) -> Result<List, Failed> {
        let (answer, answered) = oneshot::channel();
        self.0.send(Request::List(answer)).map_err(|_| Failed)?;
        let list = answered.await.map_err(|_| Failed)?;
        list.map_err(|fault| {
            eprintln!("{fault}");
            Failed
        })
    }

    /// Comes back when the changes are durable and announced.
    pub async fn change(&self, entries: Vec<Entry>) -> Result<Vec<EntryResult>, Failed> {
        let (answer, answered) = oneshot::channel();
        let request = Request::Change(entries, answer);
        self.0.send(request).map_err(|_| Failed)?;
        answered.await.map_err(|_| Failed)
    }

    pub fn close(&self) {
        // It has ended already where nobody listens.
        let _ = self.0.send(Request::Close);
    }
}

fn run(mut shop: Shop, inbox: &Receiver<Request>, announcer: &Announcer) {
    while let Ok(request) = inbox.recv() {
        match request {
            Request::List(answer) => {
                // The caller may have gone.
                let _ = answer.send(shop.list());
            }
            Request::Change(entries, answer) => match shop.change(entries) {
                Ok(changes) => announcer.announce(Announcement {
                    events: changes.events,
                    results: changes.results,
                    answer,
                }),
                // Without an answer the request fails.
                Err(fault) => eprintln!("{fault}"),
            },
            Request::Close => break,
        }
    }
}
