//! Which words may be laid at the tables of a running server, and that a table records who says so.

use anyhow::{Context, Result, anyhow, bail, ensure};
use astragal_proto::content::Content;
use astragal_proto::gateway::v1::client_frame::Operation;
use astragal_proto::gateway::v1::server_frame::Event;
use astragal_proto::gateway::v1::{NewBotGame, NewFriendGame, Table};
use astragal_rules::crossword::dictionary::Dictionary;
use astragal_tests::ask;
use astragal_tests::client::{Answer, Client, Wire};
use astragal_tests::http::{Guest, Http};
use astragal_tests::program;
use astragal_tests::server::{Launch, Server};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The words that every server has.
fn english() -> Result<(PathBuf, Dictionary)> {
    built_in("english")
}

fn built_in(variant: &str) -> Result<(PathBuf, Dictionary)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../services/astragal/dictionaries");
    let file = folder.join(variant).with_extension("dict");
    let dictionary = Dictionary::from_bytes(&std::fs::read(&file)?)?;
    Ok((file, dictionary))
}

async fn whole(client: &mut Client, id: &str) -> Result<Table> {
    match client.done(ask::watch(id, None)).await? {
        Event::Table(table) => Ok(table),
        odd => bail!("{odd:?}"),
    }
}

fn content(content: Option<&Content>) -> Result<Value> {
    Ok(serde_json::from_slice(content.context("no content")?.as_json())?)
}

/// Three tiles of the own rack that are no word.
fn nonsense(table: &Table, dictionary: &Dictionary) -> Result<String> {
    let view = content(table.view.as_ref())?;
    let rack: Vec<char> =
        view["rack"].as_str().context("no rack")?.chars().filter(|tile| *tile != '?').collect();
    let triples = (0..rack.len()).flat_map(|first| {
        let others = move |one: &usize| *one != first;
        (0..rack.len()).filter(others).map(move |second| (first, second))
    });
    let mut words = triples.flat_map(|(first, second)| {
        let rest = (0..rack.len()).filter(move |third| ![first, second].contains(third));
        rest.map(move |third| [first, second, third])
    });
    let found = words.find_map(|places| {
        let word: String = places.iter().filter_map(|place| rack.get(*place)).collect();
        (!dictionary.contains(&word)).then_some(word)
    });
    found.context("every three tiles are a word")
}

fn lay(word: &str) -> Value {
    json!({ "play": { "at": "8H", "tiles": word } })
}

/// Two guests at a table of crossword.
async fn pair(url: &str, options: &Value) -> Result<([Client; 2], String)> {
    let (mut ada, _) = Client::guest(url, "Ada", Wire::Json).await?;
    let (mut blaise, _) = Client::guest(url, "Blaise", Wire::Json).await?;
    let options = Some(Content::from(options));
    let wanted = NewFriendGame { game: "crossword".into(), options, ..NewFriendGame::default() };
    let Event::Searching(searching) = ada.done(Operation::NewFriendGame(wanted)).await? else {
        bail!("no search");
    };
    blaise.done(ask::join(&searching.game_id)).await?;
    let first = whole(&mut ada, &searching.game_id).await?;
    let order = if first.your_seat.is_some_and(|seat| first.to_move.contains(&seat)) {
        [ada, blaise]
    } else {
        [blaise, ada]
    };
    Ok((order, searching.game_id))
}

async fn act(client: &mut Client, id: &str, action: &Value) -> Result<Table> {
    let revision = whole(client, id).await?.revision;
    client.done(ask::make_move(id, revision, action)).await?;
    whole(client, id).await
}

/// Crossword, bad input: a word that is not in the dictionary is refused and named, the table as it was.
#[tokio::test]
async fn crossword_words_that_are_none_are_refused() -> Result<()> {
    let (_, dictionary) = english()?;
    let server = Server::start()?;
    let ([mut first, _], id) = pair(server.url(), &json!({})).await?;
    let before = whole(&mut first, &id).await?;
    let word = nonsense(&before, &dictionary)?;
    let refusal = first.refused(ask::make_move(&id, before.revision, &lay(&word))).await?;
    ensure!(refusal.code == "ILLEGAL_MOVE" && refusal.message.contains(&word), "{refusal:?}");
    ensure!(whole(&mut first, &id).await?.view == before.view, "the table changed");
    Ok(())
}

