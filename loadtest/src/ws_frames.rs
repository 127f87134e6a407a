//! A WebSocket client: as much of RFC 6455 as a stream of texts needs, cheap enough for ten
//! thousand of them on one core. It holds no buffer while nothing has come in part, and asks the
//! kernel once for whatever has come.

use std::cell::RefCell;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpSocket, TcpStream, lookup_host};
use tokio::time::timeout;

use crate::target::Address;

/// What one read takes; a burst of a dozen changes is a quarter of it.
const READ_SIZE: usize = 64 * 1024;

/// The answer to the handshake.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// A frame that is longer is a broken stream.
const MAX_FRAME_BYTES: usize = 64 * 1024 * 1024;

/// A server that takes nothing for this long is gone.
const SENT: Duration = Duration::from_secs(16);

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; READ_SIZE]);
}

pub struct WsConnection {
    tcp: TcpStream,
    /// The beginning of a frame whose end has not come.
    rest: Vec<u8>,
}

/// Why a connection is of no more use, for people.
pub type Ended = String;

/// Why there is no connection.
#[derive(Debug)]
pub enum NotOpened {
    /// 503: the server sheds load and wants us to come back.
    Busy,
    Failed(String),
}

impl WsConnection {
    /// Up to the WebSocket's handshake. May take as long as the server likes: the caller limits
    /// it. `buffer`: bytes that the kernel is asked to keep for a reader that does not read.
    pub async fn open(address: &Address, buffer: Option<u32>) -> Result<Self, NotOpened> {
        let failed = |error: std::io::Error| NotOpened::Failed(error.to_string());
        let mut to = lookup_host(address.authority()).await.map_err(failed)?;
        let to = to
            .next()
            .ok_or_else(|| NotOpened::Failed("no such host".to_owned()))?;
        let socket = match to {
            SocketAddr::V4(_) => TcpSocket::new_v4(),
            SocketAddr::V6(_) => TcpSocket::new_v6(),
        };
        let socket = socket.map_err(failed)?;
        if let Some(bytes) = buffer {
            socket.set_recv_buffer_size(bytes).map_err(failed)?;
        }
        let tcp = socket.connect(to).await.map_err(failed)?;
        tcp.set_nodelay(true).map_err(failed)?;
        let mut connection = Self {
            tcp,
            rest: Vec::new(),
        };
        connection.upgrade(address).await?;
        Ok(connection)
    }

    async fn upgrade(&mut self, address: &Address) -> Result<(), NotOpened> {
        let failed = |error: std::io::Error| NotOpened::Failed(error.to_string());
        let request = format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ZGlzcGF0Y2gtbG9hZC0wMQ==\r\n\r\n",
            address.websocket_path(),
            address.authority()
        );
        self.tcp
            .write_all(request.as_bytes())
            .await
            .map_err(failed)?;
        loop {
            let got = self.tcp.read_buf(&mut self.rest).await.map_err(failed)?;
            let end = self.rest.windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                let status = self.rest.get(9..12).unwrap_or_default().to_vec();
                self.rest.drain(..end + 4);
                self.rest.shrink_to_fit();
                return match status.as_slice() {
                    b"101" => Ok(()),
                    b"503" => Err(NotOpened::Busy),
                    _ => Err(NotOpened::Failed(format!(
                        "the server answered {} to the WebSocket's handshake",
                        String::from_utf8_lossy(&status)
                    ))),
                };
            }
            if got == 0 || self.rest.len() > MAX_HEAD_BYTES {
                return Err(NotOpened::Failed("no WebSocket".to_owned()));
            }
        }
    }

    /// Waits until something has come, and gives each whole text of it. Dropping the future loses
    /// none.
    pub async fn next(&mut self, mut each: impl FnMut(&[u8])) -> Result<(), Ended> {
        let mut pings = Vec::new();
        poll_fn(|cx| self.poll(cx, &mut each, &mut pings)).await?;
        for ping in pings {
            self.send_frame(PONG, &ping).await?;
        }
        Ok(())
    }

    fn poll(
        &mut self,
        cx: &mut Context<'_>,
        each: &mut impl FnMut(&[u8]),
        pings: &mut Vec<Vec<u8>>,
    ) -> Poll<Result<(), Ended>> {
        SCRATCH.with_borrow_mut(|scratch| {
            if !self.rest.is_empty() {
                // What came with the handshake's answer may be whole already.
                let consumed = frames(&self.rest, each, pings)?;
                if consumed > 0 {
                    self.rest.drain(..consumed);
                    self.rest.shrink_to_fit();
                    return Poll::Ready(Ok(()));
                }
            }
            let mut into = ReadBuf::new(scratch);
            ready!(Pin::new(&mut self.tcp).poll_read(cx, &mut into))
                .map_err(|error| error.to_string())?;
            let came = into.filled();
            if came.is_empty() {
                return Poll::Ready(Err("the server closed the connection".to_owned()));
            }
            if self.rest.is_empty() {
                let consumed = frames(came, each, pings)?;
                self.rest.extend_from_slice(&came[consumed..]);
            } else {
                self.rest.extend_from_slice(came);
                let consumed = frames(&self.rest, each, pings)?;
                self.rest.drain(..consumed);
                self.rest.shrink_to_fit();
            }
            Poll::Ready(Ok(()))
        })
    }

    pub async fn send(&mut self, text: &str) -> Result<(), Ended> {
        self.send_frame(TEXT, text.as_bytes()).await
    }

    async fn send_frame(&mut self, opcode: u8, payload: &[u8]) -> Result<(), Ended> {
        let frame = masked(opcode, payload);
        timeout(SENT, self.tcp.write_all(&frame))
            .await
            .map_err(|_| "the server took nothing more".to_owned())?
            .map_err(|error| error.to_string())
    }

    pub async fn close(mut self) {
        // It is over either way.
        let _ = self.send_frame(CLOSE, &[]).await;
    }

    /// Gone without a word, as a client whose machine was switched off: the server gets RST.
    pub fn reset(self) {
        // Without it the kernel says FIN, and the server sees that a moment later.
        let _ = SockRef::from(&self.tcp).set_linger(Some(Duration::ZERO));
    }
}

