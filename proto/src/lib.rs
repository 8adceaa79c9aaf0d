//! The messages of the client protocol and of the calls between roles, compiled from `astragal/**/*.proto`.
//!
//! Owns the wire: field names, their JSON and their binary form. Knows nothing of what the messages mean.

pub mod content;
pub mod frame;
mod generated;
pub mod time;
mod value;

pub use generated::{engine, gateway, matchmaking, rematch, replay, seeding};

/// The compiled protocol files as an encoded `FileDescriptorSet`, for gRPC reflection and for tests.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// The files of the client protocol, name and text, for whoever writes a client.
pub const CLIENT_PROTOCOL: [(&str, &str); 2] = [
    ("frames.proto", include_str!("../astragal/gateway/v1/frames.proto")),
    ("table.proto", include_str!("../astragal/gateway/v1/table.proto")),
];
