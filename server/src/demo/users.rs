//! The demo shop's accounts. Everybody knows their password.

use crate::staff::Role;

/// Whom the sign-in screen names for help.
pub const OWNER: &str = "owner@example.com";

pub(super) const PASSWORD: &str = "dispatch-demo";

pub(super) struct DemoUser {
    pub(super) email: &'static str,
    pub(super) name: &'static str,
    pub(super) role: Role,
    /// The technician whose account it is, as an index of the shop's list.
    pub(super) technician: Option<usize>,
}

pub(super) const USERS: [DemoUser; 7] = [
    DemoUser {
        email: OWNER,
        name: "Olivia Owens",
        role: Role::Owner,
        technician: None,
    },
    DemoUser {
        email: "admin@example.com",
        name: "Adam Admin",
        role: Role::Admin,
        technician: None,
    },
    DemoUser {
        email: "advisor@example.com",
        name: "Ada Visor",
        role: Role::Advisor,
        technician: None,
    },
    DemoUser {
        email: "manager@example.com",
        name: "Manuel Ager",
        role: Role::ServiceManager,
        technician: None,
    },
    DemoUser {
        email: "used@example.com",
        name: "Ursula Sedan",
        role: Role::Used,
        technician: None,
    },
    DemoUser {
        email: "tech@example.com",
        name: "",
        role: Role::Technician,
        technician: Some(0),
    },
    DemoUser {
        email: "tech2@example.com",
        name: "",
        role: Role::Technician,
        technician: Some(1),
    },
];

/// The text by which a visitor can sign in, and see a board. `board_link`: a whole address.
pub fn sign_ins(board_link: Option<&str>) -> String {
    let emails: Vec<&str> = USERS.iter().map(|user| user.email).collect();
    let mut text = format!(
        "This is a demo shop. Sign in with the password {PASSWORD} as one of:\n  {}",
        emails.join("\n  ")
    );
    if let Some(link) = board_link {
        text.push_str(&format!(
            "\nA browser becomes the board on the shop floor with this link, which works once:\n  {link}"
        ));
    }
    text
}
