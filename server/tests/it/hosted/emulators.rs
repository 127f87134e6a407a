//! Google's services as packages, started once for all tests of this process.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use dispatch_server::options::config::Google;

/// Its name says to Firebase's tools that there is no such project.
pub const PROJECT: &str = "demo-dispatch";

/// Firebase's own Authentication emulator.
pub fn authentication() -> SocketAddr {
    static RUNNING: OnceLock<Emulator> = OnceLock::new();
    RUNNING
        .get_or_init(|| Emulator::start("auth.mjs", &[PROJECT]))
        .address
}

/// A Firestore that speaks gRPC.
pub fn firestore() -> SocketAddr {
    static RUNNING: OnceLock<Emulator> = OnceLock::new();
    RUNNING
        .get_or_init(|| Emulator::start("firestore.mjs", &[]))
        .address
}

/// A Firestore with nothing in it: a project of its own.
pub fn empty_firestore() -> Google {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Google {
        project: Some(format!("{PROJECT}-{number}")),
        firestore_emulator: Some(firestore()),
        ..Google::default()
    }
}

struct Emulator {
    address: SocketAddr,
    /// Held open: its end, however this process ends, ends the emulator.
    _alive: ChildStdin,
    _node: Child,
}

impl Emulator {
    fn start(script: &str, arguments: &[&str]) -> Self {
        let server = Path::new(env!("CARGO_MANIFEST_DIR"));
        let modules: PathBuf = server.join("../target/hosted");
        assert!(
            modules.join("complete").exists(),
            "there is nothing in {}: run `make tools`",
            modules.display()
        );
        let mut node = Command::new("node")
            .arg(server.join("tests/hosted").join(script))
            .arg(&modules)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(node.stdout.take().unwrap()).lines();
        let address = lines
            .find_map(|line| line.unwrap().strip_prefix("ready ")?.parse().ok())
            .unwrap_or_else(|| panic!("{script} does not start: {:?}", node.wait()));
        Self {
            address,
            _alive: node.stdin.take().unwrap(),
            _node: node,
        }
    }
}
