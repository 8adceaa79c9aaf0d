//! Who watches, counted over gateways that are processes of their own.

use super::{Pair, embedded};
use anyhow::{Context, Result, ensure};
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{Table, Unwatch};
use astragal_support::redis::Redis;
use astragal_tests::ask;
use astragal_tests::client::{Client, Wire};
use astragal_tests::http::Http;
use astragal_tests::roles::{Plan, Roles};
use astragal_tests::server::Server;

/// Reads until a client was told of so many viewers.
async fn told(client: &mut Client, game_id: &str, viewers: u32) -> Result<()> {
    let heard = client.event_where(|event| match event {
        Event::OnViewers(told) if told.game_id == game_id && told.viewers == viewers => Some(()),
        _ => None,
    });
    heard.await.with_context(|| format!("{viewers} viewers were expected"))
}

/// Every viewer counts once, wherever they are connected, and no player counts, however many tabs they have.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g5_viewers_of_one_table_are_counted_over_two_gateways() -> Result<()> {
    let redis = Redis::start();
    let mut roles = Roles::start(&Plan { redis_url: Some(redis.url()), ..embedded(1, 2) })?;
    let Pair { clients: [mut ada, mut blaise], guests, players } = Pair::seat(&roles).await?;
    let id = players[0].id().to_owned();
    let urls: Vec<_> = roles.gateways.iter().map(|gateway| gateway.url().to_owned()).collect();

    let mut here = Client::guest(&urls[0], "Cleo", Wire::Json).await?.0;
    here.done(ask::watch(&id, None)).await?;
    for player in [&mut ada, &mut blaise] {
        told(player, &id, 1).await?;
    }
    let mut there = Vec::new();
    for name in ["Dora", "Emil"] {
        let mut client = Client::guest(&urls[1], name, Wire::Binary).await?.0;
        client.done(ask::watch(&id, None)).await?;
        there.push(client);
    }
    let mut tab = Client::enter(&urls[1], &guests[0], Wire::Json).await?.0;
    tab.done(ask::watch(&id, None)).await?;
    for client in [&mut ada, &mut blaise, &mut here, &mut there[0], &mut tab] {
        told(client, &id, 3).await?;
    }
    for url in &urls {
        let shown: Table = Http::connect(url).await?.get(&format!("/v1/tables/{id}")).await?.json()?;
        ensure!(shown.viewers == Some(3), "{url} shows {:?} viewers", shown.viewers);
    }

    there[0].done(Operation::Unwatch(Unwatch { game_id: id.clone() })).await?;
    told(&mut ada, &id, 2).await?;
    // A gateway that is killed takes its viewers with it, once its lease is over.
    roles.gateways.last_mut().map(Server::kill).transpose()?;
    told(&mut ada, &id, 1).await?;
    here.close().await?;
    told(&mut ada, &id, 0).await
}
