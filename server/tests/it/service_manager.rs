//! The notifications of a service manager such as systemd, over a real socket.

use std::time::{Duration, Instant};

use tokio::net::UnixDatagram;
use tokio::time::timeout;

use crate::fixture::{Server, Shop, WAIT_TIMEOUT};

struct ServiceManager(UnixDatagram);

impl ServiceManager {
    /// Listens in the shop's folder, where its server finds it.
    fn of(shop: &mut Shop) -> Self {
        let path = shop.path("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        let path = path.display().to_string();
        shop.environment.push(("NOTIFY_SOCKET", path));
        Self(socket)
    }

    async fn next(&self) -> String {
        let mut bytes = [0; 1_024];
        let received = timeout(WAIT_TIMEOUT, self.0.recv(&mut bytes)).await;
        let length = received.expect("a notification comes").unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    }

    /// Nothing that was sent has not been received.
    fn has_no_more(&self) -> bool {
        self.0.try_recv(&mut [0; 1_024]).is_err()
    }
}

#[tokio::test]
async fn a_server_is_ready_when_it_listens_and_says_that_it_stops() {
    let mut shop = Shop::new();
    let manager = ServiceManager::of(&mut shop);
    let mut server = Server::start_in(shop, &[]).await;
    assert_eq!(manager.next().await, "READY=1\n");
    assert_eq!(server.get("/readyz").await.status, 200);
    server.sigterm().await;
    assert_eq!(manager.next().await, "STOPPING=1\n");
    assert!(manager.has_no_more(), "nobody asked for a watchdog");
}

#[tokio::test]
async fn the_watchdog_is_notified_twice_within_its_time() {
    const WATCHDOG: Duration = Duration::from_millis(600);
    let mut shop = Shop::new();
    let manager = ServiceManager::of(&mut shop);
    let time = WATCHDOG.as_micros().to_string();
    shop.environment.push(("WATCHDOG_USEC", time));
    let mut server = Server::start_in(shop, &[]).await;
    assert_eq!(manager.next().await, "READY=1\n");
    assert_eq!(manager.next().await, "WATCHDOG=1\n");
    let first = Instant::now();
    for _ in 0..20 {
        assert_eq!(manager.next().await, "WATCHDOG=1\n");
    }
    // Sooner would be no harm; how much later depends on the machine, which may also have been late with the first one:
    // half of their time is plenty.
    assert!(first.elapsed() >= WATCHDOG * 5, "{:?}", first.elapsed());
    server.sigterm().await;
}

#[tokio::test]
async fn a_service_manager_that_does_not_listen_keeps_nobody_from_work() {
    let mut shop = Shop::new();
    let nobody = shop.path("nobody").display().to_string();
    shop.environment.push(("NOTIFY_SOCKET", nobody));
    let mut server = Server::start_in(shop, &[]).await;
    assert_eq!(server.get("/readyz").await.status, 200);
    let log = server.shop.read("server.log");
    assert!(
        log.contains("the service manager could not be notified"),
        "{log}"
    );
    server.sigterm().await;
}
