//! Our JSON of every frame is the canonical protobuf JSON, and both forms carry the same.
//!
//! `examples/*.jsonl` has one frame a line; a frame without an example fails the test.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use astragal_proto::DESCRIPTORS;
use astragal_proto::gateway::v1::{ClientFrame, ServerFrame};
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, SerializeOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const CLIENT: &str = include_str!("examples/client.jsonl");
const SERVER: &str = include_str!("examples/server.jsonl");

fn descriptor(name: &str) -> MessageDescriptor {
    let pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
    pool.get_message_by_name(&format!("astragal.gateway.v1.{name}")).unwrap()
}

/// What an independent implementation writes for the same binary frame.
fn canonical(frame: &impl Message, descriptor: &MessageDescriptor) -> Value {
    let message = DynamicMessage::decode(descriptor.clone(), frame.encode_to_vec().as_slice()).unwrap();
    let options = SerializeOptions::new().skip_default_fields(false);
    whole_numbers(message.serialize_with_options(serde_json::value::Serializer, &options).unwrap())
}

/// prost-reflect prints the doubles of a `Value` as `3.0`, which is the same number as our `3`.
fn whole_numbers(json: Value) -> Value {
    match json {
        Value::Number(number) if number.as_f64().is_some_and(|double| double.fract() == 0.0) => {
            Value::from(number.as_f64().unwrap() as i64)
        }
        Value::Array(values) => values.into_iter().map(whole_numbers).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, whole_numbers(value))).collect(),
        other => other,
    }
}

/// What an independent implementation reads from the same text frame.
fn read_canonically(text: &str, descriptor: &MessageDescriptor) -> Vec<u8> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    DynamicMessage::deserialize(descriptor.clone(), &mut deserializer).unwrap().encode_to_vec()
}

fn check<F>(examples: &str, name: &str)
where
    F: Message + Default + Serialize + DeserializeOwned + PartialEq,
{
    let descriptor = descriptor(name);
    let mut shown = BTreeSet::new();
    for line in examples.lines() {
        let frame: F = serde_json::from_str(line).unwrap();
        let written = serde_json::to_string(&frame).unwrap();
        let json: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(json, canonical(&frame, &descriptor), "our JSON differs for {line}");
        assert!(serde_json::from_str::<F>(&written).unwrap() == frame, "text round trip of {line}");
        assert!(F::decode(frame.encode_to_vec().as_slice()).unwrap() == frame, "binary round trip of {line}");
        assert!(
            F::decode(read_canonically(line, &descriptor).as_slice()).unwrap() == frame,
            "read differently: {line}"
        );
        let keys = json.as_object().unwrap().keys().filter(|key| !["id", "replyTo"].contains(&key.as_str()));
        shown.extend(keys.cloned());
    }
    let oneof = descriptor.oneofs().next().unwrap();
    let known: BTreeSet<String> = oneof.fields().map(|field| field.json_name().to_owned()).collect();
    assert_eq!(shown, known, "every frame needs an example");
}

#[test]
fn client_frames_are_canonical() {
    check::<ClientFrame>(CLIENT, "ClientFrame");
}

#[test]
fn server_frames_are_canonical() {
    check::<ServerFrame>(SERVER, "ServerFrame");
}

#[test]
fn zero_false_and_empty_are_printed() {
    let text = r#"{"onGameUpdate":{"gameId":"g","seat":0}}"#;
    let frame: ServerFrame = serde_json::from_str(text).unwrap();
    assert_eq!(
        serde_json::to_string(&frame).unwrap(),
        r#"{"onGameUpdate":{"gameId":"g","revision":0,"number":0,"seat":0,"drew":false,"toMove":[],"viewHash":""}}"#
    );
}
