//! Many sessions, who are written to in portions while others come and go.

use futures_util::future::join_all;

use crate::fixture::{Server, plain_orders};

const ORDERS: i64 = 8;

#[tokio::test]
async fn a_session_that_stays_receives_every_change_once_and_in_order_while_others_come_and_go() {
    const STAYING: usize = 200;
    const CHANGES: i64 = 10;
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let first = owner.seq().await;
    // Staying and leaving sessions alternate, so that those that leave make gaps.
    let together = (0..2 * STAYING).map(|_| owner.listen(&server));
    let (mut staying, mut guests) = (Vec::new(), Vec::new());
    for (place, socket) in join_all(together).await.into_iter().enumerate() {
        match place % 2 {
            0 => staying.push(socket),
            _ => guests.push(socket),
        }
    }
    // Several at the same moment, so that more is committed while sessions are written to.
    let change = join_all((1..=ORDERS).map(async |number| {
        for _ in 0..CHANGES {
            owner.make_one_change(number).await;
        }
    }));
    let come_and_go = async {
        while !guests.is_empty() {
            guests.truncate(guests.len().saturating_sub(10));
            drop(join_all((0..5).map(|_| owner.listen(&server))).await);
        }
    };
    tokio::join!(change, come_and_go);
    // Nothing comes twice before it.
    let last = owner.make_one_change(1).await;
    assert!(last - first > ORDERS * CHANGES);
    for socket in &mut staying {
        for seq in first + 1..=last {
            assert_eq!(socket.modified().await["seq"], seq);
        }
    }
}