/// Crossword, build 2: English needs nothing installed. A robot lays good words, and the finished log says
/// which dictionary judged and is judged by it again.
#[tokio::test]
async fn crossword_is_judged_by_the_english_words_inside() -> Result<()> {
    let (file, dictionary) = english()?;
    ensure!(dictionary.words() == 248_551, "{} words", dictionary.words());
    for word in ["AA", "QI", "ZA", "CWM"] {
        ensure!(dictionary.contains(word), "{word} is missing");
    }
    let server = Server::start()?;
    let (mut ada, _) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    let wanted = NewBotGame { game: "crossword".into(), level: 5, ..NewBotGame::default() };
    let Event::OnGameStart(start) = ada.done(Operation::NewBotGame(wanted)).await? else { bail!("no start") };
    let first = start.table.context("no table")?;
    let id = first.game_id.clone();
    let recorded = content(first.options.as_ref())?["dictionary"].clone();
    ensure!(recorded == json!({ "name": "scowl-80", "sha256": dictionary.sha256() }), "{recorded}");

    loop {
        let table = whole(&mut ada, &id).await?;
        if table.outcome.is_some() {
            break;
        }
        if table.your_seat.is_some_and(|seat| table.to_move.contains(&seat)) {
            ada.done(ask::make_move(&id, table.revision, &json!({ "pass": true }))).await?;
        } else {
            let news = |event| match event {
                Event::OnGameUpdate(_) | Event::OnGameEnd(_) => Some(()),
                _ => None,
            };
            ada.event_where(news).await?;
        }
    }

    let log = Http::connect(server.url()).await?.get(&format!("/v1/tables/{id}/log")).await?.text();
    ensure!(log.matches("\"play\"").count() > 5, "the robot laid nothing: {log}");
    let path = server.scratch().join("log.json");
    std::fs::write(&path, log)?;
    let (path, file) = (path.to_str().context("an odd path")?, file.to_str().context("an odd path")?);
    let judged = program::run(&["verify", path, "--dictionary", file])?;
    let said = String::from_utf8(judged.stdout)?;
    let expected = format!("words       judged again by scowl-80 {}\n", dictionary.sha256());
    ensure!(judged.status.code() == Some(0) && said.contains(&expected), "{said}");
    ensure!(!said.contains("by another"), "{said}");
    let replayed = String::from_utf8(program::run(&["verify", path])?.stdout)?;
    ensure!(replayed.contains("not judged again; give the dictionary scowl-80"), "{replayed}");
    Ok(())
}

/// Crossword, build 2: no variant needs anything installed. Its tables record the words inside, are judged by them,
/// and its robots know them.
#[tokio::test]
async fn crossword_has_words_for_every_variant_inside() -> Result<()> {
    let server = Server::start()?;
    let (mut ada, _) = Client::guest(server.url(), "Ada", Wire::Json).await?;
    for (variant, name, words, good, bad) in [
        ("english", "scowl-80", 248_551, ["QI", "CABS"], ["QX", "ЁЖ"]),
        ("russian", "hunspell-ru-nouns", 42_431, ["ЁЖ", "ОТЕЦ"], ["ДОМА", "КРАСНЫЙ"]),
        ("erudit", "hunspell-ru-nouns", 40_855, ["ЕЖ", "КОФЕ"], ["ЁЖ", "БЕЖАТЬ"]),
        ("turkish", "dictionary-tr", 309_705, ["IŞIK", "İĞNE"], ["KG", "İŞIK"]),
    ] {
        let (_, dictionary) = built_in(variant)?;
        ensure!(dictionary.words() == words, "{variant}: {} words", dictionary.words());
        ensure!(good.iter().all(|word| dictionary.contains(word)), "{variant}: {good:?}");
        ensure!(!bad.iter().any(|word| dictionary.contains(word)), "{variant}: {bad:?}");
        ensure!(dictionary.notice().len() > 500, "{variant} has no notice");

        let options = Some(Content::from(&json!({ "variant": variant })));
        let wanted = NewBotGame { game: "crossword".into(), options, level: 5, ..NewBotGame::default() };
        let Event::OnGameStart(start) = ada.done(Operation::NewBotGame(wanted)).await? else {
            bail!("no start")
        };
        let id = start.table.context("no table")?.game_id;
        let mut table = own_turn(&mut ada, &id).await?;
        let recorded = content(table.options.as_ref())?["dictionary"].clone();
        ensure!(recorded == json!({ "name": name, "sha256": dictionary.sha256() }), "{variant}: {recorded}");
        if !is_laid(&table)? {
            let word = nonsense(&table, &dictionary)?;
            let refusal = ada.refused(ask::make_move(&id, table.revision, &lay(&word))).await?;
            ensure!(
                refusal.code == "ILLEGAL_MOVE" && refusal.message.contains(&word),
                "{variant}: {refusal:?}"
            );
            // A robot whose tiles make no word exchanges them.
            for _ in 0..2 {
                if !is_laid(&table)? {
                    act(&mut ada, &id, &json!({ "pass": true })).await?;
                    table = own_turn(&mut ada, &id).await?;
                }
            }
        }
        ensure!(is_laid(&table)?, "the robot of {variant} knows no word");
        ada.done(ask::resign(&id)).await?;
    }
    Ok(())
}

/// Whether there is a letter on the board.
fn is_laid(table: &Table) -> Result<bool> {
    Ok(content(table.view.as_ref())?["board"].to_string().contains(char::is_alphabetic))
}

/// The table once its robots have moved.
async fn own_turn(client: &mut Client, id: &str) -> Result<Table> {
    loop {
        let table = whole(client, id).await?;
        if table.your_seat.is_some_and(|seat| table.to_move.contains(&seat)) {
            return Ok(table);
        }
        client.event().await?;
    }
}

