//! What the machine calls its users, for sentences that name one. Only those of `/etc/passwd` and `/etc/group`: the
//! server's own user is one of them.

use std::fs;

const USERS: &str = "/etc/passwd";
const GROUPS: &str = "/etc/group";

/// `dispatch`, or `number 997` where nobody is called so.
pub fn user_name(uid: u32) -> String {
    named(USERS, uid).unwrap_or_else(|| format!("number {uid}"))
}

/// Whether the machine has a user of this name.
pub fn is_known(name: &str) -> bool {
    let users = fs::read_to_string(USERS).unwrap_or_default();
    users
        .lines()
        .any(|line| line.split(':').next() == Some(name))
}

/// As a command takes it: the name, else the number.
pub fn user_argument(uid: u32) -> String {
    named(USERS, uid).unwrap_or_else(|| uid.to_string())
}

/// The same of a group.
pub fn group_argument(gid: u32) -> String {
    named(GROUPS, gid).unwrap_or_else(|| gid.to_string())
}

/// Whether a group is one of the user's besides their first.
pub fn is_member(uid: u32, gid: u32) -> bool {
    let user = named(USERS, uid);
    let groups = fs::read_to_string(GROUPS).unwrap_or_default();
    user.is_some_and(|user| has_member(&groups, gid, &user))
}

/// Of a file with `NAME:PASSWORD:NUMBER:MEMBER,MEMBER` in each line.
fn has_member(groups: &str, gid: u32, user: &str) -> bool {
    groups.lines().any(|line| {
        let mut fields = line.split(':').skip(2);
        let is_meant = fields.next().and_then(|number| number.parse().ok()) == Some(gid);
        let mut members = fields.next().unwrap_or_default().split(',');
        is_meant && members.any(|member| member == user)
    })
}

fn named(file: &str, number: u32) -> Option<String> {
    name_in(&fs::read_to_string(file).ok()?, number)
}

/// Of a file with `NAME:PASSWORD:NUMBER:` in each line.
fn name_in(text: &str, number: u32) -> Option<String> {
    text.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| !name.is_empty())?;
        let is_meant = fields.nth(1)?.parse() == Ok(number);
        is_meant.then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_called_as_the_machine_does_and_else_by_number() {
        assert!(is_known("root") && !is_known("roo"));
        let users = "root:x:0:0:root:/root:/bin/bash\n\n# a comment\ndispatch:x:997:997::/var/lib/dispatch:/bin/false";
        assert_eq!(name_in(users, 997).as_deref(), Some("dispatch"));
        assert_eq!(name_in(users, 0).as_deref(), Some("root"));
        assert_eq!(name_in(users, 99), None);
        assert_eq!(user_name(0), "root");
        assert_eq!(user_name(4_000_000_001), "number 4000000001");
        assert_eq!(user_argument(4_000_000_001), "4000000001");
    }

    #[test]
    fn a_group_has_the_members_that_are_listed() {
        let groups = "root:x:0:\nintake:x:50:dms,dispatch\nbackup:x:34:";
        assert!(has_member(groups, 50, "dispatch"));
        assert!(!has_member(groups, 50, "disp"));
        assert!(!has_member(groups, 34, "dispatch"));
        assert!(!has_member(groups, 51, "dispatch"));
        assert!(!is_member(4_000_000_001, 0));
    }
}
