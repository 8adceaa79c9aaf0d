//! What a reader of this repository may rely on, checked: who may use whom, headers, file
//! lengths, leftovers, where a seed is read, and that every requirement has a test.

mod crates;
mod files;
mod requirements;
mod sources;