/// Crossword, build 2: what a challenge leads to is the dictionary's to say.
#[tokio::test]
async fn crossword_challenges_are_decided_by_the_dictionary() -> Result<()> {
    let (_, dictionary) = english()?;
    let server = Server::start()?;
    let ([mut first, mut second], id) = pair(server.url(), &json!({ "challenge": "double" })).await?;
    let word = nonsense(&whole(&mut first, &id).await?, &dictionary)?;
    let laid = act(&mut first, &id, &lay(&word)).await?;
    act(&mut second, &id, &json!({ "challenge": true })).await?;
    let decided = loop {
        let table = whole(&mut second, &id).await?;
        if table.revision > laid.revision + 1 {
            break table;
        }
        second.event().await?;
    };
    let view = content(decided.view.as_ref())?;
    ensure!(!view["board"].to_string().contains(char::is_alphabetic), "the word stands: {view}");
    Ok(())
}

/// A start that judges new tables of English by a list of its own.
fn few(folder: &Path) -> Result<Launch> {
    let (list, file) = (folder.join("few.txt"), folder.join("few.dict"));
    std::fs::write(&list, "zzz\n")?;
    let (list, file) = (list.to_str().context("an odd path")?, file.to_str().context("an odd path")?);
    let built = program::run(&["dictionary", "build", list, "-o", file, "--alphabet", "english"])?;
    ensure!(built.status.code() == Some(0), "{built:?}");
    Ok(Launch::new()?.variable("ASTRAGAL_DICTIONARIES", &format!("english={file}")))
}

fn name(table: &Table) -> Result<Value> {
    Ok(content(table.options.as_ref())?["dictionary"]["name"].clone())
}

/// Crossword, build 2: a table is judged by the dictionary that it has recorded and by no other. It waits
/// while that is not at hand, and goes on beside a newer one.
#[tokio::test]
async fn crossword_tables_are_judged_by_the_dictionary_that_they_record() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    let pass = json!({ "pass": true });
    let mut server = Launch::new()?.data(&data).start()?;
    let mut guests = Http::connect(server.url()).await?;
    let guests = [guests.sign_up("Ada").await?, guests.sign_up("Blaise").await?];
    let mut ids = Vec::new();
    for expected in ["scowl-80", "few"] {
        let (mut ada, _) = Client::enter(server.url(), &guests[0], Wire::Json).await?;
        let (mut blaise, _) = Client::enter(server.url(), &guests[1], Wire::Json).await?;
        let wanted = NewFriendGame { game: "crossword".into(), ..NewFriendGame::default() };
        let Event::Searching(searching) = ada.done(Operation::NewFriendGame(wanted)).await? else {
            bail!("no search");
        };
        blaise.done(ask::join(&searching.game_id)).await?;
        let table = whole(&mut ada, &searching.game_id).await?;
        ensure!(name(&table)? == expected, "{table:?}");
        ids.push(searching.game_id);
        server.terminate()?;
        server = few(folder.path())?.data(&data).start()?;
    }
    // The older table goes on beside the newer dictionary.
    move_somebody(server.url(), &guests, &ids[0], &pass).await?.map_err(|refusal| anyhow!("{refusal:?}"))?;
    server.terminate()?;
    let server = Launch::new()?.data(&data).start()?;
    let refusal = move_somebody(server.url(), &guests, &ids[1], &pass).await?.err().context("it went on")?;
    ensure!(refusal.code == "UNAVAILABLE" && refusal.message.contains("dictionary"), "{refusal:?}");
    let (mut ada, _) = Client::enter(server.url(), &guests[0], Wire::Json).await?;
    ada.done(ask::resign(&ids[1])).await?;
    Ok(())
}

/// A move of whoever is to move.
async fn move_somebody(url: &str, guests: &[Guest; 2], id: &str, action: &Value) -> Result<Answer> {
    for guest in guests {
        let (mut client, _) = Client::enter(url, guest, Wire::Json).await?;
        let table = whole(&mut client, id).await?;
        if table.your_seat.is_some_and(|seat| table.to_move.contains(&seat)) {
            return client.call(ask::make_move(id, table.revision, action)).await;
        }
    }
    bail!("nobody is to move")
}

/// A file that is no dictionary, or is for another variant, keeps a server from starting, and it says why.
#[test]
fn crossword_odd_dictionaries_are_told_at_the_start() -> Result<()> {
    let (file, _) = english()?;
    let file = file.display();
    for (given, why) in [
        (format!("russian={file}"), "is for english, not for russian"),
        (format!("klingon={file}"), "no such tile set"),
        ("english".to_owned(), "write the variant and its file"),
        ("english=/nowhere/at.all".to_owned(), "cannot open /nowhere/at.all"),
        (format!("english={}", env!("CARGO_MANIFEST_PATH")), "not a dictionary"),
    ] {
        let started =
            program::run(&["dev", "--data", ":memory:", "--listen", "127.0.0.1:0", "--dictionary", &given])?;
        let said = String::from_utf8(started.stderr)?;
        ensure!(!started.status.success() && said.contains(why), "{given}: {said}");
    }
    Ok(())
}
