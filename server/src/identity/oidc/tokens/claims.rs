//! What a provider says of a person, as far as it matters here.

use openidconnect::{AdditionalClaims, SubjectIdentifier};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::identity::email::Email;
use crate::staff::Role;

/// Every claim that the standard does not name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::identity::oidc) struct ExtraClaims(Map<String, Value>);

impl AdditionalClaims for ExtraClaims {}

/// Somebody the provider vouches for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::identity::oidc) struct Person {
    pub(in crate::identity::oidc) subject: String,
    /// Only what the provider has verified.
    pub(in crate::identity::oidc) email: Option<Email>,
    pub(in crate::identity::oidc) name: Option<String>,
    /// None where the provider says nothing of roles, or nobody asked.
    pub(in crate::identity::oidc) roles: Option<Vec<Role>>,
}

impl Person {
    pub(in crate::identity::oidc) fn new(
        subject: &SubjectIdentifier,
        email: Option<&str>,
        verified: Option<bool>,
        name: Option<&str>,
        roles: Option<Vec<Role>>,
    ) -> Self {
        let email = email.filter(|_| verified == Some(true));
        Self {
            subject: subject.to_string(),
            email: email.and_then(|email| Email::parse(email).ok()),
            name: name
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
            roles,
        }
    }
}

impl ExtraClaims {
    /// The roles that the claim of that name lists. Others than ours are somebody else's business.
    pub(in crate::identity::oidc) fn roles(&self, claim: &str) -> Option<Vec<Role>> {
        let named = match self.find(claim)? {
            Value::String(one) => vec![one.as_str()],
            Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let named: Vec<Role> = named.iter().filter_map(|name| name.parse().ok()).collect();
        let mut roles = Role::ALL.to_vec();
        roles.retain(|role| named.contains(role));
        Some(roles)
    }

    /// By its whole name, which may have dots (`https://shop.example/roles`), else as a path
    /// (`realm_access.roles`).
    fn find(&self, claim: &str) -> Option<&Value> {
        self.0.get(claim).or_else(|| {
            let mut steps = claim.split('.');
            let first = self.0.get(steps.next()?)?;
            steps.try_fold(first, |value, step| value.get(step))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn roles(claims: Value, claim: &str) -> Option<Vec<Role>> {
        let more: ExtraClaims = serde_json::from_value(claims).unwrap();
        more.roles(claim)
    }

    #[test]
    fn roles_are_the_strings_of_the_claim_that_mean_something_here() {
        let several =
            json!({ "roles": ["advisor", "Boss", 7, "Owner", "Service_Manager", "owner"] });
        let mut all = roles(several, "roles").unwrap();
        all.sort_by_key(Role::to_string);
        assert_eq!(all, [Role::Advisor, Role::Owner, Role::ServiceManager]);
        assert_eq!(
            roles(json!({ "role": "Used" }), "role"),
            Some(vec![Role::Used])
        );
        assert_eq!(roles(json!({ "roles": ["Boss"] }), "roles"), Some(vec![]));
        assert_eq!(roles(json!({ "roles": [] }), "roles"), Some(vec![]));
        assert_eq!(roles(json!({ "roles": null }), "roles"), Some(vec![]));
        assert_eq!(
            roles(json!({ "roles": { "Owner": true } }), "roles"),
            Some(vec![])
        );
        assert_eq!(roles(json!({}), "roles"), None, "nothing is said");
    }

    #[test]
    fn a_claim_is_named_whole_or_by_its_path() {
        let nested = json!({ "realm_access": { "roles": ["Owner"] } });
        assert_eq!(
            roles(nested.clone(), "realm_access.roles"),
            Some(vec![Role::Owner])
        );
        assert_eq!(roles(nested, "realm_access.groups"), None);
        let dotted = json!({ "https://shop.example/roles": ["Used"] });
        assert_eq!(
            roles(dotted, "https://shop.example/roles"),
            Some(vec![Role::Used])
        );
    }

    #[test]
    fn an_email_counts_only_when_the_provider_has_verified_it() {
        let person = |verified| {
            let subject = SubjectIdentifier::new("7".to_owned());
            Person::new(
                &subject,
                Some("Ann@Example.com"),
                verified,
                Some(" Ann "),
                None,
            )
        };
        assert_eq!(person(None).email, None);
        assert_eq!(person(Some(false)).email, None);
        let ann = person(Some(true));
        assert_eq!(ann.email.unwrap().as_str(), "ann@example.com");
        assert_eq!(ann.name.as_deref(), Some("Ann"));
    }
}
