//! One request and its answer on a connection of its own, from an address of its own: what a server
//! limits by network is then no limit for the comparison.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use httparse::{EMPTY_HEADER, Response, Status};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::time::timeout;

use crate::http::joined_chunks;
use crate::target::Address;

/// A debug build on a busy machine takes seconds to hash a password.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

const MAX_HEADERS: usize = 64;

pub struct Exchange<'a> {
    pub method: &'a str,
    /// Path and query as they are sent.
    pub target: &'a str,
    pub headers: &'a [(String, String)],
    pub body: Option<&'a [u8]>,
}

#[derive(Debug)]
pub struct ApiAnswer {
    pub status: u16,
    /// Values of each, by its name in lower case.
    pub headers: BTreeMap<String, Vec<String>>,
    pub body: Vec<u8>,
}

impl Exchange<'_> {
    pub async fn perform(&self, address: &Address, from: Ipv4Addr) -> io::Result<ApiAnswer> {
        let late = |_| io::Error::new(io::ErrorKind::TimedOut, "no answer in time");
        let performed = timeout(ANSWER_TIMEOUT, self.send_and_read(address, from)).await;
        performed.map_err(late)?
    }

    async fn send_and_read(&self, address: &Address, from: Ipv4Addr) -> io::Result<ApiAnswer> {
        let to: SocketAddr = address.authority().parse().map_err(io::Error::other)?;
        let socket = TcpSocket::new_v4()?;
        socket.bind((from, 0).into())?;
        let mut stream = socket.connect(to).await?;
        let sent = stream.write_all(&self.bytes(address)).await;
        let mut received = Vec::new();
        let read = stream.read_to_end(&mut received).await;
        // A server that refuses a long body answers before it has read all of it, and closes.
        match parsed(&received, self.method) {
            Some(answer) => Ok(answer.without_port_in_cookies(to.port())),
            None => {
                sent?;
                read?;
                Err(io::Error::other("the answer is no HTTP"))
            }
        }
    }

    fn bytes(&self, address: &Address) -> Vec<u8> {
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n",
            self.method,
            self.target,
            address.authority()
        );
        for (name, value) in self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = self.body {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(self.body.unwrap_or_default());
        bytes
    }
}

fn parsed(received: &[u8], method: &str) -> Option<ApiAnswer> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut head = Response::new(&mut headers);
    let Ok(Status::Complete(length)) = head.parse(received) else {
        return None;
    };
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for header in head.headers.iter() {
        let value = String::from_utf8_lossy(header.value).into_owned();
        by_name
            .entry(header.name.to_lowercase())
            .or_default()
            .push(value);
    }
    let is_chunked = by_name.contains_key("transfer-encoding") && method != "HEAD";
    let body = match &received[length..] {
        body if is_chunked => joined_chunks(body).ok()??,
        body => body.to_vec(),
    };
    Some(ApiAnswer {
        status: head.code?,
        headers: by_name,
        body,
    })
}

impl ApiAnswer {
    /// Cookies may be named by the server's port, which differs between the two servers.
    fn without_port_in_cookies(mut self, port: u16) -> Self {
        let ending = format!("_{port}=");
        for cookie in self.headers.get_mut("set-cookie").into_iter().flatten() {
            *cookie = cookie.replacen(&ending, "=", 1);
        }
        self
    }

    pub fn cookie(&self, name: &str) -> Option<&str> {
        let set = self.headers.get("set-cookie")?;
        set.iter().find_map(|cookie| {
            let (first, _) = cookie.split_once(';').unwrap_or((cookie, ""));
            let (its_name, value) = first.split_once('=')?;
            (its_name == name).then_some(value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_its_status_headers_and_body() {
        let text = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nset-cookie: b=2; HttpOnly\r\n\
                    Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
        let answer = parsed(text.as_bytes(), "GET").unwrap();
        assert_eq!(
            (answer.status, answer.body.as_slice()),
            (200, &b"hello"[..])
        );
        assert_eq!((answer.cookie("b"), answer.cookie("c")), (Some("2"), None));
        assert!(parsed(b"nonsense", "GET").is_none());
    }

    #[test]
    fn a_cookie_named_by_the_port_is_compared_without_it() {
        let text = "HTTP/1.1 200 OK\r\nSet-Cookie: a_8080=x_8080=; Path=/\r\n\r\n";
        let answer = parsed(text.as_bytes(), "GET").unwrap();
        let answer = answer.without_port_in_cookies(8080);
        assert_eq!(answer.cookie("a"), Some("x_8080="));
    }
}
