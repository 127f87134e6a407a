//! A sign-in with a provider that is begun at one server and comes back to another.

use super::*;

#[tokio::test]
async fn a_person_leaves_from_one_server_and_comes_back_to_another() {
    let provider = Provider::start().await;
    provider.configure(json!({})).await;
    let database = Throwaway::postgres().await;
    let options = provider.options();
    let first = Server::start_in(Shop::on(&database), &options).await;
    provider
        .for_server(&first, json!({ "7-ann": verified("ann@example.com") }))
        .await;
    // Both are behind one address.
    let address = first.url("");
    let behind = [&options[..], &["--public-url", &address]].concat();
    let second = Server::start_in(Shop::on(&database), &behind).await;
    on_the_staff(&first, "ann@example.com", "Advisor").await;
    for (leaves, comes_back) in [(&first, &second), (&second, &first)] {
        let mut browser = Browser::new();
        let start = browser.start(leaves).await;
        let mut back = browser.at_provider(start, "7-ann").await;
        back.set_port(Some(comes_back.address.port())).unwrap();
        let trip = browser.cookies.clone();
        assert_eq!(browser.get(back.clone()).await.leads_home(), "/");
        for server in [&first, &second] {
            assert_eq!(roles(server, &browser).await, json!(["Advisor"]));
        }
        // Once, at whichever server.
        let mut thief = Browser::new();
        thief.cookies = trip;
        for server in [&first, &second] {
            back.set_port(Some(server.address.port())).unwrap();
            assert_eq!(thief.get(back.clone()).await.location(), FAILED);
        }
    }
}
