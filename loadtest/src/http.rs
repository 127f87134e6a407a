//! POST on connections that are kept, for a fraction of what a general client costs: the writers
//! must not be slower than the server.

use std::cell::RefCell;
use std::io;
use std::time::Duration;

use httparse::{EMPTY_HEADER, Header, Response, Status};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use crate::target::Address;

/// A request that takes longer than this has no known outcome.
const ANSWER: Duration = Duration::from_secs(30);

/// One that was unused for longer is left: servers close theirs after 5 s, and a request on its way
/// to a closed one would be lost.
const KEPT: Duration = Duration::from_secs(2);

const HEADERS: usize = 64;

pub struct Connections {
    address: Address,
    idle: RefCell<Vec<(Instant, Connection)>>,
}

struct Connection {
    tcp: TcpStream,
    came: Vec<u8>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Names and values of those that are set.
    pub cookies: Vec<String>,
    pub body: Vec<u8>,
    kept: bool,
}

pub struct Post<'a> {
    pub path: &'a str,
    pub token: &'a str,
    /// More of the request, by name and value.
    pub headers: &'a [(&'a str, &'a str)],
    pub body: &'a [u8],
    pub content_type: &'a str,
}

impl Connections {
    pub fn new(address: &Address) -> Self {
        Self {
            address: address.clone(),
            idle: RefCell::new(Vec::new()),
        }
    }

    /// An error says that there was no answer, not that nothing was done.
    pub async fn post(&self, post: &Post<'_>) -> Result<Answer, String> {
        let exchange = async {
            let mut connection = match self.kept() {
                Some(connection) => connection,
                None => Connection::open(&self.address).await?,
            };
            let answer = connection.post(&self.address, post).await?;
            if answer.kept {
                self.idle.borrow_mut().push((Instant::now(), connection));
            }
            Ok::<_, io::Error>(answer)
        };
        match timeout(ANSWER, exchange).await {
            Ok(answered) => answered.map_err(|error| error.to_string()),
            Err(_) => Err(format!("no answer within {} s", ANSWER.as_secs())),
        }
    }

    /// The one that was used last.
    fn kept(&self) -> Option<Connection> {
        let mut idle = self.idle.borrow_mut();
        let (since, connection) = idle.pop()?;
        if since.elapsed() < KEPT {
            return Some(connection);
        }
        // The others have waited longer.
        idle.clear();
        None
    }
}

impl Connection {
    async fn open(address: &Address) -> io::Result<Self> {
        let tcp = TcpStream::connect(address.authority()).await?;
        tcp.set_nodelay(true)?;
        Ok(Self {
            tcp,
            came: Vec::new(),
        })
    }

    async fn post(&mut self, address: &Address, post: &Post<'_>) -> io::Result<Answer> {
        let headers = post.headers.iter();
        let headers: String = headers
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let mut request = format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: {}\r\n\
             Content-Length: {}\r\n{headers}\r\n",
            post.path,
            address.authority(),
            post.token,
            post.content_type,
            post.body.len(),
        )
        .into_bytes();
        request.extend_from_slice(post.body);
        self.tcp.write_all(&request).await?;
        self.came.clear();
        loop {
            if self.tcp.read_buf(&mut self.came).await? == 0 {
                let why = "the server closed the connection before its answer";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
            }
            let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why);
            match answer(&self.came) {
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) => {}
                Err(why) => return Err(invalid(why)),
            }
        }
    }
}

/// None while it has not come whole.
fn answer(came: &[u8]) -> Result<Option<Answer>, &'static str> {
    let mut headers = [EMPTY_HEADER; HEADERS];
    let mut head = Response::new(&mut headers);
    let body = match head.parse(came) {
        Ok(Status::Complete(length)) => &came[length..],
        Ok(Status::Partial) => return Ok(None),
        Err(_) => return Err("the server's answer is no HTTP"),
    };
    let status = head.code.unwrap_or(0);
    let says = |name: &str, word: &str| {
        head.headers.iter().any(|header| {
            header.name.eq_ignore_ascii_case(name)
                && header.value.eq_ignore_ascii_case(word.as_bytes())
        })
    };
    let body = if says("Transfer-Encoding", "chunked") {
        joined_chunks(body)?
    } else {
        let length = head.headers.iter();
        let length = length
            .filter(|header| header.name.eq_ignore_ascii_case("Content-Length"))
            .find_map(|header| std::str::from_utf8(header.value).ok()?.trim().parse().ok())
            .unwrap_or(0);
        body.get(..length).map(<[u8]>::to_vec)
    };
    let kept = !says("Connection", "close");
    Ok(body.map(|body| Answer {
        status,
        cookies: cookies(head.headers),
        body,
        kept,
    }))
}

fn cookies(headers: &[Header<'_>]) -> Vec<String> {
    let set = headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case("Set-Cookie"));
    set.filter_map(|header| std::str::from_utf8(header.value).ok())
        .map(|cookie| cookie.split(';').next().unwrap_or_default().to_owned())
        .collect()
}

/// The content of a chunked body; None while it has not come whole.
pub fn joined_chunks(mut bytes: &[u8]) -> Result<Option<Vec<u8>>, &'static str> {
    let mut body = Vec::new();
    loop {
        let (start, size) = match httparse::parse_chunk_size(bytes) {
            Ok(Status::Complete((start, size))) => (start, size as usize),
            Ok(Status::Partial) => return Ok(None),
            Err(_) => return Err("the server's answer has a broken chunk"),
        };
        // Its content, and an end of line.
        let Some(chunk) = bytes.get(start..start + size + 2) else {
            return Ok(None);
        };
        if size == 0 {
            return Ok(Some(body));
        }
        body.extend_from_slice(&chunk[..size]);
        bytes = &bytes[start + size + 2..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_whole_or_not_at_all() {
        let counted = "HTTP/1.1 409 Conflict\r\ncontent-length: 5\r\n\r\nhello".to_owned();
        let chunked = "HTTP/1.1 409 Conflict\r\nTransfer-Encoding: chunked\r\n\r\n\
                       3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
        for text in [counted, chunked.to_owned()] {
            for cut in 0..text.len() {
                assert!(matches!(answer(&text.as_bytes()[..cut]), Ok(None)));
            }
            let answer = answer(text.as_bytes()).unwrap().unwrap();
            assert_eq!((answer.status, answer.kept), (409, true));
            assert_eq!(answer.body, b"hello");
        }
    }

    #[test]
    fn cookies_are_read_without_their_attributes() {
        let text = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nset-cookie: b=2\r\nContent-Length: 0\r\n\r\n";
        let answer = answer(text.as_bytes()).unwrap().unwrap();
        assert_eq!(answer.cookies, ["a=1", "b=2"]);
    }

    #[test]
    fn a_connection_that_is_closed_is_not_kept() {
        let text = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        assert!(!answer(text.as_bytes()).unwrap().unwrap().kept);
        assert!(answer(b"nonsense\r\n\r\n").is_err());
    }
}
