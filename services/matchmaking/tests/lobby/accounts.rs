//! Guests, their sessions and everyone's names.

use astragal_proto::matchmaking::v1::{CreateGuestRequest, GetProfilesRequest};
use astragal_runtime::auth::Role;
use astragal_runtime::clock::Clock;
use astragal_runtime::error::{Code, Problem};
use astragal_runtime::id::{AccountId, robot_account};
use chrono::Duration;

use crate::world::World;

#[tokio::test]
async fn g2_a_guest_gets_a_session_of_thirty_days() {
    let world = World::new().await;
    let request = CreateGuestRequest { name: " Ada ".into() };
    let guest = world.accounts().create_guest(request).await.expect("a guest").into_inner();
    assert_eq!(guest.name, "Ada");

    let claims = world.key.verifier().verify(&guest.token, world.clock.now()).expect("claims");
    assert_eq!((claims.account.to_string(), claims.role), (guest.account_id, Role::Player));
    assert_eq!(claims.expires_at, world.clock.now() + Duration::days(30));
    assert_eq!(guest.expires_at, Some(claims.expires_at.into()));
}

#[tokio::test]
async fn g8_a_guest_may_be_nameless_but_not_unreadable() {
    let world = World::new().await;
    let guest = world.accounts().create_guest(CreateGuestRequest::default()).await.expect("a guest");
    assert!(guest.into_inner().name.starts_with("Guest "));
    let refused = world.accounts().create_guest(CreateGuestRequest { name: "a\u{7}".into() }).await;
    assert_eq!(refused.map_err(|status| Problem::from(status).code).err(), Some(Code::InvalidArgument));
}

#[tokio::test]
async fn profiles_are_of_the_accounts_that_exist() {
    let world = World::new().await;
    let ada = world.guest("Ada").await;
    let ids = [ada.clone(), AccountId::new().to_string(), robot_account(5).to_string()];
    let request = GetProfilesRequest { account_ids: ids.into() };
    let mut profiles = world.accounts().get_profiles(request).await.expect("profiles").into_inner().profiles;
    profiles.sort_by_key(|profile| profile.robot_level);
    let found: Vec<_> = profiles.iter().map(|profile| (profile.name.as_str(), profile.robot_level)).collect();
    assert_eq!(found, [("Ada", 0), ("Robot 5", 5)]);

    for ids in [vec!["nobody".to_owned()], vec![ada; 101]] {
        let refused = world.accounts().get_profiles(GetProfilesRequest { account_ids: ids }).await;
        assert_eq!(refused.map_err(|status| Problem::from(status).code).err(), Some(Code::InvalidArgument));
    }
}
