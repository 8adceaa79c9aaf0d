//! Names of one's own, sessions that end, and accounts that are deleted. Part of [`super::conformance`].

use super::MatchmakingStore;
use super::conformance::Bench;
use crate::accounts::Naming;
use crate::error::LobbyError;
use crate::name::FORMER;
use crate::name::keys::NameKeys;
use crate::name::own::OwnName;
use astragal_runtime::clock::Clock;
use astragal_runtime::id::{AccountId, robot_account};

/// Every check in turn.
pub(super) async fn suite<S: MatchmakingStore>(bench: &Bench<S>) {
    g8_a_name_is_one_accounts_own(bench).await;
    g8_of_two_who_take_a_name_at_once_one_gets_it(bench).await;
    g8_of_two_who_change_a_password_at_once_one_does(bench).await;
    g8_a_deleted_account_is_a_row_without_a_person(bench).await;
}

pub(super) fn naming(account: AccountId, name: &str) -> Naming {
    let name = OwnName::read(name).expect("a name");
    Naming { account, name, password_hash: format!("hash of {account}") }
}

async fn g8_a_name_is_one_accounts_own<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    let keys = NameKeys::of("Işıl Ada");
    assert!(!bench.store.is_name_taken(&keys).await.expect("an answer"));
    assert!(bench.store.credentials(&keys.folded).await.expect("an answer").is_none());

    let named = bench.store.name_account(&naming(ada, "Işıl Ada")).await.expect("named");
    assert_eq!((named.id, &*named.name, named.session_epoch, named.deleted), (ada, "Işıl Ada", 0, false));
    let (found, hash) = bench.store.credentials(&keys.folded).await.expect("an answer").expect("hers");
    assert_eq!((found, hash), (named, format!("hash of {ada}")));
    for alike in ["IŞIL ADA", "işil-ada"] {
        assert!(bench.store.is_name_taken(&NameKeys::of(alike)).await.expect("an answer"), "{alike}");
        let refused = bench.store.name_account(&naming(bob, alike)).await;
        assert!(matches!(refused, Err(LobbyError::NameTaken)), "{alike}: {refused:?}");
    }
    bench.store.name_account(&naming(bob, "Ian A")).await.expect("named");
    let refused = bench.store.name_account(&naming(bench.person().await, "lanA")).await;
    assert!(matches!(refused, Err(LobbyError::NameTaken)), "it looks the same: {refused:?}");

    let refused = bench.store.name_account(&naming(ada, "Another")).await;
    assert!(matches!(refused, Err(LobbyError::AlreadyNamed)), "{refused:?}");
    for nobody in [AccountId::new(), robot_account(1)] {
        let refused = bench.store.name_account(&naming(nobody, "Another")).await;
        assert!(matches!(refused, Err(LobbyError::UnknownAccount)), "{refused:?}");
    }
}

async fn g8_of_two_who_take_a_name_at_once_one_gets_it<S: MatchmakingStore>(bench: &Bench<S>) {
    for race in 0..10 {
        let (one, other) = (bench.person().await, bench.person().await);
        let (first, second) =
            (naming(one, &format!("Racer {race}")), naming(other, &format!("RACER-{race}")));
        let (first, second) =
            tokio::join!(bench.store.name_account(&first), bench.store.name_account(&second));
        let taken = [first, second].into_iter().filter(|named| matches!(named, Err(LobbyError::NameTaken)));
        assert_eq!(taken.count(), 1);
    }
}

async fn g8_of_two_who_change_a_password_at_once_one_does<S: MatchmakingStore>(bench: &Bench<S>) {
    let (store, ada) = (&bench.store, bench.person().await);
    let named = naming(ada, "Changer");
    assert_eq!(store.change_password(ada, &named.password_hash, "new").await.expect("an answer"), None);
    store.name_account(&named).await.expect("named");
    let change = |after| store.change_password(ada, &named.password_hash, after);
    let (one, other) = tokio::join!(change("one"), change("other"));
    let changed = [one.expect("an answer"), other.expect("an answer")];
    let won: Vec<_> = ["one", "other"].into_iter().zip(&changed).filter(|(_, done)| done.is_some()).collect();
    let [(hash, Some(account))] = won[..] else { panic!("one of them: {changed:?}") };
    assert_eq!(account.session_epoch, 1);
    let kept = store.credentials(&named.name.keys.folded).await.expect("an answer");
    assert_eq!(kept, Some((account.clone(), hash.to_owned())));
}

async fn g8_a_deleted_account_is_a_row_without_a_person<S: MatchmakingStore>(bench: &Bench<S>) {
    let (ada, bob) = (bench.person().await, bench.person().await);
    bench.store.name_account(&naming(ada, "Gone Soon")).await.expect("named");
    let game = bench.find("deletion", ada).await.expect("opened");
    assert_eq!(
        bench.store.end_sessions(ada).await.expect("ended").map(|account| account.session_epoch),
        Some(1)
    );

    let now = bench.clock.now();
    let deleted = bench.store.delete_account(ada, FORMER, now).await.expect("an answer").expect("hers");
    assert_eq!((&*deleted.name, deleted.session_epoch, deleted.deleted), (FORMER, 2, true));
    assert!(!deleted.admits(2) && !deleted.admits(1));
    assert_eq!(bench.store.accounts(&[ada]).await.expect("accounts"), [deleted]);
    assert!(bench.store.credentials(&NameKeys::of("Gone Soon").folded).await.expect("an answer").is_none());
    assert_eq!(bench.store.delete_account(ada, FORMER, now).await.expect("an answer"), None);
    assert_eq!(bench.store.end_sessions(ada).await.expect("an answer"), None);
    assert_eq!(bench.store.end_sessions(robot_account(1)).await.expect("an answer"), None);

    let refused = bench.find("deletion again", ada).await;
    assert!(matches!(refused, Err(LobbyError::UnknownAccount)), "{refused:?}");
    assert_eq!(bench.waiting_of(ada).await, [game.id]);
    let overdue = bench.store.overdue(chrono::DateTime::UNIX_EPOCH, 100).await.expect("games");
    assert_eq!(overdue, [game.id], "nobody comes back for it");
    bench.store.name_account(&naming(bob, "gone soon")).await.expect("the name is free");
}
