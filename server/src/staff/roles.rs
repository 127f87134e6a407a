//! Who may do what, in one table: [`Permission::rule`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum Role {
    Admin,
    Technician,
    Advisor,
    #[serde(rename = "Service_Manager")]
    ServiceManager,
    /// The used-vehicle department.
    Used,
    Owner,
}

impl Role {
    pub const ALL: [Role; 6] = [
        Role::Admin,
        Role::Technician,
        Role::Advisor,
        Role::ServiceManager,
        Role::Used,
        Role::Owner,
    ];

    /// Each once, in the order in which they are always named.
    pub fn distinct(roles: &[Role]) -> Vec<Role> {
        Role::ALL
            .into_iter()
            .filter(|role| roles.contains(role))
            .collect()
    }

    /// As it is written on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Role::Admin => "Admin",
            Role::Technician => "Technician",
            Role::Advisor => "Advisor",
            Role::ServiceManager => "Service_Manager",
            Role::Used => "Used",
            Role::Owner => "Owner",
        }
    }
}

impl fmt::Display for Role {
    /// As people read it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name().replace('_', " "))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a role: use Admin, Technician, Advisor, Service_Manager, Used or Owner")]
pub struct UnknownRole(String);

impl FromStr for Role {
    type Err = UnknownRole;

    /// Case does not matter, and a space is as good as the underscore.
    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        let name = text.trim().replace(' ', "_");
        Role::ALL
            .into_iter()
            .find(|role| role.name().eq_ignore_ascii_case(&name))
            .ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

/// What a role can permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Permission {
    ChangeStatus,
    ChangePriority,
    /// Assign, add, reassign and unassign technicians.
    Dispatch,
    /// Invite and delete users, edit their roles and skill.
    ManageUsers,
    SeeAllTechnicians,
    /// Save cause, notes and story of a job.
    EditJobs,
    CloseRepairOrders,
    /// Undo what others did.
    UndoOthers,
    /// Make and revoke the keys with which other programs bring repair orders in.
    ManageIntakeKeys,
    /// Add, change and delete skills, and give technicians theirs.
    ManageSkills,
    /// Put the job clocks of technicians right.
    CorrectClocks,
    /// Hire, change and delete technicians, and the levels they sit in.
    ManageTechnicians,
    /// Say which skill an opcode asks for.
    ManageOpcodeRules,
    /// Pair the boards on the walls, and say what they show.
    ManageBoards,
    /// Whether the server's disks fill up.
    SeeServerStatus,
    /// Sign-ins, and changes of permissions.
    ReadAuditTrail,
    /// Delete the desk's views that others share.
    DeleteSharedViews,
    /// Say in which stage a repair order is, and what it waits for.
    ChangeStages,
    /// See which customers are to be called, and say that one was.
    CallCustomers,
    /// Say which stages of work there are, and whether the shop uses them.
    ManageStages,
}

impl Permission {
    pub const ALL: [Permission; 20] = [
        Permission::ChangeStatus,
        Permission::ChangePriority,
        Permission::Dispatch,
        Permission::ManageUsers,
        Permission::SeeAllTechnicians,
        Permission::EditJobs,
        Permission::CloseRepairOrders,
        Permission::UndoOthers,
        Permission::ManageIntakeKeys,
        Permission::ManageSkills,
        Permission::CorrectClocks,
        Permission::ManageTechnicians,
        Permission::ManageOpcodeRules,
        Permission::ManageBoards,
        Permission::SeeServerStatus,
        Permission::ReadAuditTrail,
        Permission::DeleteSharedViews,
        Permission::ChangeStages,
        Permission::CallCustomers,
        Permission::ManageStages,
    ];

