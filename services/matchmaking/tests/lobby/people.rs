//! Names of one's own, passwords, and sessions that are ended.

use std::time::Duration;

use astragal_matchmaking::settings::{Pace, Settings};
use astragal_proto::matchmaking::v1::account_event::Kind;
use astragal_proto::matchmaking::v1::{
    AccountChanged, ChangePasswordRequest, CreateGuestRequest, DeleteAccountRequest, EndSessionsRequest,
    GetProfilesRequest, NameAccountRequest, OpenSessionRequest, Profile, RenewSessionRequest,
};
use astragal_runtime::bus::{BusReceiver, Delivery, Message, Topic};
use astragal_runtime::clock::Clock;
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::id::AccountId;
use tonic::{Response, Status};

use crate::world::{Answer, World};

const PASSWORD: &str = "correct horse battery";

fn answer<T>(answer: Result<Response<T>, Status>) -> Answer<T> {
    answer.map(Response::into_inner).map_err(Problem::from)
}

async fn take(world: &World, account: &str, name: &str, password: &str) -> Answer<String> {
    let request =
        NameAccountRequest { account_id: account.into(), name: name.into(), password: password.into() };
    answer(world.accounts().name_account(request).await).map(|named| named.token)
}

async fn sign_in(world: &World, name: &str, password: &str) -> Answer<(String, String)> {
    sign_in_from(world, "", name, password).await
}

async fn sign_in_from(world: &World, address: &str, name: &str, password: &str) -> Answer<(String, String)> {
    let (name, password, address) = (name.into(), password.into(), address.into());
    let request = OpenSessionRequest { name, password, address };
    answer(world.accounts().open_session(request).await).map(|opened| (opened.account_id, opened.token))
}

async fn change_password(world: &World, account: &str, old: &str, new: &str) -> Answer<String> {
    let request = ChangePasswordRequest {
        account_id: account.into(),
        old_password: old.into(),
        new_password: new.into(),
    };
    answer(world.accounts().change_password(request).await).map(|changed| changed.token)
}

async fn profile(world: &World, account: &str) -> Profile {
    let request = GetProfilesRequest { account_ids: vec![account.into()] };
    answer(world.accounts().get_profiles(request).await).expect("profiles").profiles.remove(0)
}

fn epoch(world: &World, token: &str) -> u32 {
    world.key.verifier().verify(token, world.clock.now()).expect("claims").epoch
}

fn code<T>(answer: Answer<T>) -> Option<Code> {
    answer.err().map(|problem| problem.code)
}

/// What the gateways of an account's sockets are told.
async fn listen(world: &World, account: &str) -> BusReceiver {
    let (subscriber, receiver) = world.bus.connect(100);
    subscriber.subscribe(Topic::Account(account.parse().expect("an id"))).await;
    receiver
}

async fn change(receiver: &mut BusReceiver) -> AccountChanged {
    loop {
        if let Some(Delivery::Message(_, Message::Account(event))) = receiver.recv().await
            && let Some(Kind::Changed(changed)) = &event.kind
        {
            return changed.clone();
        }
    }
}

#[tokio::test]
async fn g8_a_guest_takes_a_name_and_comes_back_at_any_replica() {
    let world = World::new().await;
    let ada = world.guest("somebody").await;
    let mut news = listen(&world, &ada).await;
    take(&world, &ada, "İpek", PASSWORD).await.expect("named");
    assert_eq!(
        change(&mut news).await,
        AccountChanged { name: "İpek".into(), session_epoch: 0, deleted: false }
    );
    assert_eq!(profile(&world, &ada).await.name, "İpek");
    let other = world.again(2).await;
    for name in ["İpek", "ipek", "IPEK"] {
        assert_eq!(sign_in(&other, name, PASSWORD).await.expect("a session").0, ada, "{name}");
    }
    take(&other, &ada, "ipek", PASSWORD).await.expect("whoever did not hear the answer asks again");
    assert_eq!(code(take(&other, &ada, "ipek", "another password").await), Some(Code::NameTaken));
    assert_eq!(code(take(&other, &ada, "Somebody Else", PASSWORD).await), Some(Code::FailedPrecondition));
    let bob = world.guest("Bob").await;
    assert_eq!(code(take(&other, &bob, "ipek", PASSWORD).await), Some(Code::NameTaken));
    assert_eq!(
        code(take(&other, &AccountId::new().to_string(), "New", PASSWORD).await),
        Some(Code::Unauthenticated)
    );
    let guest = CreateGuestRequest { name: "İPEK".into() };
    assert_eq!(code(answer(world.accounts().create_guest(guest).await)), Some(Code::NameTaken));
}

