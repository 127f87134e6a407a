//! Who is asking: what a handler learns of the person behind a request, and the memory that saves
//! a database round trip on most requests.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::future::LocalBoxFuture;
use jiff::Timestamp;

use crate::audit::act_as;
use crate::error::ApiError;
use crate::identity::{Identity, Visibility};
use crate::staff::{Permission, Role};

/// How long another process's changes to accounts and roles may go unnoticed; this one's own are
/// seen at once.
const CACHE_TTL: Duration = Duration::from_secs(1);

/// A signed-in person, with the roles they hold now. As an argument of a handler it refuses
/// everybody else with 401.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub uid: String,
    pub email: String,
    pub name: String,
    pub roles: Vec<Role>,
    pub technician_id: Option<i64>,
    pub session_id: String,
}

impl Caller {
    pub fn may(&self, permission: Permission) -> bool {
        permission.granted_to(&self.roles)
    }

    /// Who holds the role Technician and none that sees all technicians works by the portal,
    /// whatever else they are: what it does not show is not theirs.
    pub fn is_only_technician(&self) -> bool {
        self.visibility() != Visibility::Shop
    }

    /// What this person may see of technicians and stories.
    pub fn visibility(&self) -> Visibility {
        Visibility::of(&self.roles, self.technician_id)
    }

    /// Whether this person is that technician.
    pub fn is_technician(&self, technician: i64) -> bool {
        self.roles.contains(&Role::Technician) && self.technician_id == Some(technician)
    }

    /// 403 `forbidden` for whom no role permits it.
    pub fn require(&self, permission: Permission) -> Result<(), ApiError> {
        if self.may(permission) {
            Ok(())
        } else {
            Err(ApiError::forbidden(permission.refusal()))
        }
    }

    /// Whether this person may look at what one technician has to do: everybody on the staff, but
    /// who works by the portal only at their own. 403 `forbidden`.
    pub fn require_sight_of(&self, technician: i64) -> Result<(), ApiError> {
        self.visibility().require_technician(technician)
    }

    /// Whose orders this person sees where they are shown by technician: all, or as a technician
    /// their own; 403 `forbidden` for everybody else.
    pub fn visible_technicians(&self) -> Result<Visibility, ApiError> {
        let visibility = self.visibility();
        if visibility == Visibility::Shop {
            self.require(Permission::SeeAllTechnicians)?;
        }
        Ok(visibility)
    }
}

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let identity = request.app_data::<web::Data<Identity>>().cloned();
        let token = bearer(request).map(str::to_owned);
        Box::pin(async move {
            let token = token.ok_or_else(sign_in_first)?;
            let identity = identity.ok_or_else(|| {
                tracing::error!("the app was built without its identity");
                ApiError::unavailable()
            })?;
            let caller = identity.authenticate(&token).await?;
            act_as(caller.actor());
            Ok(caller)
        })
    }
}

