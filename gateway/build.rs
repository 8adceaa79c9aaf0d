//! Makes sure that the crate is compiled anew when the web client was: its files become part of it.
//! Without a build of the client there is an empty folder, and the gateway says how to fill it.

use std::fs;

fn main() {
    // A folder that can't be made is as good as an empty one.
    let _ = fs::create_dir_all("web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=web/dist");
}
