//! What the packet crates let through and Socket.IO does not.

use serde_json::value::RawValue;
use socketioxide_core::Value;

/// The official parser's list.
const RESERVED_EVENTS: [&str; 6] = [
    "connect",
    "connect_error",
    "disconnect",
    "disconnecting",
    "newListener",
    "removeListener",
];

/// The parser takes any text for an event; it must be a list that starts with a name, and not with
/// one that clients and servers use among themselves.
pub(crate) fn is_event(event: &Value) -> bool {
    let text = event.as_str().map_or("", |text| text);
    let list: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
    let name: Option<String> = list
        .first()
        .and_then(|name| serde_json::from_str(name.get()).ok());
    name.is_some_and(|name| !RESERVED_EVENTS.contains(&&*name))
}

pub(crate) fn is_list(arguments: &Value) -> bool {
    let text = arguments.as_str().map_or("", |text| text);
    serde_json::from_str::<Vec<&RawValue>>(text).is_ok()
}

pub(crate) fn is_object(auth: &Value) -> bool {
    let text = auth.as_str().map_or("", |text| text);
    serde_json::from_str::<serde_json::Map<_, _>>(text).is_ok()
}

/// Whether every placeholder stands for an attachment that arrived.
pub(crate) fn fits(list: &Value) -> bool {
    let Value::Str(text, attachments) = list else {
        return false;
    };
    let came = attachments.as_ref().map_or(0, |came| came.len());
    serde_json::from_str(text).is_ok_and(|list| are_within(&list, came))
}

fn are_within(json: &serde_json::Value, came: usize) -> bool {
    match json {
        serde_json::Value::Array(list) => list.iter().all(|item| are_within(item, came)),
        serde_json::Value::Object(object) => match object.get("_placeholder") {
            Some(serde_json::Value::Bool(true)) => {
                let number = object.get("num").and_then(serde_json::Value::as_u64);
                number.is_some_and(|number| number < came as u64)
            }
            _ => object.values().all(|item| are_within(item, came)),
        },
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::{hash_map, vec};
    use proptest::prelude::*;
    use serde_json::{Value as Json, json};

    use bytes::Bytes;
    use socketioxide_core::Str;
    use socketioxide_core::packet::PacketData;
    use socketioxide_core::parser::{Parse, ParseConfig, ParserState};
    use socketioxide_parser_common::CommonParser;

    use super::*;

    fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            "message|connect|disconnect|\\PC{0,5}".prop_map(Json::from),
        ];
        leaf.prop_recursive(4, 20, 4, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..4).prop_map(Json::from),
                hash_map("[a-c]|_placeholder|num", inner, 0..4)
                    .prop_map(|object| Json::Object(object.into_iter().collect())),
            ]
        })
    }

    fn text(text: &str, attachments: usize) -> Value {
        let attachments = vec![Bytes::new(); attachments];
        Value::Str(Str::from(text.to_owned()), Some(attachments.into()))
    }

    proptest! {
        #[test]
        fn an_event_is_a_list_that_begins_with_a_name(json in any_json()) {
            let value = text(&json.to_string(), 0);
            let name = json.get(0).and_then(Json::as_str);
            let expected = name.is_some_and(|name| !RESERVED_EVENTS.contains(&name));
            prop_assert_eq!(is_event(&value), expected);
            prop_assert_eq!(is_list(&value), json.is_array());
            prop_assert_eq!(is_object(&value), json.is_object());
        }

        #[test]
        fn placeholders_are_valid_when_all_attachments_arrived(
            json in any_json(),
            places in 0..4_usize,
            came in 0..4_usize,
        ) {
            let place = |number: usize| json!({ "_placeholder": true, "num": number });
            let places: Vec<Json> = (0..places).map(place).collect();
            let list = json!(["name", { "deep": [&places] }]);
            let fitting = places.len() <= came;
            prop_assert_eq!(fits(&text(&list.to_string(), came)), fitting);
            // Beside any other JSON the verdict may be either; it must not panic.
            let _ = fits(&text(&json!([list, json]).to_string(), came));
        }

        #[test]
        fn any_text_is_decoded_and_judged_or_refused(
            packet in "[0-6]([0-9]{1,3}-)?(/[a-zé]{0,5},?)?[0-9]{0,3}([\\[{].{0,30})?|\\PC{0,30}",
            attachments in vec(vec(any::<u8>(), 0..5), 0..3),
        ) {
            let (parser, config) = (ParserState::default(), ParseConfig::default());
            let mut packet = CommonParser.decode_str(&config, &parser, Str::from(packet));
            for attachment in attachments {
                if packet.is_err() {
                    packet = CommonParser.decode_bin(&config, &parser, attachment.into());
                }
            }
            if let Ok(packet) = packet
                && let PacketData::BinaryEvent(list, _) | PacketData::Event(list, _) = packet.inner
            {
                let _ = (is_event(&list), is_list(&list), is_object(&list), fits(&list));
            }
        }
    }
}
