//! A small language for scenarios: what happens, a line each, and after `|` exactly who is told what.
//!
//! `A rematch`, `A decline` (of the newest game that is over, or `of G1`); `A again` sends the last request
//! once more, `A rematch as x` and `A decline as x` one with an id of the test's own; `A offline`, `A online` (said hello again), `A hello` (another tab, or a reload), `A leaves` (the table, before its end), `A search`,
//! `A busy`, `A joined` (says again how it came to the newest game that is over), `A opened 40` (the same of a game that it
//! opened at that second); `at 60` is a second after the first end, with all that is due done, `clock 60` without; `sweep`;
//! `end G2 resigned`, `abort G2`, `another` begins that is no rematch; `restart`, `empty`. `memory>` and `redis>` begin lines for one store only.
//! `=` is the answer to whoever asked, `:` what anyone is told besides.

use crate::house::{House, Kind, letter};
use astragal_rematch::offers::Outcome;
use astragal_runtime::id::{RequestId, TableId};
use std::collections::HashMap;

pub(crate) struct Script {
    house: House,
    requests: HashMap<usize, (RequestId, TableId)>,
    ids: HashMap<String, RequestId>,
}

/// Runs the scenario of a number on a store.
pub(crate) async fn run(text: &str, kind: Kind) {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let table = lines.next().expect("the table");
    let mut words = table.split_whitespace();
    assert_eq!(words.next(), Some("table"), "{table}");
    let levels: Vec<u8> =
        words.next().expect("levels").split(',').map(|level| level.parse().unwrap()).collect();
    let house = House::open(kind, &levels, 0).await;
    let mut script = Script { house, requests: HashMap::new(), ids: HashMap::new() };
    for line in lines {
        let line = match (line.strip_prefix("memory>"), line.strip_prefix("redis>")) {
            (Some(line), _) if kind == Kind::Memory => line.trim(),
            (_, Some(line)) if kind == Kind::Redis => line.trim(),
            (None, None) => line,
            _ => continue,
        };
        script.line(line).await;
    }
}

impl Script {
    async fn line(&mut self, line: &str) {
        let (event, expected) = line.split_once('|').unwrap_or((line, ""));
        let mut heard: Vec<String> = self.happen(event.trim()).await.into_iter().collect();
        heard.extend(self.house.heard());
        let mut expected: Vec<String> =
            expected.split(';').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
        heard.sort();
        expected.sort();
        assert_eq!(heard, expected, "{:?}: {line}", self.house.kind);
    }

    /// What happens; the answer, if somebody gets one.
    async fn happen(&mut self, event: &str) -> Option<String> {
        let words: Vec<&str> = event.split_whitespace().collect();
        match words[..] {
            ["at", second] => {
                self.house.move_clock(second.parse().unwrap());
                self.sweep().await;
            }
            ["clock", second] => self.house.move_clock(second.parse().unwrap()),
            ["sweep"] => self.sweep().await,
            ["restart"] => self.house.restart(false),
            ["empty"] => self.house.restart(true),
            ["end", game, reason] => self.end(game, reason, None).await,
            ["end", game, reason, winner] => self.end(game, reason, Some(seat(winner) as u32)).await,
            ["abort", game] => self.end(game, "aborted", None).await,
            ["another"] => self.house.another(),
            ["games", count] => {
                assert_eq!(self.house.town.games.lock().unwrap().len(), count.parse::<usize>().unwrap());
            }
            ["game", game, "first", first, "series", series] => self.game(game, first, series),
            [who, what] => return self.person(seat(who), what, RequestId::new(), self.over()).await,
            [who, what, "as", id] => {
                let request = *self.ids.entry(id.to_owned()).or_insert_with(RequestId::new);
                return self.person(seat(who), what, request, self.over()).await;
            }
            [who, "opened", second] => {
                let at = House::instant(second.parse().unwrap());
                let account = self.house.account(seat(who));
                self.house.offers(0).left(account, Some(at), Some(TableId::new())).await.expect("noted");
            }
            [who, what, "of", game] => {
                let game = self.house.id(number(game));
                return self.person(seat(who), what, RequestId::new(), game).await;
            }
            _ => panic!("what is {event:?}?"),
        }
        None
    }

