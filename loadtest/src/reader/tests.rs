//! Against a server that does what the contract says, one connection after the other: the real one
//! is met by the scenarios.

use std::future::Future;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::LocalSet;

use super::*;
use crate::checker::Verdict;
use crate::clock::Clock;
use crate::crowd::Crowd;
use crate::desk::Desk;
use crate::target::{Address, SignIn};

const OPEN: &str = r#"0{"sid":"e","upgrades":[],"pingInterval":25000,"pingTimeout":20000}"#;

/// Event `seq` brings order 7 to version `seq`; the offset is its own business.
fn change(seq: i64) -> String {
    format!(
        r#"42["RO_MODIFIED",{{"seq":{seq},"roNumber":7,"version":{seq},"rows":[{{"version":{seq}}}]}},"at {seq}"]"#
    )
}

fn hello(seq: i64) -> String {
    format!(r#"42["hello",{{"seq":{seq}}},"at {seq}"]"#)
}

async fn answer(stream: &mut TcpStream, head: &str, body: &str) {
    let length = body.len();
    let text =
        format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    stream.write_all(text.as_bytes()).await.unwrap();
}

async fn say(stream: &mut TcpStream, text: &str) {
    let length = u16::try_from(text.len()).unwrap();
    let mut frame = vec![0x81, 126];
    frame.extend(length.to_be_bytes());
    frame.extend(text.as_bytes());
    stream.write_all(&frame).await.unwrap();
}

/// What a client sent in one frame, which is short here.
async fn hear(stream: &mut TcpStream) -> String {
    let mut head = [0; 2];
    stream.read_exact(&mut head).await.unwrap();
    let length = match head[1] & 0x7f {
        126 => usize::from(stream.read_u16().await.unwrap()),
        short => usize::from(short),
    };
    let mut rest = vec![0; 4 + length];
    stream.read_exact(&mut rest).await.unwrap();
    String::from_utf8(rest.split_off(4)).unwrap()
}

/// The next WebSocket, past its CONNECT, which is given back. Calls that come before are answered:
/// the list has order 7 as event `listed` left it.
async fn next_socket(server: &TcpListener, listed: i64) -> (TcpStream, serde_json::Value) {
    loop {
        let (mut stream, _) = server.accept().await.unwrap();
        let mut came = Vec::new();
        while !came.windows(4).any(|four| four == b"\r\n\r\n") {
            stream.read_buf(&mut came).await.unwrap();
        }
        let request = String::from_utf8_lossy(&came).into_owned();
        if request.starts_with("POST /api/auth/sign-in") {
            answer(
                &mut stream,
                "200 OK",
                r#"{"ok":true,"result":{"idToken":"t"}}"#,
            )
            .await;
        } else if request.starts_with("GET /api/repair-orders") {
            let row = format!(
                r#"{{"repairOrderNumber":7,"version":{listed},"appCustomerStatus":null,"priorityName":"Low"}}"#
            );
            let list = format!(r#"{{"ok":true,"result":[{row}],"seq":{listed}}}"#);
            answer(&mut stream, "200 OK", &list).await;
        } else {
            let upgraded = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
            stream.write_all(upgraded.as_bytes()).await.unwrap();
            // At once with what a hasty server says next.
            say(&mut stream, OPEN).await;
            say(&mut stream, "2").await;
            let first = hear(&mut stream).await;
            assert_eq!(hear(&mut stream).await, "3");
            let auth = serde_json::from_str(first.strip_prefix("40").unwrap()).unwrap();
            return (stream, auth);
        }
    }
}

/// One returning reader, which meets `serve` and is then judged by a list at event `end`.
fn judged<S, F>(end: i64, serve: S) -> (Rc<ReaderContext>, Verdict)
where
    S: FnOnce(TcpListener) -> F,
    F: Future<Output = ()> + 'static,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    // As main does; another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let port = server.local_addr().unwrap().port();
    let serving = serve(server);
    LocalSet::new().block_on(&runtime, async move {
        let served = tokio::task::spawn_local(serving);
        let address: Address = format!("http://127.0.0.1:{port}").parse().unwrap();
        let account = SignIn {
            email: String::new(),
            password: String::new(),
        };
        let desk = Rc::new(Desk::sign_in(&address, &account).await.unwrap());
        let context = ReaderContext::new(&address, &desk, Clock::start(), 1);
        let mut crowd = Crowd::new(&context);
        let role = Role {
            returns: true,
            ..Role::default()
        };
        crowd.join(1, &role).await.unwrap();
        crowd.all_heard(end, Duration::from_secs(4)).await;
        served.abort();
        let row = serde_json::json!({ "repairOrderNumber": 7, "version": end,
            "appCustomerStatus": null, "priorityName": "Low" });
        let list = crate::order::List::new(end, &[serde_json::from_value(row).unwrap()]);
        let verdict = crowd.leave(&list, end).await.remove(0);
        (context, verdict)
    })
}

#[test]
fn a_reader_resumes_at_its_offset_and_receives_the_missed_events() {
    let (context, verdict) = judged(13, |server| async move {
        let (mut first, auth) = next_socket(&server, 10).await;
        assert_eq!(auth, serde_json::json!({ "token": "t" }));
        say(&mut first, r#"40{"sid":"a","pid":"p"}"#).await;
        say(&mut first, &hello(10)).await;
        say(&mut first, &change(11)).await;
        drop(first);
        let (mut second, auth) = next_socket(&server, 10).await;
        let resumes = serde_json::json!({ "token": "t", "pid": "p", "offset": "at 11" });
        assert_eq!(auth, resumes);
        say(&mut second, r#"40{"sid":"b","pid":"p"}"#).await;
        say(&mut second, &change(12)).await;
        say(&mut second, &hello(12)).await;
        say(&mut second, &change(13)).await;
        hear(&mut second).await;
    });
    assert_eq!(verdict.fault(), None);
    assert_eq!(verdict.expected, 3);
    assert_eq!(context.tallies.recovered.get(), 1);
    assert_eq!(context.tallies.reloads.get(), 0);
}

#[test]
fn a_recovery_that_skips_an_event_is_detected() {
    let (_, verdict) = judged(13, |server| async move {
        let (mut first, _) = next_socket(&server, 10).await;
        say(&mut first, r#"40{"sid":"a","pid":"p"}"#).await;
        say(&mut first, &hello(10)).await;
        drop(first);
        let (mut second, _) = next_socket(&server, 10).await;
        say(&mut second, r#"40{"sid":"b","pid":"p"}"#).await;
        say(&mut second, &change(11)).await;
        say(&mut second, &hello(12)).await;
        say(&mut second, &change(13)).await;
        hear(&mut second).await;
    });
    assert_eq!((verdict.missing, verdict.early), (vec![12], vec![12]));
}

#[test]
fn a_reader_with_a_new_pid_loads_the_list_again() {
    let (context, verdict) = judged(15, |server| async move {
        let (mut first, _) = next_socket(&server, 10).await;
        say(&mut first, r#"40{"sid":"a","pid":"p"}"#).await;
        say(&mut first, &hello(10)).await;
        drop(first);
        let (mut second, _) = next_socket(&server, 14).await;
        say(&mut second, r#"40{"sid":"b","pid":"q"}"#).await;
        say(&mut second, &hello(14)).await;
        say(&mut second, &change(15)).await;
        // The list is asked for now.
        next_socket(&server, 14).await;
    });
    assert_eq!(verdict.fault(), None);
    assert_eq!(verdict.expected, 1);
    let tallies = &context.tallies;
    assert_eq!((tallies.reconnects.get(), tallies.recovered.get()), (1, 0));
    assert_eq!((tallies.reloads.get(), tallies.lists.get()), (1, 1));
}

#[test]
fn a_reader_refused_with_503_reconnects() {
    let (context, verdict) = judged(11, |server| async move {
        let (mut first, _) = next_socket(&server, 10).await;
        say(&mut first, r#"40{"sid":"a","pid":"p"}"#).await;
        say(&mut first, &hello(10)).await;
        drop(first);
        let (mut busy, _) = server.accept().await.unwrap();
        answer(&mut busy, "503 Service Unavailable", "").await;
        drop(busy);
        let (mut second, _) = next_socket(&server, 10).await;
        say(&mut second, r#"40{"sid":"b","pid":"p"}"#).await;
        say(&mut second, &change(11)).await;
        say(&mut second, &hello(11)).await;
        hear(&mut second).await;
    });
    assert_eq!(verdict.fault(), None);
    assert_eq!(context.tallies.busy.get(), 1);
    assert_eq!(context.tallies.recovered.get(), 1);
}
