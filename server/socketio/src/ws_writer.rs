//! The writing half of a WebSocket's connection. Frames go straight to the kernel from wherever
//! they come up; what it does not take waits here, and the session's task continues when there is
//! room again.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use actix_web::rt::net::TcpStream;
use bytes::{Buf, Bytes};

/// One WebSocket's connection.
pub(crate) struct WsWriter {
    pub(crate) tcp: TcpStream,
    /// Not taken by the kernel yet.
    pending: RefCell<Bytes>,
    /// Nothing is to be written after `pending`.
    closing: Cell<bool>,
    task: RefCell<Option<Waker>>,
    /// Bytes that were read and are not in a message that came out yet.
    unread: Cell<usize>,
}

impl WsWriter {
    pub(crate) fn new(tcp: TcpStream) -> Rc<Self> {
        Rc::new(Self {
            tcp,
            pending: RefCell::new(Bytes::new()),
            closing: Cell::new(false),
            task: RefCell::new(None),
            unread: Cell::new(0),
        })
    }

    /// Nothing waits to be written.
    pub(crate) fn is_idle(&self) -> bool {
        self.pending.borrow().is_empty() && !self.closing.get()
    }

    /// Writes, when nothing waits before it; what is left of it waits.
    pub(crate) fn write(&self, bytes: Bytes) -> io::Result<()> {
        let written = self.try_write(&bytes)?;
        if written < bytes.len() {
            self.keep(bytes.slice(written..));
        }
        Ok(())
    }

    /// How much of it the kernel takes.
    pub(crate) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self.tcp.try_write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            written => written,
        }
    }

    /// Keeps what could not be written until there is room.
    pub(crate) fn keep(&self, bytes: Bytes) {
        *self.pending.borrow_mut() = bytes;
        self.wake();
    }

    /// Writes what waits; true when nothing does any more.
    pub(crate) fn flush(&self) -> io::Result<bool> {
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
    pub(crate) fn close(&self) {
        self.closing.set(true);
        self.wake();
    }

    /// Closes now; what waits is dropped.
    pub(crate) fn abort(&self) {
        *self.pending.borrow_mut() = Bytes::new();
        self.close();
    }

    /// Nothing more will be read or written.
    pub(crate) fn is_over(&self) -> bool {
        self.closing.get() && self.pending.borrow().is_empty()
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.get()
    }

    pub(crate) fn unread(&self) -> usize {
        self.unread.get()
    }

    /// So many bytes more were read.
    pub(crate) fn received(&self, bytes: usize) {
        self.unread.set(self.unread.get() + bytes);
    }

    /// A message of so many bytes came out of what was read.
    pub(crate) fn consumed(&self, payload: usize) {
        let head = match payload {
            0..126 => 6,
            126..65_536 => 8,
            _ => 14,
        };
        self.unread
            .set(self.unread.get().saturating_sub(payload + head));
    }

    /// The task that is woken when there is something to do for this connection.
    pub(crate) fn set_task(&self, context: &Context<'_>) {
        let mut task = self.task.borrow_mut();
        match &*task {
            Some(waker) if waker.will_wake(context.waker()) => {}
            _ => *task = Some(context.waker().clone()),
        }
    }

    pub(crate) fn poll_writable(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.tcp.poll_write_ready(context)
    }

    fn wake(&self) {
        if let Some(task) = &*self.task.borrow() {
            task.wake_by_ref();
        }
    }
}
