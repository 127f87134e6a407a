//! How many requests there were and how long they took, by route, method and class of status. A route is
//! the pattern that the server knows, never what a client has asked for: strangers make no new names.
//!
//! Each thread finds a route's numbers in a table of its own, so that counting waits for nobody.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use dispatch_actors::counts::{Counter, Histogram};

/// The route of whatever has none: the page and its files, and what there is not.
pub const NO_ROUTE: &str = "none";

pub const STATUS_CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// The last one is for all others.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "other"];

/// A mark of requests that no route took: it saves comparing their paths with all routes once more.
#[derive(Clone, Copy, Debug)]
pub struct Unrouted;

/// The requests of one route by one method.
#[derive(Debug)]
pub struct CallCounts {
    /// As [`STATUS_CLASSES`].
    pub by_status: [Counter; STATUS_CLASSES.len()],
    /// From the request's head to the answer's.
    pub times: Histogram,
}

impl CallCounts {
    fn new() -> Self {
        Self {
            by_status: Default::default(),
            times: Histogram::of_times(),
        }
    }

    fn count(&self, status: StatusCode, time: Duration) {
        let class = usize::from(status.as_u16() / 100).saturating_sub(1);
        if let Some(counter) = self.by_status.get(class) {
            counter.increment();
        }
        self.times.observe_time(time);
    }
}

/// Route and method.
type Call = (String, &'static str);

/// All threads'; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct RequestCounts {
    calls: Arc<Mutex<BTreeMap<Call, Arc<CallCounts>>>>,
    bodies_turned_away: Arc<Counter>,
}

impl RequestCounts {
    /// Those that were made so far, by route and method.
    pub fn calls(&self) -> Vec<(Call, Arc<CallCounts>)> {
        let calls = self.lock();
        let calls = calls.iter();
        calls
            .map(|(call, counts)| (call.clone(), Arc::clone(counts)))
            .collect()
    }

    /// Those for whose bodies there was no room.
    pub fn bodies_turned_away(&self) -> Arc<Counter> {
        Arc::clone(&self.bodies_turned_away)
    }

    fn of(&self, route: &str, method: &'static str) -> Arc<CallCounts> {
        let mut calls = self.lock();
        let counts = calls.entry((route.to_owned(), method));
        Arc::clone(counts.or_insert_with(|| Arc::new(CallCounts::new())))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Call, Arc<CallCounts>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type ByMethod = [OnceCell<Arc<CallCounts>>; METHODS.len()];

/// One thread's table, as the app data of its server.
pub struct ThreadCounts {
    all: RequestCounts,
    routes: RefCell<HashMap<String, ByMethod>>,
}

impl ThreadCounts {
    pub fn new(all: RequestCounts) -> Rc<Self> {
        Rc::new(Self {
            all,
            routes: RefCell::default(),
        })
    }

    /// `method`: of [`method_index`].
    pub fn count(&self, route: &str, method: usize, status: StatusCode, time: Duration) {
        let mut routes = self.routes.borrow_mut();
        if !routes.contains_key(route) {
            routes.insert(route.to_owned(), ByMethod::default());
        }
        if let Some(by_method) = routes.get(route) {
            let call = by_method[method].get_or_init(|| self.all.of(route, METHODS[method]));
            call.count(status, time);
        }
    }
}

pub fn method_index(method: &Method) -> usize {
    let known = METHODS.iter().position(|name| *name == method.as_str());
    known.unwrap_or(METHODS.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_all_threads_are_counted_by_route_method_and_status() {
        let all = RequestCounts::default();
        let threads = [(); 2].map(|()| ThreadCounts::new(all.clone()));
        let get = method_index(&Method::GET);
        let odd = method_index(&Method::from_bytes(b"FLY").unwrap());
        for thread in &threads {
            let time = Duration::from_millis(3);
            thread.count("/api/orders/{id}", get, StatusCode::OK, time);
            thread.count("/api/orders/{id}", get, StatusCode::NOT_FOUND, time);
        }
        threads[0].count(NO_ROUTE, odd, StatusCode::OK, Duration::ZERO);
        let calls = all.calls();
        let names: Vec<_> = calls
            .iter()
            .map(|((route, method), _)| (&**route, *method))
            .collect();
        assert_eq!(names, [("/api/orders/{id}", "GET"), (NO_ROUTE, "other")]);
        let counts = &calls[0].1;
        let by_status = counts.by_status.each_ref().map(Counter::get);
        assert_eq!(by_status, [0, 2, 0, 2, 0]);
        assert_eq!(counts.times.read().count(), 4);
    }
}
