//! The values of a document's fields.

use std::collections::HashMap;

use firestore::gcloud_sdk::google::firestore::v1::value::ValueType;
use firestore::gcloud_sdk::google::firestore::v1::{ArrayValue, Value};
use firestore::gcloud_sdk::prost_types;
use jiff::Timestamp;

/// Fields by name.
pub type Fields = HashMap<String, FieldValue>;

#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    Null,
    Boolean(bool),
    Integer(i64),
    Double(f64),
    Timestamp(Timestamp),
    Text(String),
    Array(Vec<FieldValue>),
    Other(OtherValue),
}

/// A value of a kind that is kept and not read: a map, bytes, a reference, a place.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherValue(ValueType);

pub(super) fn from_wire(value: &Value) -> FieldValue {
    match &value.value_type {
        None | Some(ValueType::NullValue(_)) => FieldValue::Null,
        Some(ValueType::BooleanValue(flag)) => FieldValue::Boolean(*flag),
        Some(ValueType::IntegerValue(number)) => FieldValue::Integer(*number),
        Some(ValueType::DoubleValue(number)) => FieldValue::Double(*number),
        Some(ValueType::StringValue(text)) => FieldValue::Text(text.clone()),
        Some(ValueType::ArrayValue(list)) => {
            FieldValue::Array(list.values.iter().map(from_wire).collect())
        }
        Some(kind @ ValueType::TimestampValue(time)) => {
            match Timestamp::new(time.seconds, time.nanos) {
                Ok(time) => FieldValue::Timestamp(time),
                Err(_) => FieldValue::Other(OtherValue(kind.clone())),
            }
        }
        Some(kind) => FieldValue::Other(OtherValue(kind.clone())),
    }
}

pub(super) fn to_wire(value: FieldValue) -> Value {
    let kind = match value {
        FieldValue::Null => ValueType::NullValue(0),
        FieldValue::Boolean(flag) => ValueType::BooleanValue(flag),
        FieldValue::Integer(number) => ValueType::IntegerValue(number),
        FieldValue::Double(number) => ValueType::DoubleValue(number),
        FieldValue::Timestamp(time) => ValueType::TimestampValue(prost_types::Timestamp {
            seconds: time.as_second(),
            nanos: time.subsec_nanosecond(),
        }),
        FieldValue::Text(text) => ValueType::StringValue(text),
        FieldValue::Array(values) => ValueType::ArrayValue(ArrayValue {
            values: values.into_iter().map(to_wire).collect(),
        }),
        FieldValue::Other(OtherValue(kind)) => kind,
    };
    Value {
        value_type: Some(kind),
    }
}

#[cfg(test)]
mod tests {
    use firestore::gcloud_sdk::google::firestore::v1::MapValue;

    use super::*;

    #[test]
    fn every_kind_is_read_and_written_back_as_it_was() {
        let time = prost_types::Timestamp {
            seconds: 1_700_000_000,
            nanos: 5_000_000,
        };
        let read = Timestamp::from_millisecond(1_700_000_000_005).unwrap();
        for (kind, expected) in [
            (ValueType::NullValue(0), FieldValue::Null),
            (ValueType::BooleanValue(true), FieldValue::Boolean(true)),
            (ValueType::IntegerValue(-7), FieldValue::Integer(-7)),
            (ValueType::DoubleValue(42.5), FieldValue::Double(42.5)),
            (ValueType::TimestampValue(time), FieldValue::Timestamp(read)),
            (
                ValueType::StringValue("Ann".to_owned()),
                FieldValue::Text("Ann".to_owned()),
            ),
        ] {
            let value = Value {
                value_type: Some(kind),
            };
            assert_eq!(from_wire(&value), expected);
            assert_eq!(to_wire(expected), value);
            let list = Value {
                value_type: Some(ValueType::ArrayValue(ArrayValue {
                    values: vec![value.clone(), value],
                })),
            };
            assert_eq!(to_wire(from_wire(&list)), list);
        }
    }

    #[test]
    fn what_is_not_read_is_kept_whole() {
        let out_of_range = prost_types::Timestamp {
            seconds: i64::MAX,
            nanos: 0,
        };
        for kind in [
            ValueType::MapValue(MapValue::default()),
            ValueType::BytesValue(vec![1, 2]),
            ValueType::TimestampValue(out_of_range),
        ] {
            let value = Value {
                value_type: Some(kind),
            };
            let read = from_wire(&value);
            assert!(matches!(read, FieldValue::Other(_)), "{read:?}");
            assert_eq!(to_wire(read), value);
        }
        assert_eq!(from_wire(&Value::default()), FieldValue::Null);
    }
}