#[tokio::test]
async fn g8_whether_name_or_password_is_wrong_does_not_show() {
    let world = World::new().await;
    let ada = world.guest("somebody").await;
    take(&world, &ada, "Ada", PASSWORD).await.expect("named");
    let wrong_password = sign_in(&world, "Ada", "wrong horse").await;
    assert_eq!(code(wrong_password.clone()), Some(Code::Unauthenticated));
    for (name, password) in [("Nobody", PASSWORD), ("Nobody", ""), ("a\u{0}b", PASSWORD), ("", "")] {
        assert_eq!(sign_in(&world, name, password).await, wrong_password, "{name}");
    }
}

#[tokio::test]
async fn g8_g2_a_session_that_was_ended_is_not_renewed() {
    let world = World::new().await;
    let ada = world.guest("somebody").await;
    take(&world, &ada, "Ada", PASSWORD).await.expect("named");
    let renew = |session_epoch| {
        let request = RenewSessionRequest { account_id: ada.clone(), session_epoch };
        let mut accounts = world.accounts();
        async move { answer(accounts.renew_session(request).await).map(|renewed| renewed.token) }
    };
    assert_eq!(epoch(&world, &renew(0).await.expect("renewed")), 0);
    let mut news = listen(&world, &ada).await;
    answer(world.accounts().end_sessions(EndSessionsRequest { account_id: ada.clone() }).await)
        .expect("ended");
    assert_eq!(change(&mut news).await.session_epoch, 1);
    assert_eq!(code(renew(0).await), Some(Code::Unauthenticated));
    let (_, token) = sign_in(&world, "Ada", PASSWORD).await.expect("a session");
    assert_eq!(epoch(&world, &token), 1);
    assert_eq!(epoch(&world, &renew(1).await.expect("renewed")), 1);

    let request = DeleteAccountRequest { account_id: ada.clone() };
    answer(world.accounts().delete_account(request).await).expect("deleted");
    let gone = change(&mut news).await;
    assert_eq!((&*gone.name, gone.session_epoch, gone.deleted), ("Former player", 2, true));
    for epoch in 0..3 {
        assert_eq!(code(renew(epoch).await), Some(Code::Unauthenticated));
    }
    assert_eq!(code(sign_in(&world, "Ada", PASSWORD).await), Some(Code::Unauthenticated));
    let shown = profile(&world, &ada).await;
    assert_eq!((&*shown.name, shown.deleted), ("Former player", true));
}

#[tokio::test]
async fn g8_g2_who_knows_the_password_changes_it_and_other_sessions_end() {
    const NEW: &str = "staple battery horse";
    let world = World::new().await;
    let other = world.again(2).await;
    let ada = world.guest("somebody").await;
    take(&world, &ada, "Ada", PASSWORD).await.expect("named");
    for (old, new, expected) in [
        ("wrong horse", NEW, Code::PermissionDenied),
        ("", NEW, Code::PermissionDenied),
        (PASSWORD, "short", Code::InvalidArgument),
    ] {
        assert_eq!(code(change_password(&world, &ada, old, new).await), Some(expected), "{old} {new}");
    }
    assert_eq!(profile(&world, &ada).await.session_epoch, 0, "nothing has changed so far");

    let mut news = listen(&world, &ada).await;
    let token = change_password(&world, &ada, PASSWORD, NEW).await.expect("changed");
    assert_eq!(epoch(&world, &token), 1, "the answer's session counts");
    assert_eq!(
        change(&mut news).await,
        AccountChanged { name: "Ada".into(), session_epoch: 1, deleted: false }
    );
    let again = change_password(&other, &ada, PASSWORD, NEW).await.expect("a call that was sent twice");
    assert_eq!(epoch(&world, &again), 1, "is done once");
    assert_eq!(code(sign_in(&other, "Ada", PASSWORD).await), Some(Code::Unauthenticated));
    assert_eq!(sign_in(&other, "Ada", NEW).await.expect("a session").0, ada);
}

