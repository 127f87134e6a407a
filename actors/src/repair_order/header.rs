//! The header of a repair order: its texts that the dealer's system owns. A field is named here once,
//! for the order, for what a file says of it and for what a later import changed.

use serde::{Deserialize, Serialize};

/// Declares the fields, each with its name in the API.
macro_rules! header {
    ($($(#[$meta:meta])* $field:ident: $name:literal,)+) => {
        /// `T` is a `String` on the order, an `Option<String>` in a record of a file (`None` was not
        /// said), and an `Option<Edit<String>>` in a change.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(
            rename_all = "camelCase",
            default,
            bound(
                serialize = "T: Serialize + Default + PartialEq",
                deserialize = "T: Deserialize<'de> + Default"
            )
        )]
        pub struct RoHeader<T> {
            $($(#[$meta])* #[serde(skip_serializing_if = "is_default")] pub $field: T,)+
        }

        impl<T> RoHeader<T> {
            /// Each field as it is read under its name in the API.
            pub fn read<E>(
                mut read: impl FnMut(&'static str) -> Result<T, E>,
            ) -> Result<Self, E> {
                Ok(Self { $($field: read($name)?,)+ })
            }

            pub fn map<U>(&self, mut convert: impl FnMut(&T) -> U) -> RoHeader<U> {
                RoHeader { $($field: convert(&self.$field),)+ }
            }

            /// Combines each field with the same field of another header.
            pub fn zip<A, U>(
                &self,
                other: &RoHeader<A>,
                mut combine: impl FnMut(&T, &A) -> U,
            ) -> RoHeader<U> {
                RoHeader { $($field: combine(&self.$field, &other.$field),)+ }
            }

            /// Changes each field by the same field of another header.
            pub fn update<A>(&mut self, other: &RoHeader<A>, mut change: impl FnMut(&mut T, &A)) {
                $(change(&mut self.$field, &other.$field);)+
            }

            /// Each field under its name in the API.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, &T)> {
                [$(($name, &self.$field),)+].into_iter()
            }
        }
    };
}

header! {
    vin: "vehicleVIN",
    vehicle: "vehicle",
    customer: "customer",
    advisor: "advisor",
    /// Of the hat or key tag, by which the car is found on the lot.
    tag_number: "tagNumber",
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::super::{Change, Edit};
    use super::*;

    #[test]
    fn an_event_of_an_older_build_is_read_and_written_unchanged() {
        let event = r#"{"type":"imported","fields":{"customer":{"from":"Ann","to":"Bea"},"customerStatus":{"from":"","to":"PDI"}}}"#;
        let change: Change = serde_json::from_str(event).unwrap();
        let Change::Imported { fields } = &change else {
            panic!("{change:?}");
        };
        let customer = Edit {
            from: "Ann".to_owned(),
            to: "Bea".to_owned(),
        };
        assert_eq!(
            fields.header,
            RoHeader {
                customer: Some(customer),
                ..RoHeader::default()
            }
        );
        assert_eq!(serde_json::to_string(&change).unwrap(), event);
    }

    #[test]
    fn an_order_of_an_older_build_is_read() {
        let event = r#"{"type":"created","repairOrder":{"number":12,"version":1,"vin":"1HGCM82633A004352","vehicle":"","customer":"Ann","advisor":"Dana","openedAt":"2026-07-14T12:42:00Z","customerStatus":"Drop","priority":"Low","regularTechnicians":[],"etlTechnicians":[],"jobs":[]}}"#;
        let change: Change = serde_json::from_str(event).unwrap();
        let Change::Created { repair_order } = &change else {
            panic!("{change:?}");
        };
        let header = RoHeader {
            vin: "1HGCM82633A004352".to_owned(),
            customer: "Ann".to_owned(),
            advisor: "Dana".to_owned(),
            ..RoHeader::default()
        };
        assert_eq!(repair_order.header, header);
        let written = serde_json::to_string(&change).unwrap();
        assert_eq!(serde_json::from_str::<Change>(&written).unwrap(), change);
    }
}
