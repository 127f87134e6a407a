//! What the product says of itself: its version and licence to whoever is signed in, and to anybody where
//! to report a vulnerability. The notices of what it is made of are a file of the page.

pub mod routes;
pub mod security_txt;