#[tokio::test]
async fn g8_nobody_changes_a_password_that_is_not_theirs() {
    let world = World::new().await;
    let (ada, guest) = (world.guest("somebody").await, world.guest("Ada").await);
    take(&world, &ada, "Ada", PASSWORD).await.expect("named");
    let refused = change_password(&world, &guest, PASSWORD, "staple battery horse").await;
    assert_eq!(code(refused), Some(Code::FailedPrecondition), "a guest who is called the same");
    let nobody = AccountId::new().to_string();
    assert_eq!(code(change_password(&world, &nobody, PASSWORD, PASSWORD).await), Some(Code::Unauthenticated));
    assert_eq!(sign_in(&world, "Ada", PASSWORD).await.expect("a session").0, ada);
}

#[tokio::test]
async fn g6_attempts_under_a_name_are_counted_over_all_replicas() {
    let world = World::new().await;
    let other = world.again(2).await;
    for attempt in 0..5 {
        for replica in [&world, &other] {
            let refused = sign_in(replica, "Nobody", "wrong horse").await;
            assert_eq!(code(refused), Some(Code::Unauthenticated), "{attempt}");
        }
    }
    let restarted = world.again(3).await;
    for replica in [&world, &other, &restarted] {
        assert_eq!(code(sign_in(replica, "NOBODY", "wrong horse").await), Some(Code::RateLimited));
    }
    world.clock.advance(chrono::Duration::seconds(30));
    assert_eq!(code(sign_in(&other, "Nobody", "wrong horse").await), Some(Code::Unauthenticated));
    assert_eq!(code(sign_in(&world, "Nobody", "wrong horse").await), Some(Code::RateLimited));
}

/// Whoever tries a name keeps its owner out nowhere else; only many who try it together do, and not for long.
#[tokio::test]
async fn g6_wrong_passwords_from_one_address_keep_nobody_out_elsewhere() {
    let sign_ins_per_name = Pace { burst: 40, every: Duration::from_secs(5) };
    let world = World::with([1; 32], Settings { sign_ins_per_name, ..Settings::default() }).await;
    let (ada, eve) = (world.guest("somebody").await, world.guest("Eve").await);
    take(&world, &ada, "Ada", PASSWORD).await.expect("named");
    let refusal = async |address: &str| sign_in_from(&world, address, "Ada", "wrong horse").await.err();
    for _ in 0..10 {
        assert_eq!(refusal("192.0.2.1").await.map(|problem| problem.code), Some(Code::Unauthenticated));
        assert_eq!(code(take(&world, &eve, "Ada", "wrong horse").await), Some(Code::NameTaken));
    }
    let refused = refusal("192.0.2.1").await.expect("one too many");
    assert_eq!(refused.code, Code::RateLimited);
    assert!(refused.message.contains("again in 31 seconds"), "{refused}");
    assert_eq!(code(take(&world, &eve, "Ada", "wrong horse").await), Some(Code::RateLimited));
    assert_eq!(sign_in_from(&world, "192.0.2.2", "Ada", PASSWORD).await.expect("a session").0, ada);
    change_password(&world, &ada, PASSWORD, PASSWORD).await.expect("whoever has a session is somebody else");

    let mut counted = 0;
    while refusal(&format!("2001:db8::{counted}")).await.is_some_and(|it| it.code == Code::Unauthenticated) {
        counted += 1;
        assert!(counted < 40, "there is a bound over all addresses");
    }
    // Before: ten from one address, ten of one guest, and two of the owner.
    assert_eq!(counted, 40 - 22);
    world.clock.advance(chrono::Duration::seconds(5));
    sign_in_from(&world, "192.0.2.3", "Ada", PASSWORD).await.expect("soon again");
}
