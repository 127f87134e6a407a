//! All boards of a run: they are paired by link, get commands, are judged, and are deleted.

use std::rc::Rc;
use std::time::Duration;

use reqwest::{Client, redirect};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::spawn_local;
use tokio::time::{Instant, sleep};

use crate::board::{Board, BoardPicture, State};
use crate::desk::Desk;
use crate::error::{LoadTestError, root_cause};
use crate::http::{Connections, Post};
use crate::reader::ConnectionControl;
use crate::reader_context::ReaderContext;
use crate::report::Report;
use crate::target::Address;
use crate::ws_frames::Ended;

/// From the first to the last of them.
const JOIN: Duration = Duration::from_secs(60);

/// Until all show the last change: two ticks.
const HEARD: Duration = Duration::from_secs(12);

const LAYOUTS: [&str; 4] = ["shop-floor", "queue", "used-pdi", "lounge"];

const WHAT: &str = "a board";

pub struct Wall {
    ask: Rc<Ask>,
    desk: Rc<Desk>,
    controls: watch::Sender<ConnectionControl>,
    boards: Vec<(Token, Rc<State>)>,
}

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

#[derive(Deserialize)]
struct Link {
    url: String,
}

impl Wall {
    /// Boards of the four layouts in turn. They are there when this comes back, or a fault.
    pub async fn start(
        context: &Rc<ReaderContext>,
        boards: u32,
        faults: &mut Vec<String>,
    ) -> Result<Self, LoadTestError> {
        let mut wall = Self {
            ask: Rc::new(Ask::new(&context.address)?),
            desk: Rc::clone(&context.desk),
            controls: watch::Sender::default(),
            boards: Vec::new(),
        };
        for (number, layout) in (0..boards).zip(LAYOUTS.iter().cycle()) {
            let about = json!({ "name": format!("Load test {number}"), "layout": layout });
            let token = match wall.add(&about).await {
                Ok(token) => token,
                Err(error) => {
                    wall.stop().await?;
                    return Err(error);
                }
            };
            let state = Rc::<State>::default();
            let control_changes = wall.controls.subscribe();
            let board = Board::new(context, &wall.ask, token.clone(), &state, control_changes);
            spawn_local(board.run());
            wall.boards.push((token, state));
        }
        let absent = || wall.states().filter(|state| !state.live.get()).count();
        wait(JOIN, || absent() == 0).await;
        if absent() > 0 {
            faults.push(format!("{} boards did not come", absent()));
        }
        Ok(wall)
    }

    /// Adds a board by a link, and makes this program its screen.
    async fn add(&self, about: &Value) -> Result<Token, LoadTestError> {
        let Link { url } = post(&self.desk, "/api/boards/links", about).await?;
        let link = url.split_once('=').map_or("", |(_, link)| link);
        let screen = json!({ "width": 1920, "height": 1080 });
        let redeem = json!({ "link": link, "version": "loadtest", "screen": screen });
        post(&self.desk, "/api/boards/links/redeem", &redeem).await
    }

    pub fn tell(&self, control: impl FnOnce(&mut ConnectionControl)) {
        self.controls.send_modify(control);
    }

    /// After the last change, whose event is `top`: all must show what the server has for them.
    /// `must_have_checked`: they have hung there for so long that each has asked whether it is right.
    pub async fn judge(&self, top: i64, must_have_checked: bool, report: &mut Report) {
        wait(HEARD, || self.states().all(|state| state.seq.get() >= top)).await;
        let mut wrong = 0;
        for (token, state) in &self.boards {
            if !self.is_right(token, state).await {
                wrong += 1;
            }
            report.faults.extend(state.faults.take());
        }
        let checks: u64 = self.states().map(|state| state.checks.get()).sum();
        report.value("boardChecks", "checks of boards", checks);
        let never = self
            .states()
            .filter(|state| state.checks.get() == 0)
            .count();
        if must_have_checked && never > 0 {
            let fault = format!("{never} boards never asked whether they are right");
            report.faults.push(fault);
        }
        report.value("boardsWrong", "boards that show something else", wrong);
        if wrong > 0 {
            let fault = format!("{wrong} boards show something else than they should");
            report.faults.push(fault);
        }
    }

    /// In a shop that moves, the picture may be of later.
    async fn is_right(&self, token: &Token, state: &State) -> bool {
        let end = Instant::now() + HEARD;
        loop {
            let picture = self.ask.picture(token).await;
            if picture.is_ok_and(|picture| state.shows(&picture)) {
                return true;
            }
            if Instant::now() > end {
                return false;
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// They are on a real shop's list: each token is revoked, and then the board is deleted.
    pub async fn stop(self) -> Result<(), LoadTestError> {
        self.tell(|control| control.is_closed = true);
        for (token, _) in &self.boards {
            let board = format!("/api/boards/{}", token.board_id);
            let revoked = self.desk.post(&format!("{board}/revoke"), None, "{}").await;
            revoked.map_err(|why| LoadTestError::Unexpected { what: WHAT, why })?;
            self.desk.delete(&board).await?;
        }
        Ok(())
    }

    fn states(&self) -> impl Iterator<Item = &State> {
        self.boards.iter().map(|(_, state)| state.as_ref())
    }
}

async fn post<T: DeserializeOwned>(
    desk: &Desk,
    path: &str,
    body: &Value,
) -> Result<T, LoadTestError> {
    let answer = desk.post(path, None, &body.to_string()).await;
    let answer = answer.map_err(|why| LoadTestError::Unexpected { what: WHAT, why })?;
    match serde_json::from_slice::<Answer<T>>(&answer.body) {
        Ok(answer) => Ok(answer.result),
        Err(_) => Err(LoadTestError::Refused {
            what: WHAT,
            answer: answer.status.to_string(),
        }),
    }
}

async fn wait(most: Duration, until: impl Fn() -> bool) {
    let end = Instant::now() + most;
    while !until() && Instant::now() < end {
        sleep(Duration::from_millis(50)).await;
    }
}

/// How boards ask.
pub struct Ask {
    address: Address,
    http: Client,
    connections: Connections,
}

impl Ask {
    fn new(address: &Address) -> Result<Self, LoadTestError> {
        let http = Client::builder()
            // Never somebody else's machine, whatever the environment or the server says.
            .no_proxy()
            .redirect(redirect::Policy::none())
            .build()
            .map_err(|error| LoadTestError::Machine(root_cause(&error)))?;
        Ok(Self {
            address: address.clone(),
            http,
            connections: Connections::new(address),
        })
    }

    /// What a board should show now.
    pub async fn picture(&self, token: &Token) -> Result<BoardPicture, Ended> {
        let failed = |error: reqwest::Error| root_cause(&error);
        let request = self.http.get(self.address.http("/api/board"));
        let answer = request.bearer_auth(&token.token).send().await;
        let answer = answer.map_err(failed)?.bytes().await.map_err(failed)?;
        let answer: Result<Answer<BoardPicture>, _> = serde_json::from_slice(&answer);
        answer
            .map(|answer| answer.result)
            .map_err(|error| format!("a board's picture cannot be read: {error}"))
    }

    pub async fn post<T: DeserializeOwned>(&self, post: &Post<'_>) -> Result<T, Ended> {
        let answer = self.connections.post(post).await?;
        let answered: Result<Answer<T>, _> = serde_json::from_slice(&answer.body);
        answered
            .map(|answered| answered.result)
            .map_err(|_| format!("{} was answered {}", post.path, answer.status))
    }
}
