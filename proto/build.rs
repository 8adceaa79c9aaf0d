//! Compiles the protocol files with protox, so that no `protoc` is needed.

use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet};

const FILES: [&str; 13] = [
    "astragal/gateway/v1/frames.proto",
    "astragal/gateway/v1/table.proto",
    "astragal/engine/v1/clock.proto",
    "astragal/engine/v1/engine.proto",
    "astragal/engine/v1/event.proto",
    "astragal/engine/v1/series.proto",
    "astragal/matchmaking/v1/accounts.proto",
    "astragal/matchmaking/v1/matchmaking.proto",
    "astragal/matchmaking/v1/next_game.proto",
    "astragal/rematch/v1/rematch.proto",
    "astragal/replay/v1/replay.proto",
    "astragal/replay/v1/timeline.proto",
    "astragal/seeding/v1/seeding.proto",
];

const GATEWAY: &str = "astragal.gateway.v1";

/// Messages whose oneof is flattened into the frame, with its name; `frame.rs` writes and reads them.
const FRAMES: [(&str, &str); 2] = [("ClientFrame", "operation"), ("ServerFrame", "event")];

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script its directory in no other way")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=astragal");
    let set = protox::compile(FILES, ["."])?;
    let out = std::path::PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("descriptors.bin"), set.encode_to_vec())?;

    let mut config = tonic_prost_build::Config::new();
    config
        .bytes([".astragal.engine.v1", ".astragal.matchmaking.v1", ".astragal.replay.v1"])
        .extern_path(".google.protobuf.Value", "crate::content::Content")
        .extern_path(".google.protobuf.ListValue", "crate::content::ContentList")
        .extern_path(".google.protobuf.Timestamp", "crate::time::Timestamp")
        .extern_path(".google.protobuf.Duration", "crate::time::Duration");
    for message in gateway_messages(&set) {
        derive_json(&mut config, message);
    }
    tonic_prost_build::configure().compile_fds_with_config(set, config)?;
    Ok(())
}

/// The messages that clients see; no message of this package is nested in another.
fn gateway_messages(set: &FileDescriptorSet) -> impl Iterator<Item = &DescriptorProto> {
    set.file.iter().filter(|file| file.package() == GATEWAY).flat_map(|file| &file.message_type)
}

/// Gives a message the serde attributes that make its JSON canonical protobuf JSON.
fn derive_json(config: &mut tonic_prost_build::Config, message: &DescriptorProto) {
    let path = format!(".{GATEWAY}.{}", message.name());
    if let Some((_, oneof)) = FRAMES.iter().find(|(frame, _)| *frame == message.name()) {
        config.enum_attribute(
            format!("{path}.{oneof}"),
            "#[derive(serde::Serialize, serde::Deserialize)] #[serde(rename_all = \"camelCase\")]",
        );
        return;
    }
    config.message_attribute(
        &path,
        "#[derive(serde::Serialize, serde::Deserialize)] #[serde(rename_all = \"camelCase\", default)]",
    );
    for field in &message.field {
        let attribute = if is_content(field) {
            // A null is a value of its own in game content, not an absent field.
            "#[serde(deserialize_with = \"crate::content::present\", skip_serializing_if = \"Option::is_none\")]"
        } else if is_option(field) {
            "#[serde(skip_serializing_if = \"Option::is_none\")]"
        } else {
            "#[serde(deserialize_with = \"crate::content::null_is_default\")]"
        };
        config.field_attribute(format!("{path}.{}", field.name()), attribute);
    }
}

/// Whether prost makes an `Option` of the field: absent is then not the same as empty.
fn is_option(field: &FieldDescriptorProto) -> bool {
    field.proto3_optional() || (field.label() != Label::Repeated && field.r#type() == Type::Message)
}

fn is_content(field: &FieldDescriptorProto) -> bool {
    field.label() != Label::Repeated && field.type_name() == ".google.protobuf.Value"
}