    /// The roles of which one is enough, and what they allow, as the beginning of a sentence.
    fn rule(self) -> (&'static [Role], &'static str) {
        match self {
            Permission::ChangeStatus => (&Role::ALL, "Changing the status"),
            Permission::ChangePriority => (
                &[Role::Owner, Role::Admin, Role::Advisor],
                "Changing the priority",
            ),
            Permission::Dispatch => (&[Role::Owner, Role::Admin], "Dispatching technicians"),
            Permission::ManageUsers => (&[Role::Owner], "Managing users"),
            Permission::SeeAllTechnicians => {
                (&[Role::Admin, Role::Owner], "Seeing all technicians")
            }
            Permission::EditJobs => (&Role::ALL, "Writing on a job"),
            Permission::CloseRepairOrders => (
                &[Role::Owner, Role::Admin, Role::Advisor],
                "Closing and reopening repair orders",
            ),
            Permission::UndoOthers => (
                &[Role::Owner, Role::Admin],
                "Undoing what somebody else did",
            ),
            Permission::ManageIntakeKeys => (&[Role::Owner], "Managing intake keys"),
            Permission::ManageSkills => (&[Role::Owner, Role::Admin], "Managing skills"),
            Permission::CorrectClocks => (&[Role::Owner, Role::Admin], "Correcting clocks"),
            Permission::ManageTechnicians => (&[Role::Owner, Role::Admin], "Managing technicians"),
            Permission::ManageOpcodeRules => (&[Role::Owner], "Managing opcode rules"),
            Permission::ManageBoards => (&[Role::Owner, Role::Admin], "Managing boards"),
            Permission::SeeServerStatus => {
                (&[Role::Owner, Role::Admin], "Seeing the server's status")
            }
            Permission::ReadAuditTrail => (&[Role::Owner], "Reading the audit trail"),
            Permission::DeleteSharedViews => {
                (&[Role::Owner, Role::Admin], "Deleting others' views")
            }
            Permission::ChangeStages => (&Role::ALL, "Changing stages and holds"),
            Permission::CallCustomers => (
                &[Role::Owner, Role::Admin, Role::Advisor],
                "Calling customers",
            ),
            Permission::ManageStages => (&[Role::Owner], "Managing stages"),
        }
    }

    pub fn granted_to(self, roles: &[Role]) -> bool {
        let (enough, _) = self.rule();
        roles.iter().any(|role| enough.contains(role))
    }

    /// The sentence of a refusal.
    pub fn refusal(self) -> String {
        let (enough, action) = self.rule();
        if enough.len() == Role::ALL.len() {
            return format!("{action} needs a role; ask an owner to give you one");
        }
        let names: Vec<String> = enough.iter().map(Role::to_string).collect();
        match names.as_slice() {
            [only] => format!("{action} needs the role {only}"),
            several => format!("{action} needs one of the roles {}", several.join(", ")),
        }
    }
}

pub fn permissions_of(roles: &[Role]) -> Vec<Permission> {
    Permission::ALL
        .into_iter()
        .filter(|permission| permission.granted_to(roles))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_role_permits_what_the_table_says() {
        use Permission::*;
        let staff = [ChangeStatus, EditJobs, ChangeStages];
        let advisor = [
            &staff[..],
            &[ChangePriority, CloseRepairOrders, CallCustomers],
        ]
        .concat();
        let admin = [
            &advisor[..],
            &[
                Dispatch,
                SeeAllTechnicians,
                UndoOthers,
                ManageSkills,
                CorrectClocks,
                ManageTechnicians,
                ManageBoards,
                SeeServerStatus,
                DeleteSharedViews,
            ],
        ]
        .concat();
        let owner = [
            &admin[..],
            &[
                ManageUsers,
                ManageIntakeKeys,
                ManageOpcodeRules,
                ReadAuditTrail,
                ManageStages,
            ],
        ]
        .concat();
        let table: [(Role, &[Permission]); 6] = [
            (Role::Admin, &admin),
            (Role::Technician, &staff),
            (Role::Advisor, &advisor),
            (Role::ServiceManager, &staff),
            (Role::Used, &staff),
            (Role::Owner, &owner),
        ];
        for (role, permitted) in table {
            let found: HashSet<Permission> = permissions_of(&[role]).into_iter().collect();
            assert_eq!(found, permitted.iter().copied().collect(), "{role}");
        }
    }

    #[test]
    fn without_a_role_nothing_is_permitted_and_one_of_several_roles_is_enough() {
        assert!(permissions_of(&[]).is_empty());
        assert!(Permission::Dispatch.granted_to(&[Role::Technician, Role::Admin]));
    }

    #[test]
    fn a_refusal_names_the_roles_that_would_do() {
        assert_eq!(
            Permission::ChangePriority.refusal(),
            "Changing the priority needs one of the roles Owner, Admin, Advisor"
        );
        assert_eq!(
            Permission::ManageUsers.refusal(),
            "Managing users needs the role Owner"
        );
        assert_eq!(
            Permission::ChangeStatus.refusal(),
            "Changing the status needs a role; ask an owner to give you one"
        );
    }

    #[test]
    fn roles_and_permissions_have_one_spelling_on_the_wire() {
        for role in Role::ALL {
            assert_eq!(serde_json::to_value(role).unwrap(), role.name());
        }
        assert_eq!(
            serde_json::to_value(Permission::SeeAllTechnicians).unwrap(),
            "see-all-technicians"
        );
    }

    #[test]
    fn a_role_is_read_in_any_case_and_with_a_space() {
        for text in ["Service_Manager", "service manager", " SERVICE_MANAGER "] {
            assert_eq!(text.parse(), Ok(Role::ServiceManager), "{text}");
        }
        assert_eq!("owner".parse(), Ok(Role::Owner));
        assert!("Boss".parse::<Role>().is_err());
    }
}
