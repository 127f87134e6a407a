//! Screens with a scope narrower than everything.

use serde_json::{Value, json};

use crate::fixture::{Desk, Server, Socket, plain_orders};

/// A session with a scope, past `hello`, and its name.
async fn listen(server: &Server, desk: &Desk, scope: &Value) -> (Socket, String) {
    let mut socket = Socket::open(server.address).await;
    let auth = json!({ "token": desk.token, "scope": scope });
    let pid = socket.sign_in(&auth).await.unwrap();
    assert_eq!(socket.next().await.name, "hello");
    (socket, pid)
}

/// What a client with a scope receives when it resumes, `hello` included.
async fn replay(
    server: &Server,
    desk: &Desk,
    scope: &Value,
    pid: &str,
    offset: &str,
) -> Vec<Heard> {
    let mut socket = Socket::open(server.address).await;
    let auth = json!({ "token": desk.token, "scope": scope, "pid": pid, "offset": offset });
    assert_eq!(socket.sign_in(&auth).await.unwrap(), pid);
    let mut heard = Vec::new();
    loop {
        let event = socket.next().await;
        match event.name.as_str() {
            "hello" => {
                assert_eq!(event.reaches(), desk.seq().await);
                return heard;
            }
            _ => heard.push(of(&event.payload)),
        }
    }
}

/// Order and action.
type Heard = (i64, String);

fn of(modified: &Value) -> Heard {
    let action = modified["action"].as_str().unwrap();
    (modified["roNumber"].as_i64().unwrap(), action.to_owned())
}

/// Everything up to the tick that says that the stream is at `seq`.
async fn until_tick(socket: &mut Socket, seq: i64) -> Vec<Heard> {
    let mut heard = Vec::new();
    loop {
        let event = socket.next().await;
        match event.name.as_str() {
            "tick" if event.payload["seq"] == seq => return heard,
            "tick" => {}
            _ => heard.push(of(&event.payload)),
        }
    }
}

fn list(heard: &[(i64, &str)]) -> Vec<Heard> {
    heard
        .iter()
        .map(|(number, action)| (*number, (*action).to_owned()))
        .collect()
}

fn etl(number: i64, technician: Option<i64>) -> Value {
    let customer = format!("Customer {number}");
    match technician {
        Some(id) => {
            json!([{ "repairOrderNumber": number, "customer": customer, "ETLIdTechnician": id, "ETLTechFullName": "Ann Kowalczyk" }])
        }
        None => {
            json!([{ "repairOrderNumber": number, "customer": customer, "ETLIdTechnician": null }])
        }
    }
}

#[tokio::test]
async fn a_screen_receives_only_events_in_its_scope_live_and_in_a_replay() {
    let (mut server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(9)).await;
    let (ann, orders) = (json!({ "technician": 11 }), json!({ "ros": [1, 6] }));
    let (mut anns, anns_pid) = listen(&server, &owner, &ann).await;
    let (mut board, boards_pid) = listen(&server, &owner, &orders).await;
    let mut desk = owner.listen(&server).await;

    owner.assign(1, 11).await.good();
    owner.change_priority(1, 3).await.good();
    owner.change_priority(3, 3).await.good();
    owner.assign(3, 14).await.good();
    owner.assign(1, 14).await.good();
    owner.unassign(1, 11).await.good();
    owner.change_priority(1, 2).await.good();
    owner.assign(2, 11).await.good();
    owner.change_priority(2, 2).await.good();
    server.shop.import(&etl(4, Some(11))).await;
    server.shop.import(&etl(4, Some(14))).await;
    server.shop.import(&etl(5, Some(11))).await;
    owner.assign(7, 11).await.good();
    let to = json!({ "repairOrderNumber": 7, "fromIdTechnician": 11, "toIdTechnician": 14 });
    let reassigned = owner.post("/api/repair-orders/technicians/reassign", to);
    reassigned.await.good();
    owner.assign(6, 11).await.good();
    let closed = json!([{ "repairOrderNumber": 6, "customer": "Customer 6", "status": "closed" }]);
    server.shop.import(&closed).await;
    let last = owner.seq().await;

    let all = until_tick(&mut desk, last).await;
    assert_eq!(all.len(), usize::try_from(last - 9).unwrap());
    let live = list(&[
        (1, "TECH_ASSIGNED"),
        (1, "PRIORITY_CHANGED"),
        (1, "TECH_ASSIGNED"),
        (1, "TECH_UNASSIGNED"),
        (2, "TECH_ASSIGNED"),
        (2, "PRIORITY_CHANGED"),
        (4, "IMPORTED"),
        (4, "IMPORTED"),
        (5, "IMPORTED"),
        (7, "TECH_ASSIGNED"),
        (7, "TECH_UNASSIGNED"),
        (6, "TECH_ASSIGNED"),
        (6, "CLOSED"),
    ]);
    assert_eq!(until_tick(&mut anns, last).await, live);
    let boards = list(&[
        (1, "TECH_ASSIGNED"),
        (1, "PRIORITY_CHANGED"),
        (1, "TECH_ASSIGNED"),
        (1, "TECH_UNASSIGNED"),
        (1, "PRIORITY_CHANGED"),
        (6, "TECH_ASSIGNED"),
        (6, "CLOSED"),
    ]);
    assert_eq!(until_tick(&mut board, last).await, boards);

    // From memory.
    let ninth = server.shop.offset(9).await;
    assert_eq!(replay(&server, &owner, &ann, &anns_pid, &ninth).await, live);
    assert_eq!(
        replay(&server, &owner, &orders, &boards_pid, &ninth).await,
        boards
    );
    // The scope of the return counts, not the old one.
    assert_eq!(
        replay(&server, &owner, &orders, &anns_pid, &ninth).await,
        boards
    );
    assert_eq!(
        replay(&server, &owner, &Value::Null, &boards_pid, &ninth).await,
        all
    );

    // From the log, with rows and assignments as they are now; the events that assigned or
    // unassigned a technician still reach that technician.
    server.sigkill().await;
    server.restart().await;
    let from_log = list(&[
        (1, "TECH_ASSIGNED"),
        (1, "TECH_UNASSIGNED"),
        (2, "TECH_ASSIGNED"),
        (2, "PRIORITY_CHANGED"),
        (4, "IMPORTED"),
        (4, "IMPORTED"),
        (5, "IMPORTED"),
        (7, "TECH_ASSIGNED"),
        (7, "TECH_UNASSIGNED"),
        (6, "TECH_ASSIGNED"),
        (6, "CLOSED"),
    ]);
    assert_eq!(
        replay(&server, &owner, &ann, &anns_pid, &ninth).await,
        from_log
    );
    assert_eq!(
        replay(&server, &owner, &orders, &boards_pid, &ninth).await,
        boards
    );
    assert_eq!(
        replay(&server, &owner, &Value::Null, &boards_pid, &ninth).await,
        all
    );
}

