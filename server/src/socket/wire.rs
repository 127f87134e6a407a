//! The connection under a WebSocket. Frames go straight to the kernel from wherever they come up;
//! what it does not take waits here, and the session's task goes on when there is room again.

use std::cell::{Cell, RefCell};
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker, ready};

use actix_web::error::PayloadError;
use actix_web::rt::net::TcpStream;
use bytes::{Buf, Bytes};
use futures_util::Stream;

/// What is read at once; one buffer for all connections of a thread.
const READ: usize = 16 * 1024;

thread_local! {
    static BUFFER: RefCell<Box<[u8]>> = RefCell::new(vec![0; READ].into_boxed_slice());
}

pub(super) struct Wire {
    tcp: TcpStream,
    /// Not taken by the kernel yet.
    pending: RefCell<Bytes>,
    /// Nothing is to be written after `pending`.
    ending: Cell<bool>,
    task: RefCell<Option<Waker>>,
    /// Bytes that were read and are not in a message that came out yet.
    unread: Cell<usize>,
}

impl Wire {
    pub(super) fn new(tcp: TcpStream) -> Rc<Self> {
        Rc::new(Self {
            tcp,
            pending: RefCell::new(Bytes::new()),
            ending: Cell::new(false),
            task: RefCell::new(None),
            unread: Cell::new(0),
        })
    }

    /// Nothing waits to be written.
    pub(super) fn is_idle(&self) -> bool {
        self.pending.borrow().is_empty() && !self.ending.get()
    }

    /// Writes, when nothing waits before it; what is left of it waits.
    pub(super) fn write(&self, bytes: Bytes) -> io::Result<()> {
        let written = self.try_write(&bytes)?;
        if written < bytes.len() {
            self.hold(bytes.slice(written..));
        }
        Ok(())
    }

    /// How much of it the kernel takes.
    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self.tcp.try_write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            written => written,
        }
    }

    /// Keeps what could not be written until there is room.
    pub(super) fn hold(&self, bytes: Bytes) {
        *self.pending.borrow_mut() = bytes;
        self.wake();
    }

    /// Writes what waits; true when nothing does any more.
    pub(super) fn flush(&self) -> io::Result<bool> {
        let mut pending = self.pending.borrow_mut();
        if !pending.is_empty() {
            let written = self.try_write(&pending)?;
            pending.advance(written);
            if pending.is_empty() {
                // An idle connection holds no buffer.
                *pending = Bytes::new();
            }
        }
        Ok(pending.is_empty())
    }

    /// Closes once everything is written.
    pub(super) fn end(&self) {
        self.ending.set(true);
        self.wake();
    }

    /// Closes now; what waits is dropped.
    pub(super) fn cut(&self) {
        *self.pending.borrow_mut() = Bytes::new();
        self.end();
    }

    /// Nothing more will be read or written.
    pub(super) fn is_over(&self) -> bool {
        self.ending.get() && self.pending.borrow().is_empty()
    }

    /// A message of so many bytes came out of what was read.
    pub(super) fn consumed(&self, payload: usize) {
        let head = match payload {
            0..126 => 6,
            126..65_536 => 8,
            _ => 14,
        };
        self.unread
            .set(self.unread.get().saturating_sub(payload + head));
    }

    /// The task that is woken when there is something to do for this connection.
    pub(super) fn attend(&self, context: &Context<'_>) {
        let mut task = self.task.borrow_mut();
        match &*task {
            Some(waker) if waker.will_wake(context.waker()) => {}
            _ => *task = Some(context.waker().clone()),
        }
    }

    pub(super) fn poll_writable(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.tcp.poll_write_ready(context)
    }

    fn wake(&self) {
        if let Some(task) = &*self.task.borrow() {
            task.wake_by_ref();
        }
    }
}

/// What comes in, as the WebSocket context wants it.
pub(super) struct Incoming {
    wire: Rc<Wire>,
    /// Read before the handshake was over.
    first: Option<Bytes>,
    /// Above it nothing is read until messages have come out.
    most: usize,
    /// What was unread when nothing was read for that reason.
    full: Option<usize>,
}

impl Incoming {
    pub(super) fn new(wire: Rc<Wire>, first: Bytes, max_payload: usize) -> Self {
        wire.unread.set(first.len());
        Self {
            wire,
            first: (!first.is_empty()).then_some(first),
            most: max_payload + READ,
            full: None,
        }
    }
}

impl Stream for Incoming {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        if self.wire.ending.get() {
            return Poll::Ready(None);
        }
        // The context asks for more before it looks at what it has, and refuses a message that is
        // too large only when it has it whole. There is room for the largest that may come: when
        // none comes out of all that, it is too large.
        let unread = self.wire.unread.get();
        if unread > self.most {
            if self.full.replace(unread) == Some(unread) {
                return Poll::Ready(Some(Err(PayloadError::Overflow)));
            }
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.full = None;
        let wire = &self.wire;
        loop {
            if let Err(error) = ready!(wire.tcp.poll_read_ready(context)) {
                return Poll::Ready(Some(Err(PayloadError::Io(error))));
            }
            let read = BUFFER.with_borrow_mut(|buffer| {
                wire.tcp
                    .try_read(buffer)
                    .map(|read| Bytes::copy_from_slice(&buffer[..read]))
            });
            return match read {
                Ok(read) if read.is_empty() => Poll::Ready(None),
                Ok(read) => {
                    wire.unread.set(wire.unread.get() + read.len());
                    Poll::Ready(Some(Ok(read)))
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
                Err(error) => Poll::Ready(Some(Err(PayloadError::Io(error)))),
            };
        }
    }
}