const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// Gives every whole text in `bytes`; how many bytes were whole frames.
fn frames(
    bytes: &[u8],
    each: &mut impl FnMut(&[u8]),
    pings: &mut Vec<Vec<u8>>,
) -> Result<usize, Ended> {
    let mut consumed = 0;
    while let Some(frame) = frame(&bytes[consumed..])? {
        let payload = frame.payload;
        match frame.opcode {
            TEXT => each(payload),
            PING => pings.push(payload.to_vec()),
            PONG => {}
            CLOSE => return Err("the server closed the connection".to_owned()),
            _ => return Err("the server sent a binary frame".to_owned()),
        }
        consumed += frame.length;
    }
    Ok(consumed)
}

struct Frame<'a> {
    opcode: u8,
    payload: &'a [u8],
    /// With its head.
    length: usize,
}

/// The frame at the front; none when it is not all there.
fn frame(bytes: &[u8]) -> Result<Option<Frame<'_>>, Ended> {
    let [first, second, after @ ..] = bytes else {
        return Ok(None);
    };
    if first & 0xf0 != 0x80 || second & 0x80 != 0 {
        return Err("the server sent a frame in parts, or masked".to_owned());
    }
    let (length, head) = match second {
        126 => match after {
            [a, b, ..] => (usize::from(u16::from_be_bytes([*a, *b])), 4),
            _ => return Ok(None),
        },
        127 => match after {
            [a, b, c, d, e, f, g, h, ..] => {
                let length = u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]);
                (usize::try_from(length).unwrap_or(usize::MAX), 10)
            }
            _ => return Ok(None),
        },
        short => (usize::from(*short), 2),
    };
    if length > MAX_FRAME_BYTES {
        return Err(format!("the server sent a frame of {length} bytes"));
    }
    let payload = bytes.get(head..head + length);
    Ok(payload.map(|payload| Frame {
        opcode: first & 0x0f,
        payload,
        length: head + length,
    }))
}

/// A client must mask; with zeros that is what it was.
fn masked(opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x80 | opcode];
    match payload.len() {
        length @ ..126 => frame.push(0x80 | length as u8),
        length @ ..=0xffff => {
            frame.push(0x80 | 126);
            frame.extend((length as u16).to_be_bytes());
        }
        length => {
            frame.push(0x80 | 127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a server writes it: without a mask.
    fn served(text: &[u8]) -> Vec<u8> {
        let mut frame = masked(TEXT, text);
        frame[1] &= 0x7f;
        let mask = frame.len() - text.len() - 4;
        frame.drain(mask..mask + 4);
        frame
    }

    fn texts(bytes: &[u8]) -> (Vec<Vec<u8>>, usize) {
        let mut texts = Vec::new();
        let mut each = |text: &[u8]| texts.push(text.to_vec());
        let consumed = frames(bytes, &mut each, &mut Vec::new()).unwrap();
        (texts, consumed)
    }

    #[test]
    fn frames_of_every_length_are_read_whole() {
        let long: Vec<Vec<u8>> = [0, 1, 125, 126, 65_535, 65_536]
            .map(|length| vec![b'x'; length])
            .into();
        let bytes: Vec<u8> = long.iter().flat_map(|text| served(text)).collect();
        assert_eq!(texts(&bytes), (long, bytes.len()));
    }

    #[test]
    fn a_frame_in_part_waits_for_its_rest() {
        let whole = served(b"2");
        let bytes = [whole.clone(), served(&[b'y'; 300])].concat();
        for cut in whole.len()..bytes.len() {
            assert_eq!(texts(&bytes[..cut]), (vec![b"2".to_vec()], whole.len()));
        }
    }

    #[test]
    fn a_frame_that_a_server_may_not_send_ends_the_connection() {
        let mut ignore = |_: &[u8]| {};
        for bytes in [[0x81, 0x81], [0x01, 0x01], [0x82, 0x00], [0x88, 0x00]] {
            assert!(frames(&bytes, &mut ignore, &mut Vec::new()).is_err());
        }
    }

    #[test]
    fn a_ping_is_kept_for_its_answer() {
        let mut pings = Vec::new();
        let consumed = frames(&[0x89, 2, b'h', b'i'], &mut |_| {}, &mut pings).unwrap();
        assert_eq!((consumed, pings), (4, vec![b"hi".to_vec()]));
    }
}