    async fn person(&mut self, seat: usize, what: &str, request: RequestId, game: TableId) -> Option<String> {
        let (who, account, offers) = (letter(seat), self.house.account(seat), self.house.offers(seat));
        match what {
            "rematch" | "again" => {
                let fresh = (request, game);
                let (request, game) = if what == "again" { self.requests[&seat] } else { fresh };
                self.requests.insert(seat, (request, game));
                let answer = match offers.ask(account, request, game).await {
                    Ok(Outcome::Asked(until)) => format!("ack {}", House::seconds(until)),
                    Ok(Outcome::Started(next)) => format!("start {}", self.house.label(&next.to_string())),
                    Ok(Outcome::Ended(reason)) => reason.as_str().to_owned(),
                    Err(problem) => problem.code.as_str().to_owned(),
                };
                return Some(format!("{who} = {answer}"));
            }
            "decline" => {
                let declined = offers.decline(account, request, game).await;
                return declined.err().map(|problem| format!("{who} = {}", problem.code));
            }
            "offline" => {
                self.house.set_away(account, true);
                // Every replica hears of it.
                for replica in [0, 1] {
                    self.house.offers(replica).went_offline(account).await.expect("noted");
                }
            }
            "online" => self.house.set_away(account, false),
            "hello" => {
                let (standing, missed) = offers.came_back(account).await.expect("offers");
                let offer = standing.iter().map(|offer| {
                    let game = self.house.label(&offer.game.to_string());
                    let until = House::seconds(offer.expires_at);
                    format!("offer {game} from {} until {until}", letter(offer.from_seat.into()))
                });
                let missed = missed.iter().map(|(game, reason)| {
                    format!("ended {} {}", self.house.label(&game.to_string()), reason.as_str())
                });
                let said: Vec<String> = offer.chain(missed).collect();
                let said = if said.is_empty() { "nothing".to_owned() } else { said.join(", ") };
                return Some(format!("{who} = {said}"));
            }
            "search" => {
                self.house.note_begun(account);
                offers.left(account, None, Some(TableId::new())).await.expect("noted");
            }
            "joined" => offers.left(account, None, Some(game)).await.expect("noted"),
            // Matchmaking knows of it, and nobody has told.
            "begins" => self.house.note_begun(account),
            "busy" => self.house.set_busy(account),
            "leaves" => self.house.town.gone.lock().unwrap().push(seat as u32),
            "shows" => {
                let standing = offers.standing(game, Some(account)).await.expect("a standing");
                let word = if standing.word.is_empty() { "nothing" } else { standing.word };
                let until = standing.until.map(|until| format!(" until {}", House::seconds(until)));
                return Some(format!("{who} = {word}{}", until.unwrap_or_default()));
            }
            _ => panic!("what is {what:?}?"),
        }
        None
    }

    async fn sweep(&self) {
        for replica in [0, 1] {
            self.house.offers(replica).sweep(100).await.expect("a sweep");
        }
    }

    async fn end(&self, game: &str, reason: &str, winner: Option<u32>) {
        let reasons = ["finished", "time", "resigned", "left", "aborted", "crashed"];
        let reason = reasons.into_iter().find(|known| *known == reason).expect("a reason");
        self.house.end(number(game), reason, winner).await;
        self.house.watch(number(game)).await;
    }

    /// The newest game that is over.
    fn over(&self) -> TableId {
        let games = self.house.town.games.lock().unwrap();
        let over = games.iter().rev().find(|game| game.ended.is_some_and(|(reason, ..)| reason != "aborted"));
        over.unwrap_or(&games[0]).id
    }

    fn game(&self, game: &str, first: &str, series: &str) {
        let games = self.house.town.games.lock().unwrap();
        let (this, of_first) = (&games[number(game)], games[0].series_id);
        assert_eq!(this.first_seat as usize, seat(first), "who moves first in {game}");
        let label = |id: &str| {
            let place = games.iter().position(|known| known.id.to_string() == id).expect("a game");
            format!("G{}", place + 1)
        };
        let before: Vec<String> = this.series.iter().map(|game| label(&game.game_id)).collect();
        assert_eq!(before.join("+"), series, "the series of {game}");
        assert_eq!(this.series_id, of_first, "one series");
    }
}

fn seat(who: &str) -> usize {
    usize::from(who.as_bytes()[0] - b'A')
}

fn number(game: &str) -> usize {
    game[1..].parse::<usize>().expect("a number") - 1
}