#[tokio::test]
async fn a_scope_that_makes_no_sense_is_refused() {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(1)).await;
    let many: Vec<i64> = (1..=65).collect();
    for scope in [
        json!({}),
        json!(1),
        json!("technician"),
        json!([]),
        json!({ "technician": "11" }),
        json!({ "technician": null }),
        json!({ "technician": 1.5 }),
        json!({ "technician": [11] }),
        json!({ "ros": 1 }),
        json!({ "ros": ["1"] }),
        json!({ "ros": many }),
        json!({ "technician": 11, "ros": [1] }),
        json!({ "everything": true }),
    ] {
        let auth = json!({ "token": owner.token, "scope": scope });
        let refused = Socket::connect(&server, &auth).await.err();
        let code = refused.map(|refused| refused["data"]["code"].clone());
        assert_eq!(code, Some(json!("invalid-request")), "{scope}");
    }
    let most = json!({ "ros": many[1..] });
    listen(&server, &owner, &most).await;
}

#[tokio::test]
async fn a_screen_receives_nothing_of_a_burst_outside_its_scope() {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(2)).await;
    let (mut screen, _) = listen(&server, &owner, &json!({ "ros": [1] })).await;
    let (mut technician, _) = listen(&server, &owner, &json!({ "technician": 11 })).await;
    let mut desk = owner.listen(&server).await;
    // Some hundred that are committed together have more bytes than a slow reader may be behind.
    let jobs: Vec<Value> = (1..=5)
        .map(|job| json!({ "jobNumber": job, "concern": "squeaks ".repeat(250), "operations": [] }))
        .collect();
    let orders: Value = (3..=602)
        .map(|number| json!({ "repairOrderNumber": number, "customer": "Ann", "jobs": jobs }))
        .collect();
    let hear = async {
        for seq in 3..=602 {
            assert_eq!(desk.modified().await["seq"], seq);
        }
    };
    tokio::join!(server.shop.import(&orders), hear);
    owner.assign(1, 11).await.good();
    for socket in [&mut screen, &mut technician, &mut desk] {
        assert_eq!(socket.modified().await["action"], "TECH_ASSIGNED");
    }
}

#[tokio::test]
async fn a_screen_receives_presence_for_its_own_orders_only() {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(3)).await;
    let mut desk = owner.listen(&server).await;
    for number in [1, 2] {
        desk.send(&format!(r#"42["RO_OPEN",{{"roNumber":{number}}}]"#))
            .await;
        assert_eq!(desk.event().await.name, "RO_PRESENCE");
    }
    let (mut one, _) = listen(&server, &owner, &json!({ "ros": [1, 3] })).await;
    let (mut none, _) = listen(&server, &owner, &json!({ "ros": [3] })).await;
    let (mut technician, _) = listen(&server, &owner, &json!({ "technician": 11 })).await;
    let present = one.event().await;
    assert_eq!(present.name, "RO_PRESENCES");
    let orders = present.payload["orders"].as_array().unwrap();
    assert_eq!((orders.len(), &orders[0]["roNumber"]), (1, &json!(1)));
    desk.send(r#"42["RO_LEAVE",{"roNumber":1}]"#).await;
    assert_eq!(
        one.event().await.payload,
        json!({ "roNumber": 1, "people": [] })
    );
    owner.assign(3, 11).await.good();
    for socket in [&mut one, &mut none, &mut technician] {
        assert_eq!(
            socket.event().await.name,
            "RO_MODIFIED",
            "and nothing before it"
        );
    }
}