/// The token of `Authorization: Bearer`.
pub(crate) fn bearer(request: &HttpRequest) -> Option<&str> {
    let header = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

pub(in crate::identity) fn sign_in_first() -> ApiError {
    ApiError::unauthorized("Sign in first")
}

/// Callers by ID token, each for a short while.
#[derive(Default)]
pub(in crate::identity) struct Callers {
    state: Mutex<Remembered>,
}

#[derive(Default)]
struct Remembered {
    by_token: HashMap<String, CachedCaller>,
    /// Raised whenever something is forgotten: what was read from the database before that may be
    /// out of date and is not remembered.
    generation: u64,
    swept: Option<Instant>,
}

struct CachedCaller {
    since: Instant,
    /// When the token expires, in seconds since 1970.
    expires: i64,
    caller: Caller,
}

impl Callers {
    /// The caller when the token was found genuine a moment ago and has not expired, else the
    /// generation to hand to [`Callers::remember`].
    pub(in crate::identity) fn recall(&self, token: &str) -> Result<Caller, u64> {
        let state = self.state();
        match state.by_token.get(token) {
            Some(cached)
                if cached.since.elapsed() < CACHE_TTL
                    && Timestamp::now().as_second() < cached.expires =>
            {
                Ok(cached.caller.clone())
            }
            _ => Err(state.generation),
        }
    }

    /// Only for a token that was verified.
    pub(in crate::identity) fn remember(
        &self,
        token: &str,
        expires: i64,
        caller: &Caller,
        generation: u64,
    ) {
        let mut state = self.state();
        if state.generation != generation {
            return;
        }
        let now = Instant::now();
        if state.swept.is_none_or(|swept| now - swept >= CACHE_TTL) {
            state
                .by_token
                .retain(|_, cached| now - cached.since < CACHE_TTL);
            state.swept = Some(now);
        }
        let cached = CachedCaller {
            since: now,
            expires,
            caller: caller.clone(),
        };
        state.by_token.insert(token.to_owned(), cached);
    }

    pub(in crate::identity) fn forget_session(&self, session: &str) {
        self.forget(|caller| caller.session_id == session);
    }

    pub(in crate::identity) fn forget_user(&self, uid: &str) {
        self.forget(|caller| caller.uid == uid);
    }

    pub(in crate::identity) fn forget_all(&self) {
        self.forget(|_| true);
    }

    fn forget(&self, meant: impl Fn(&Caller) -> bool) {
        let mut state = self.state();
        state.generation += 1;
        state.by_token.retain(|_, cached| !meant(&cached.caller));
    }

    fn state(&self) -> MutexGuard<'_, Remembered> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(session: &str) -> Caller {
        Caller {
            uid: "uid".to_owned(),
            email: "ann@example.com".to_owned(),
            name: "Ann".to_owned(),
            roles: vec![Role::Advisor],
            technician_id: None,
            session_id: session.to_owned(),
        }
    }

    fn remember(callers: &Callers, session: &str, generation: u64) {
        let expires = Timestamp::now().as_second() + 60;
        callers.remember(session, expires, &caller(session), generation);
    }

    #[test]
    fn a_caller_that_was_read_before_an_invalidation_is_not_cached() {
        let callers = Callers::default();
        let before = callers.recall("a").unwrap_err();
        callers.forget_session("a");
        remember(&callers, "a", before);
        let now = callers.recall("a").unwrap_err();
        remember(&callers, "a", now);
        assert_eq!(callers.recall("a"), Ok(caller("a")));
    }

    #[test]
    fn a_session_is_forgotten_whatever_tokens_it_has_and_no_other() {
        let callers = Callers::default();
        let expires = Timestamp::now().as_second() + 60;
        for (token, session) in [("first", "a"), ("second", "a"), ("third", "b")] {
            callers.remember(token, expires, &caller(session), 0);
        }
        callers.forget_session("a");
        assert!(callers.recall("first").is_err() && callers.recall("second").is_err());
        assert_eq!(callers.recall("third"), Ok(caller("b")));
    }

    #[test]
    fn a_token_that_has_expired_meanwhile_is_not_recalled() {
        let callers = Callers::default();
        let expired = Timestamp::now().as_second();
        callers.remember("a", expired, &caller("a"), 0);
        assert_eq!(callers.recall("a"), Err(0));
    }

    #[test]
    fn forgetting_a_user_forgets_all_their_sessions() {
        let callers = Callers::default();
        for session in ["a", "b"] {
            remember(&callers, session, 0);
        }
        callers.forget_user("uid");
        assert!(callers.recall("a").is_err() && callers.recall("b").is_err());
    }

    #[test]
    fn only_who_sees_all_or_is_the_technician_sees_a_technicians_orders() {
        use Visibility::{Own, Shop};
        for (roles, technician_id, visible) in [
            (vec![Role::Technician], Some(7), Some(Own(Some(7)))),
            (vec![Role::Technician, Role::Admin], Some(7), Some(Shop)),
            (vec![Role::Advisor], Some(7), None),
            (vec![], None, None),
        ] {
            let caller = Caller {
                roles,
                technician_id,
                ..caller("a")
            };
            assert_eq!(caller.visible_technicians().ok(), visible, "{caller:?}");
        }
    }

    #[test]
    fn a_caller_is_refused_with_the_roles_that_would_do() {
        assert!(caller("a").require(Permission::ChangePriority).is_ok());
        let refused = caller("a").require(Permission::Dispatch).unwrap_err();
        assert_eq!(
            (refused.status.as_u16(), refused.code.as_str()),
            (403, "forbidden")
        );
        assert_eq!(
            refused.error,
            "Dispatching technicians needs one of the roles Owner, Admin"
        );
    }
}
