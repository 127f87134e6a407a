//! A board on a wall: one screen with a token of its own, which keeps the cards that it is told of
//! and asks once in a while whether they are right.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use reqwest::{Client, redirect};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use crate::http::Connections;
use crate::http::Post;
use crate::target::Address;
use crate::trouble::{Trouble, root_cause};
use crate::wire::{Ended, Wire};

/// How often a board asks whether it is right.
const CHECKED: Duration = Duration::from_secs(60);

/// The server ticks every 5 s: after three that did not come it is gone.
const SILENCE: Duration = Duration::from_secs(16);

/// What a screen is known by.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    pub token: String,
    pub board_id: String,
}

#[derive(Deserialize)]
struct Answer<T> {
    result: T,
}

/// Everything a board shows.
#[derive(Deserialize)]
pub struct Picture {
    pub seq: i64,
    cards: Vec<Box<RawValue>>,
    checksum: String,
}

#[derive(Deserialize)]
struct Keyed {
    key: String,
}

#[derive(Deserialize)]
struct CardEvent {
    key: String,
    card: Option<Box<RawValue>>,
    seq: i64,
}

#[derive(Deserialize)]
struct Seq {
    seq: i64,
}

#[derive(Deserialize)]
struct Verdict {
    same: Option<bool>,
}

/// Cards by key, each as it came.
type Cards = BTreeMap<String, String>;

/// What others may see of a board.
#[derive(Default)]
pub struct State {
    /// Has heard `hello` and has its picture.
    pub live: Cell<bool>,
    /// The newest event it has heard of.
    pub seq: Cell<i64>,
    /// Messages that came.
    pub frames: Cell<u64>,
    pub checks: Cell<u64>,
    cards: RefCell<Cards>,
    /// Of the cards, as long as no message changed them.
    checksum: RefCell<Option<String>>,
    /// What was wrong.
    pub faults: RefCell<Vec<String>>,
}

pub struct Board {
    address: Address,
    http: Client,
    connections: Rc<Connections>,
    token: Token,
    pub state: Rc<State>,
    gone: watch::Receiver<bool>,
}

/// What all boards of a run share.
pub struct Wall {
    address: Address,
    http: Client,
    connections: Rc<Connections>,
}

impl Wall {
    pub fn new(address: &Address) -> Result<Self, Trouble> {
        let http = Client::builder()
            // Never somebody else's machine, whatever the environment or the server says.
            .no_proxy()
            .redirect(redirect::Policy::none())
            .build()
            .map_err(|error| Trouble::Machine(root_cause(&error)))?;
        Ok(Self {
            address: address.clone(),
            http,
            connections: Rc::new(Connections::new(address)),
        })
    }

    pub fn board(&self, token: Token, gone: watch::Receiver<bool>) -> Board {
        Board {
            address: self.address.clone(),
            http: self.http.clone(),
            connections: Rc::clone(&self.connections),
            token,
            state: Rc::default(),
            gone,
        }
    }

    /// What a board should show now.
    pub async fn picture(&self, token: &Token) -> Result<Picture, Ended> {
        picture(&self.http, &self.address, token).await
    }
}

impl State {
    /// Whether it shows what it should.
    pub fn shows(&self, picture: &Picture) -> bool {
        *self.cards.borrow() == picture.cards()
    }
}

impl Picture {
    fn cards(&self) -> Cards {
        let card = |card: &RawValue| {
            let Keyed { key } = serde_json::from_str(card.get()).ok()?;
            Some((key, card.get().to_owned()))
        };
        self.cards.iter().filter_map(|one| card(one)).collect()
    }
}

impl Board {
    /// Until it is told to go. Whatever ends it before that is a fault.
    pub async fn hang(mut self) {
        if let Err(why) = self.connection().await {
            self.state.live.set(false);
            self.state.faults.borrow_mut().push(why);
        }
    }

    async fn connection(&mut self) -> Result<(), Ended> {
        let opened = Wire::open(&self.address, None).await;
        let mut wire = opened.map_err(|why| format!("{why:?}"))?;
        let mut check = Instant::now() + CHECKED;
        loop {
            let mut came: Vec<Vec<u8>> = Vec::new();
            tokio::select! {
                next = wire.next(|packet| came.push(packet.to_vec())) => next?,
                _ = self.gone.changed() => {
                    wire.close().await;
                    return Ok(());
                }
                () = sleep_until(check) => {
                    check = Instant::now() + CHECKED;
                    self.check().await?;
                }
                () = sleep(SILENCE) => return Err("nothing came for 16 s".to_owned()),
            }
            for packet in came {
                self.take(&packet, &mut wire).await?;
            }
        }
    }

    async fn take(&self, packet: &[u8], wire: &mut Wire) -> Result<(), Ended> {
        match packet {
            [b'0', ..] => {
                let auth = json!({
                    "token": self.token.token,
                    "scope": { "board": self.token.board_id },
                });
                wire.send(&format!("40{auth}")).await
            }
            b"2" => wire.send("3").await,
            [b'4', b'0', ..] => Ok(()),
            [b'4', b'2', list @ ..] => self.hear(list).await,
            other => Err(format!(
                "the server said {}",
                String::from_utf8_lossy(other)
            )),
        }
    }

