use std::net::{Ipv4Addr, Ipv6Addr};

use super::*;

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn address(last: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(192, 0, 2, last))
}

/// An address in a network of its own, all of one site.
fn of_one_site(network: u16) -> IpAddr {
    IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 1, network, 0, 0, 0, 1))
}

/// How many tries are counted until one is refused.
fn until_refused(take: impl Fn() -> bool) -> usize {
    (0..10_000).take_while(|_| take()).count()
}

#[test]
fn a_network_has_ten_tries_for_an_account_and_another_has_its_own() {
    let attempts = Attempts::new(&SharedLimits::of_test(), None);
    let ann = email("ann@example.com");
    let guess = |last| attempts.count_stranger_password(&ann, address(last));
    assert_eq!(until_refused(|| guess(1).is_ok()), 10);
    let refused = guess(1).err().unwrap();
    assert_eq!(
        (
            refused.status.as_u16(),
            refused.code.as_str(),
            refused.retry_after
        ),
        (429, "too-many-requests", Some(6))
    );
    assert_eq!(until_refused(|| guess(2).is_ok()), 10);
    let bob = email("bob@example.com");
    let _counted = attempts.count_stranger_password(&bob, address(1)).unwrap();
}

#[test]
fn all_strangers_together_have_fifty_tries_for_an_account() {
    let attempts = Attempts::new(&SharedLimits::of_test(), None);
    let ann = email("ann@example.com");
    let guesses = (0..200).filter(|&last| {
        let counted = attempts.count_stranger_password(&ann, address(last));
        counted.is_ok()
    });
    assert_eq!(guesses.count(), 50);
    // Where the account is known others' tries are others'.
    let device = DeviceId::of_test(1);
    let outcomes = [
        attempts.count_known_network_password(&ann, address(250)),
        attempts.count_known_device_password(&ann, &device),
    ];
    assert!(outcomes.iter().all(Result::is_ok));
    let on_device = || attempts.count_known_device_password(&ann, &device).is_ok();
    assert_eq!(until_refused(on_device), 9);
    let on_network = || {
        attempts
            .count_known_network_password(&ann, address(250))
            .is_ok()
    };
    assert_eq!(until_refused(on_network), 9);
}

#[test]
fn a_site_of_65_536_networks_does_not_use_up_what_all_strangers_have() {
    let attempts = Attempts::new(&SharedLimits::of_test(), None);
    let ann = email("ann@example.com");
    let guesses = (0..u16::MAX).filter(|&network| {
        let counted = attempts.count_stranger_password(&ann, of_one_site(network));
        counted.is_ok()
    });
    // And those that come back meanwhile.
    let through = guesses.count();
    assert!((20..30).contains(&through), "{through}");
    let _counted = attempts.count_stranger_password(&ann, address(1)).unwrap();
}

#[test]
fn a_success_gives_its_try_back_and_no_more() {
    let attempts = Attempts::new(&SharedLimits::of_test(), None);
    let ann = email("ann@example.com");
    let guess = || attempts.count_stranger_password(&ann, address(1));
    for _ in 0..300 {
        guess().unwrap().refund();
    }
    let kept: Vec<CountedAttempt<'_>> = (0..10).map(|_| guess().unwrap()).collect();
    assert!(guess().is_err());
    for counted in kept.into_iter().take(1) {
        counted.refund();
    }
    assert_eq!(until_refused(|| guess().is_ok()), 1);
}

#[test]
fn a_network_has_a_hundred_tries_whatever_the_accounts() {
    let attempts = Attempts::new(&SharedLimits::of_test(), None);
    assert_eq!(
        until_refused(|| attempts.take_of_address(address(1)).is_ok()),
        100
    );
    attempts.take_of_address(address(2)).unwrap();
    let networks = (0..u16::MAX).filter(|&n| attempts.take_of_address(of_one_site(n)).is_ok());
    // And those that come back meanwhile.
    let through = networks.count();
    assert!((400..600).contains(&through), "{through}");
}

#[test]
fn mails_and_codes_are_few() {
    let attempts = Attempts::new(&SharedLimits::of_test(), None);
    let ann = email("ann@example.com");
    let mail = |last| attempts.count_mail(&ann, None, address(last)).is_ok();
    assert_eq!(until_refused(|| mail(1)), 3);
    assert_eq!((2..100).filter(|&last| mail(last)).count(), 7);
    let device = DeviceId::of_test(1);
    let count_known_device = || attempts.count_mail(&ann, Some(&device), address(1)).is_ok();
    assert_eq!(until_refused(count_known_device), 3);
    let people = (0..50).map(|number| email(&format!("p{number}@example.com")));
    let mails = people.filter(|email| attempts.count_mail(email, None, address(99)).is_ok());
    assert_eq!(mails.count(), 20);

    let code = |device| attempts.count_code("ann", device).is_ok();
    assert_eq!(until_refused(|| code(None)), 5);
    assert_eq!(until_refused(|| code(Some(&device))), 5);
    let devices: Vec<DeviceId> = (2..60).map(DeviceId::of_test).collect();
    let tries = devices.iter().flat_map(|device| [device; 5]);
    assert_eq!(tries.filter(|device| code(Some(device))).count(), 10);
    let own = || attempts.count_own_code("a session").is_ok();
    assert_eq!(until_refused(own), 5);
}

#[test]
fn a_network_that_is_looked_up_too_often_leaves_its_neighbours_theirs() {
    let attempts = Attempts::new(&SharedLimits::of_test(), None);
    let look_up = |network| attempts.may_look_up(of_one_site(network));
    assert_eq!(until_refused(|| look_up(1)), 5);
    assert!(look_up(2));
    let through = (3..1_000).filter(|&network| look_up(network)).count();
    // And those that come back meanwhile.
    assert!((14..20).contains(&through), "{through}");
}

#[test]
fn refreshes_are_counted_by_session_and_made_up_ones_by_network() {
    let attempts = Attempts::new(&SharedLimits::of_test(), None);
    let made_up = |last| attempts.count_unsigned_refresh(address(last)).is_ok();
    assert_eq!(until_refused(|| made_up(1)), 60);
    assert!(made_up(2));
    let refresh = |session| attempts.count_refresh(Uuid::from_u128(session)).is_ok();
    assert_eq!(until_refused(|| refresh(1)), 60);
    assert!(refresh(2));
}

#[test]
fn a_raised_limit_lets_that_many_through() {
    let attempts = Attempts::new(&SharedLimits::of_test(), NonZeroU32::new(5_000));
    let ann = email("ann@example.com");
    let guess = || attempts.count_stranger_password(&ann, address(1)).is_ok();
    assert_eq!(until_refused(guess), 5_000);
}
