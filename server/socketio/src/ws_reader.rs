//! The reading half of a WebSocket's connection.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use actix_web::error::PayloadError;
use bytes::Bytes;
use futures_util::Stream;

use crate::ws_writer::WsWriter;

/// What is read at once; one buffer for all connections of a thread.
const READ_SIZE: usize = 16 * 1024;

thread_local! {
    static BUFFER: RefCell<Box<[u8]>> = RefCell::new(vec![0; READ_SIZE].into_boxed_slice());
}

/// What comes in, as the WebSocket context wants it.
pub(crate) struct WsReader {
    writer: Rc<WsWriter>,
    /// Read before the handshake was over.
    first: Option<Bytes>,
    /// Above it nothing is read until messages have come out.
    max_unread: usize,
    /// What was unread when nothing was read for that reason.
    full: Option<usize>,
}

impl WsReader {
    pub(crate) fn new(writer: Rc<WsWriter>, first: Bytes, max_payload: usize) -> Self {
        writer.received(first.len());
        Self {
            writer,
            first: (!first.is_empty()).then_some(first),
            max_unread: max_payload + READ_SIZE,
            full: None,
        }
    }
}

impl Stream for WsReader {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        if self.writer.is_closing() {
            return Poll::Ready(None);
        }
        // The context asks for more before it looks at what it has, and refuses a message that is
        // too large only when it has it whole. There is room for the largest that may come: when
        // none comes out of all that, it is too large.
        let unread = self.writer.unread();
        if unread > self.max_unread {
            if self.full.replace(unread) == Some(unread) {
                return Poll::Ready(Some(Err(PayloadError::Overflow)));
            }
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.full = None;
        let writer = &self.writer;
        loop {
            if let Err(error) = ready!(writer.tcp.poll_read_ready(context)) {
                return Poll::Ready(Some(Err(PayloadError::Io(error))));
            }
            let read = BUFFER.with_borrow_mut(|buffer| {
                writer
                    .tcp
                    .try_read(buffer)
                    .map(|read| Bytes::copy_from_slice(&buffer[..read]))
            });
            return match read {
                Ok(read) if read.is_empty() => Poll::Ready(None),
                Ok(read) => {
                    writer.received(read.len());
                    Poll::Ready(Some(Ok(read)))
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
                Err(error) => Poll::Ready(Some(Err(PayloadError::Io(error)))),
            };
        }
    }
}
