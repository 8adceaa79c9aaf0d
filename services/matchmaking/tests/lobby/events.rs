//! Who is told what, and what the list of open games shows.

use astragal_proto::matchmaking::v1::{account_event, lobby_event};
use astragal_runtime::bus::{BusReceiver, Delivery, Message, Topic};
use astragal_runtime::id::AccountId;

use crate::world::{Game, KALAH, World};

/// Everything that has been told so far, in a word each.
pub(crate) async fn told(world: &World, receiver: &mut BusReceiver) -> Vec<String> {
    // A message of our own marks the end of what was told before.
    world.bus.publish(Topic::Lobby, &Message::Lobby(std::sync::Arc::default()));
    let mut words = Vec::new();
    while let Some(Delivery::Message(_, message)) = receiver.recv().await {
        match message {
            Message::Account(event) => {
                let Some(account_event::Kind::GameStarted(started)) = &event.kind else { panic!("no start") };
                words.push(format!("started {} {}", event.account_id, started.game_id));
            }
            Message::Lobby(event) => match &event.kind {
                Some(lobby_event::Kind::Opened(game)) => {
                    words.push(format!("opened {} {}", game.game_id, game.account_ids.len()));
                }
                Some(lobby_event::Kind::Closed(game)) => words.push(format!("closed {}", game.game_id)),
                None => return words,
            },
            Message::Table(_) | Message::Draw(_) => panic!("the lobby tells of itself alone"),
        }
    }
    panic!("the mark is missing");
}

/// A connection that hears of the lobby and of some accounts.
pub(crate) async fn listen(world: &World, accounts: &[&str]) -> BusReceiver {
    let (subscriber, receiver) = world.bus.connect(100);
    subscriber.subscribe(Topic::Lobby).await;
    for account in accounts {
        subscriber.subscribe(Topic::Account(AccountId::parse("account", account).expect("an id"))).await;
    }
    receiver
}

#[tokio::test]
async fn everyone_who_sits_down_is_told_once() {
    let world = World::new().await;
    let (ada, bob, eve) = (world.guest("Ada").await, world.guest("Bob").await, world.guest("Eve").await);
    let mut receiver = listen(&world, &[&ada, &bob, &eve]).await;
    let three = Game("parlour", 3);
    let game = world.find(&ada, three).await.expect("a game").game_id;
    assert_eq!(
        told(&world, &mut receiver).await,
        [format!("started {ada} {game}"), format!("opened {game} 1")]
    );
    world.find(&bob, three).await.expect("a game");
    assert_eq!(
        told(&world, &mut receiver).await,
        [format!("started {bob} {game}"), format!("opened {game} 2")]
    );
    world.join(&eve, &game).await.expect("joined");
    assert_eq!(
        told(&world, &mut receiver).await,
        [format!("started {eve} {game}"), format!("closed {game}")]
    );
}

#[tokio::test]
async fn friends_and_robots_are_not_listed() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let mut receiver = listen(&world, &[&ada, &bob]).await;
    let link = world.friends(&ada, &[], KALAH).await.expect("a game");
    assert_eq!(told(&world, &mut receiver).await, [format!("started {ada} {link}")]);
    world.cancel(&ada, &link).await.expect("cancelled");
    assert!(told(&world, &mut receiver).await.is_empty());

    let named = world.friends(&ada, &[&bob], KALAH).await.expect("a game");
    let mut both = told(&world, &mut receiver).await;
    both.sort();
    let mut expected = [format!("started {ada} {named}"), format!("started {bob} {named}")];
    expected.sort();
    assert_eq!(both, expected);
    let robot = world.robots(&bob, 1, KALAH).await.expect("a game");
    assert_eq!(told(&world, &mut receiver).await, [format!("started {bob} {robot}")]);
}

#[tokio::test]
async fn the_list_shows_what_can_be_joined_and_ones_own() {
    let world = World::new().await;
    let (ada, bob) = (world.guest("Ada").await, world.guest("Bob").await);
    let mut receiver = listen(&world, &[]).await;
    let listed = world.find(&ada, KALAH).await.expect("a game").game_id;
    let link = world.friends(&ada, &[], KALAH).await.expect("a game");

    let open = world.open_games("").await;
    assert_eq!(open.len(), 1);
    assert_eq!((&open[0].game_id, &open[0].account_ids, open[0].listed), (&listed, &vec![ada.clone()], true));
    assert_eq!((open[0].seats, open[0].variant.as_str()), (2, "standard"));
    let mut mine: Vec<_> = world.open_games(&ada).await.into_iter().map(|game| game.game_id).collect();
    mine.sort();
    assert_eq!(mine, [listed.clone(), link]);
    assert!(world.open_games(&bob).await.is_empty());

    world.cancel(&ada, &listed).await.expect("cancelled");
    assert!(world.open_games("").await.is_empty());
    assert_eq!(told(&world, &mut receiver).await, [format!("opened {listed} 1"), format!("closed {listed}")]);
}