    async fn hear(&self, list: &[u8]) -> Result<(), Ended> {
        let unreadable = |error: serde_json::Error| format!("a message cannot be read: {error}");
        let event: Vec<Box<RawValue>> = serde_json::from_slice(list).map_err(unreadable)?;
        let [name, payload, ..] = event.as_slice() else {
            return Err("a message without a payload came".to_owned());
        };
        let state = &self.state;
        state.frames.set(state.frames.get() + 1);
        match name.get() {
            r#""hello""# => {
                let picture = picture(&self.http, &self.address, &self.token).await?;
                *state.cards.borrow_mut() = picture.cards();
                state.seq.set(picture.seq);
                *state.checksum.borrow_mut() = Some(picture.checksum);
                state.live.set(true);
            }
            r#""tick""# => {
                let Seq { seq } = serde_json::from_str(payload.get()).map_err(unreadable)?;
                state.seq.set(state.seq.get().max(seq));
            }
            r#""BOARD_CARD""# => {
                let CardEvent { key, card, seq } =
                    serde_json::from_str(payload.get()).map_err(unreadable)?;
                match card {
                    Some(card) => drop(state.cards.borrow_mut().insert(key, card.get().to_owned())),
                    None => drop(state.cards.borrow_mut().remove(&key)),
                }
                state.seq.set(state.seq.get().max(seq));
                *state.checksum.borrow_mut() = None;
            }
            r#""BOARD_CLOCK""# | r#""BOARD_SETTINGS""# => {}
            other => return Err(format!("a board heard {other}")),
        }
        Ok(())
    }

    /// Asks whether what it has had since its picture is right.
    async fn check(&self) -> Result<(), Ended> {
        let Some(checksum) = self.state.checksum.borrow().clone() else {
            return Ok(());
        };
        let orders = self.state.cards.borrow().len();
        let body = json!({
            "seq": self.state.seq.get(),
            "checksum": checksum,
            "shows": { "orders": orders, "pages": 1, "page": 1 },
        })
        .to_string();
        let post = Post {
            path: "/api/board/check",
            token: &self.token.token,
            header: None,
            body: body.as_bytes(),
            content_type: "application/json",
        };
        let answer = self.connections.post(&post).await?;
        let verdict: Answer<Verdict> = serde_json::from_slice(&answer.body)
            .map_err(|_| format!("a check was answered {}", answer.status))?;
        self.state.checks.set(self.state.checks.get() + 1);
        if verdict.result.same == Some(false) {
            let fault = "a board showed something else than the server".to_owned();
            self.state.faults.borrow_mut().push(fault);
        }
        Ok(())
    }
}

async fn picture(http: &Client, address: &Address, token: &Token) -> Result<Picture, Ended> {
    let failed = |error: reqwest::Error| root_cause(&error);
    let request = http.get(address.http("/api/board"));
    let answer = request.bearer_auth(&token.token).send().await;
    let answer = answer.map_err(failed)?.bytes().await.map_err(failed)?;
    let answer: Result<Answer<Picture>, _> = serde_json::from_slice(&answer);
    answer
        .map(|answer| answer.result)
        .map_err(|error| format!("a board's picture cannot be read: {error}"))
}

/// A link as it is made, and what it is redeemed for.
pub mod link {
    use super::{Answer, Token};
    use crate::desk::Desk;
    use crate::trouble::Trouble;
    use serde::Deserialize;
    use serde_json::{Value, json};

    const WHAT: &str = "a board";

    #[derive(Deserialize)]
    struct Link {
        url: String,
    }

    /// Adds a board, and makes this program its screen.
    pub async fn hang(desk: &Desk, board: &Value) -> Result<Token, Trouble> {
        let Link { url } = ask(desk, "/api/boards/links", board).await?;
        let link = url.split_once('=').map_or("", |(_, link)| link);
        let screen = json!({ "width": 1920, "height": 1080 });
        let redeem = json!({ "link": link, "version": "loadtest", "screen": screen });
        ask(desk, "/api/boards/links/redeem", &redeem).await
    }

    /// Takes a board down: its token ends, and then it is deleted.
    pub async fn take_down(desk: &Desk, board: &Token) -> Result<(), Trouble> {
        for _ in 0..2 {
            desk.delete(&format!("/api/boards/{}", board.board_id))
                .await?;
        }
        Ok(())
    }

    async fn ask<T: for<'de> Deserialize<'de>>(
        desk: &Desk,
        path: &str,
        body: &Value,
    ) -> Result<T, Trouble> {
        let answer = desk.post(path, None, &body.to_string()).await;
        let answer = answer.map_err(|why| Trouble::Unexpected { what: WHAT, why })?;
        match serde_json::from_slice::<Answer<T>>(&answer.body) {
            Ok(answer) => Ok(answer.result),
            Err(_) => Err(Trouble::Refused {
                what: WHAT,
                answer: answer.status.to_string(),
            }),
        }
    }
}
