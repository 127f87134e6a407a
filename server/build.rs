//! The binary holds the page; cargo does not see by itself that the page's folder, missing at
//! first, is there now, or that its files got new names.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../web/dist");
}
