//! What a person may see of the shop, and so what of it is theirs to change: the calls, the socket
//! and the stories all ask here.
//!
//! The dashboard is open to everybody who is let in: the list, the job sheets and the histories of
//! all orders. Who works by the portal alone sees of technicians (their clocks, their workload, the
//! receipts of their assignments) only themselves, and of warranty stories only those of orders
//! they are on.

use dispatch_actors::repair_order::{RepairOrder, TechnicianId};

use crate::error::ApiError;
use crate::staff::{Permission, Role};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everything.
    Shop,
    /// What is this technician's; nothing of that for an account that is not linked to one yet.
    Own(Option<TechnicianId>),
}

impl Visibility {
    /// Who holds the role Technician and none that sees all technicians works by the portal,
    /// whatever else they are.
    pub fn of(roles: &[Role], technician: Option<TechnicianId>) -> Self {
        let by_the_portal =
            roles.contains(&Role::Technician) && !Permission::SeeAllTechnicians.granted_to(roles);
        if by_the_portal {
            Visibility::Own(technician)
        } else {
            Visibility::Shop
        }
    }

    /// A technician's clock, workload and receipts.
    pub fn shows_technician(self, technician: TechnicianId) -> bool {
        match self {
            Visibility::Shop => true,
            Visibility::Own(own) => own == Some(technician),
        }
    }

    /// The stories of an order's jobs. Whoever sees them writes there, too.
    pub fn shows_stories_of(self, order: &RepairOrder) -> bool {
        match self {
            Visibility::Shop => true,
            Visibility::Own(own) => own.is_some_and(|own| order.has_technician(own)),
        }
    }

    /// Whether a technician may not move this order, which is not theirs. 403 `forbidden`.
    pub fn require_own_to_move(self, order: &RepairOrder) -> Result<(), ApiError> {
        if self.shows_stories_of(order) {
            return Ok(());
        }
        let number = order.number;
        Err(ApiError::forbidden(format!(
            "A technician moves only their own orders; repair order {number} is not one"
        )))
    }

    /// Whether somebody who saw this much sees less with `now`.
    pub fn is_narrowed_by(self, now: Self) -> bool {
        self != now && now != Visibility::Shop && self != Visibility::Own(None)
    }

    /// 403 `forbidden`.
    pub fn require_technician(self, technician: TechnicianId) -> Result<(), ApiError> {
        if self.shows_technician(technician) {
            return Ok(());
        }
        Err(ApiError::forbidden(
            "A technician sees only their own orders, clock and receipts here",
        ))
    }

    /// 403 `forbidden`.
    pub fn require_own(self, order: &RepairOrder) -> Result<(), ApiError> {
        if self.shows_stories_of(order) {
            return Ok(());
        }
        let number = order.number;
        Err(ApiError::forbidden(format!(
            "A technician reads and writes the stories of their own orders, and the texts of their \
             jobs; repair order {number} is not one: ask whoever dispatches to assign it to you"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::Visibility::{Own, Shop};
    use super::*;

    #[test]
    fn a_technician_who_is_neither_admin_nor_owner_sees_only_their_own() {
        for (roles, expected) in [
            (vec![Role::Technician], Own(Some(7))),
            (vec![Role::Technician, Role::Advisor], Own(Some(7))),
            (vec![Role::Technician, Role::Admin], Shop),
            (vec![Role::Owner, Role::Technician], Shop),
            (vec![Role::Advisor], Shop),
        ] {
            assert_eq!(Visibility::of(&roles, Some(7)), expected, "{roles:?}");
        }
        assert_eq!(Visibility::of(&[Role::Technician], None), Own(None));
        assert!(Shop.shows_technician(7) && Own(Some(7)).shows_technician(7));
        assert!(!Own(Some(7)).shows_technician(8) && !Own(None).shows_technician(7));
    }

    #[test]
    fn a_user_who_becomes_only_a_technician_or_another_one_sees_less() {
        for (before, now, less) in [
            (Shop, Shop, false),
            (Shop, Own(Some(7)), true),
            (Shop, Own(None), true),
            (Own(Some(7)), Shop, false),
            (Own(Some(7)), Own(Some(7)), false),
            (Own(Some(7)), Own(Some(8)), true),
            (Own(Some(7)), Own(None), true),
            (Own(None), Own(Some(7)), false),
        ] {
            assert_eq!(before.is_narrowed_by(now), less, "{before:?} {now:?}");
        }
    }
}
