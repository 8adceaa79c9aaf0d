//! Redis as the build of 30 November left it, in the middle of a rolling restart.

use crate::house::{House, Kind, REDIS, store_of};
use astragal_rematch::offers::Outcome;
use astragal_runtime::id::{RequestId, TableId};
use redis::{AsyncTypedCommands, Client};

/// What that build kept is not read, but made up for by the first ask, as if Redis had been emptied; a request that
/// stood is asked once more, and what nobody takes out any more goes by itself.
#[tokio::test]
async fn r1_a_rematch_that_an_older_build_kept_is_rebuilt_by_the_first_ask() {
    let mut house = House::open(Kind::Redis, &[0, 0], 0).await;
    house.end(0, "finished", Some(0)).await;
    let (game, ada, bob) = (house.id(0), house.account(0), house.account(1));
    let prefix = TableId::new().to_string();
    let key = |name: &str| format!("{{{prefix}:rematch}}:{name}");
    let client = Client::open(REDIS.url()).expect("an address");
    let mut redis = client.get_multiplexed_async_connection().await.expect("a connection");
    redis.set(key(&format!("entry:{}", game.0.simple())), &b"3\x86\xa4game"[..]).await.expect("kept");
    for account in [ada, bob] {
        let name = key(&format!("account:{}", account.0.simple()));
        redis.set(name, &game.0.as_bytes()[..]).await.expect("kept");
    }
    redis.zadd(key("deadlines"), &game.0.as_bytes()[..], 0).await.expect("kept");
    redis.set(key("outbox"), "letters").await.expect("kept");
    house.restart_on(store_of(prefix.clone()));

    assert_eq!(house.offers(0).came_back(bob).await.expect("offers").0, [], "nothing stands");
    house.offers(0).sweep(100).await.expect("a sweep");
    let asked = house.offers(1).ask(ada, RequestId::new(), game).await.expect("an answer");
    assert!(matches!(asked, Outcome::Asked(_)), "{asked:?}");
    assert_eq!(house.heard(), ["B: request G1 from A until 60"]);
    let accepted = house.offers(0).ask(bob, RequestId::new(), game).await.expect("an answer");
    assert_eq!(accepted, Outcome::Started(house.id(1)));
    for name in ["deadlines", "outbox"] {
        let goes = redis.pttl(key(name)).await.expect("an answer");
        assert!(matches!(goes, redis::IntegerReplyOrNoOp::IntegerReply(_)), "{name} stays: {goes:?}");
    }
}
