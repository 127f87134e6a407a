//! A release binary holds the page; cargo does not see that by itself when the page's folder was
//! missing or its files got new names.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed=../web/dist");
    }
}
