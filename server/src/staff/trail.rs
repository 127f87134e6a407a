//! What the audit trail records of a change of staff documents.

use super::StaffDocument;
use crate::audit::{AuditEvent, AuditKind};

/// `is_invitation`: whether a mail goes out with it.
pub(crate) fn events_of(
    before: Option<&StaffDocument>,
    after: Option<&StaffDocument>,
    is_invitation: bool,
) -> Vec<AuditEvent> {
    let event = |kind: AuditKind, document: &StaffDocument, detail: String| {
        AuditEvent::done(kind)
            .about(&document.id, &document.email)
            .with_detail(&detail)
    };
    match (before, after) {
        (None, None) => Vec::new(),
        (None, Some(after)) => {
            let kind = match is_invitation {
                true => AuditKind::UserInvited,
                false => AuditKind::UserAdded,
            };
            let technician = after.technician_id.map(|id| format!(", technician {id}"));
            let detail = format!("roles {}{}", roles(after), technician.unwrap_or_default());
            vec![event(kind, after, detail)]
        }
        (Some(before), None) => {
            let kind = match before.invited {
                true => AuditKind::InvitationWithdrawn,
                false => AuditKind::UserRemoved,
            };
            vec![event(kind, before, format!("roles {}", roles(before)))]
        }
        (Some(before), Some(after)) => {
            let mut events = Vec::new();
            if is_invitation {
                let detail = format!("once more, roles {}", roles(after));
                events.push(event(AuditKind::UserInvited, after, detail));
            }
            if before.roles() != after.roles() {
                let detail = format!("roles {} -> {}", roles(before), roles(after));
                events.push(event(AuditKind::RolesChanged, after, detail));
            }
            if before.technician_id != after.technician_id {
                let (was, is) = (technician(before), technician(after));
                let detail = format!("technician {was} -> {is}");
                events.push(event(AuditKind::TechnicianLinkChanged, after, detail));
            }
            events
        }
    }
}

fn roles(document: &StaffDocument) -> String {
    let names: Vec<&str> = document.roles().iter().map(|role| role.name()).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        names => names.join(" "),
    }
}

fn technician(document: &StaffDocument) -> String {
    let id = document.technician_id.map(|id| id.to_string());
    id.unwrap_or_else(|| "none".to_owned())
}
