//! Certificates of random games, and their chain computed by hand.

use crate::toys::played::{Played, Setting};
use crate::toys::random::{Whim, next_move};
use crate::toys::{NoTwins, registry};
use astragal_rules::canonical::canonical;
use astragal_rules::certificate::draw::{DrawRecord, PickRecord};
use astragal_rules::certificate::journal::{Event, Record};
use astragal_rules::certificate::{Certificate, ClockRecord, SeriesGame, SeriesRecord};
use astragal_rules::draw::Draw;
use astragal_rules::seat::Seat;
use astragal_rules::tile_set::TileSet;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// A game with moves taken back, as its journal and its certificate have it.
pub fn certified(setting: Setting, number: u64, moves_max: usize) -> Certificate {
    let mut played = Played::open(&registry(), setting);
    let mut whim = Whim::new(number);
    let mut events = Vec::new();
    let last = setting.seats - 1;
    for seat in Seat::all(setting.seats) {
        let sitter =
            if seat.0 == last { json!({"kind":"robot","level":3}) } else { json!({"kind":"player"}) };
        let runs = running(&played).filter(|_| seat.0 == last);
        events.push((Event::SeatTaken { seat, sitter: serde_json::from_value(sitter).unwrap() }, None, runs));
    }
    events.push((Event::ClockStopped { reason: "outage".to_owned() }, None, None));
    events.push((Event::ClockResumed {}, None, running(&played)));
    while played.now().outcome().is_none() {
        let ran = running(&played);
        if moves_max == 0 {
            played.decree(r#"{"aborted":null}"#);
        } else if played.moves().len() >= moves_max {
            let gives_up = played.now().turn().order[0];
            played.decree(&format!(r#"{{"resigned":{gives_up}}}"#));
        } else {
            let (seat, action) = next_move(played.now(), &mut whim);
            // Whose clock stands does not run out of time.
            let others =
                action.contains("time") && ran.is_none_or(|seat| action != format!(r#"{{"time":{seat}}}"#));
            if others || played.step(seat, &action, &NoTwins).is_err() {
                continue;
            }
        }
        let made = played.moves().last().unwrap();
        let event = Event::Move {
            number: made.number,
            seat: made.seat,
            action: serde_json::from_str(&made.action).unwrap(),
            drew: made.drew,
        };
        events.push((event, Some(digest_of(&played)), running(&played)));
        let number = made.number;
        if whim.once_in(4) && played.undo(None).is_ok() {
            events.push((Event::Undo { number, seat: None }, Some(digest_of(&played)), running(&played)));
        }
    }
    let outcome = played.now().outcome().unwrap().clone();
    let opening = played.now().opening();
    let mut ran = None;
    let record = |(revision, (event, state, runs))| Record {
        revision,
        at_us: 1_790_000_000_000_000 + i64::from(revision),
        event,
        state,
        spent_us: if std::mem::replace(&mut ran, runs).is_some() { 1_500 } else { 0 },
        credit_us: if runs.is_some() { 20 } else { 0 },
        runs,
    };
    Certificate {
        log: played.finished(),
        commitment: played.log().commitment(),
        clock: Some(ClockRecord::Total { initial_ms: 300_000, increment_ms: 0 }),
        draw: (setting.seats > 1 && setting.first_seat == 0).then(|| drawn("english", setting.seats, number)),
        series: SeriesRecord { id: Some(Uuid::from_u128(5)), games: vec![SeriesGame::of(opening, &outcome)] },
        opened_at_us: 1_790_000_000_000_000,
        outcome,
        journal: (1..).zip(events).map(record).collect(),
    }
}

/// The seat whose clock runs once everybody sits.
pub fn running(played: &Played) -> Option<Seat> {
    played.now().turn().to_move().next()
}

pub fn digest_of(played: &Played) -> String {
    hex::encode(Sha256::digest(played.state()))
}

/// A draw whose entropies come from a number.
fn drawn(tile_set: &str, seats: u8, number: u64) -> DrawRecord {
    let mut count = 0_u64;
    let entropy = || {
        count += 1;
        Ok::<[u8; 32], ()>(Sha256::digest([number.to_le_bytes(), count.to_le_bytes()].concat()).into())
    };
    let decision = Draw::run(TileSet::named(tile_set).unwrap(), seats, entropy).unwrap();
    let pick = |pick: &astragal_rules::draw::round::Pick| PickRecord {
        participant: pick.participant,
        seat: decision.seat_of(pick.participant),
        letter: pick.letter.clone(),
        blank: pick.blank,
        rank: pick.rank,
        recorded: false,
        entropy_sha256: Some(pick.entropy_sha256()),
        entropy: Some(hex::encode(pick.entropy)),
    };
    let rounds = decision.rounds.iter().map(|round| round.picks.iter().map(pick).collect()).collect();
    DrawRecord {
        tile_set: tile_set.to_owned(),
        winner: decision.winner,
        firsts: None,
        reused_from: None,
        rounds,
    }
}

/// The text with its chain computed anew, as `docs/log-format.md` says.
pub fn chained(mut file: Value) -> String {
    let journal = file["journal"].take();
    let members = file.as_object_mut().unwrap();
    members.remove("chain");
    members.remove("journal");
    let mut link = Sha256::digest(canonical(&file).unwrap());
    for entry in journal.as_array().unwrap() {
        link = Sha256::digest([&link[..], canonical(entry).unwrap().as_bytes()].concat());
    }
    file["journal"] = journal;
    file["chain"] = Value::from(hex::encode(link));
    canonical(&file).unwrap()
}

pub fn kalah(number: u64) -> Certificate {
    certified(Setting { options: r#"{"seeds":3}"#, ..Setting::of("kalah") }, number, 6)
}
