//! Letters: words laid from hidden racks that are filled from a bag, in the manner of a
//! crossword game. The judge is asked when a word is laid, or only when it is challenged; then
//! the table itself gives the verdict.

mod content;
mod tiles;

use astragal_rules::chance::Chance;
use astragal_rules::error::{IllegalMove, InvalidGame};
use astragal_rules::game::{About, Game, Judge, Made, Next, Table, Variant, Viewer};
use astragal_rules::outcome::Ending;
use astragal_rules::seat::{Seat, Turn};
use astragal_rules::state::State;
use content::{Alphabet, Data, Laid, Move, Notes, Options, View, Words};
use serde_json::{Value, json};
use tiles::Tiles;

const RACK: usize = 4;

const PLAY: &str = "play";
const VERDICT: &str = "verdict";
const OVER: &str = "over";

pub struct Letters;

impl Game for Letters {
    type Options = Options;
    type Data = Data;
    type Move = Move;
    type View = View;
    type Notes = Notes;

    fn about(&self) -> About {
        About {
            name: "letters",
            version: 1,
            variants: &[
                Variant { name: "short", draw_set: "english" },
                Variant { name: "long", draw_set: "turkish" },
            ],
            seats_min: 2,
            seats_max: 4,
            phases: &[PLAY, VERDICT, OVER],
            hidden: true,
            robots: true,
        }
    }

    fn setup(&self, table: &Table<Self>, chance: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame> {
        let mut bag = Tiles::all(match table.options.variant {
            Alphabet::Short => "aaaabbbccdde",
            Alphabet::Long => "aaaabbbccddeffgghhijjkkllmnop",
        });
        let racks = Seat::all(table.seats).map(|_| bag.draw(RACK, chance)).collect();
        let points = vec![0; table.seats.into()];
        let data = Data { bag, racks, points, laid: Vec::new(), fresh: None, scoreless: 0 };
        Ok(Next { turn: Turn::of(PLAY, table.seats, table.first_seat), data, ending: None })
    }

    fn check_data(&self, table: &Table<Self>, data: &Data) -> Result<(), InvalidGame> {
        let seats = usize::from(table.seats);
        if data.racks.len() != seats || data.points.len() != seats {
            return Err(InvalidGame::new("racks", "needs an entry for each seat, as points do"));
        }
        let named = data.fresh.iter().flat_map(|laid| [Some(laid.seat), laid.challenger]).flatten();
        if named.into_iter().any(|seat| seat.0 >= table.seats) {
            return Err(InvalidGame::new("fresh", "not a seat of the table"));
        }
        Ok(())
    }

    fn play(
        &self,
        table: &Table<Self>,
        state: &State<Self>,
        actor: Option<Seat>,
        action: &Move,
        chance: &mut Chance<'_>,
        judge: &dyn Judge,
    ) -> Result<Next<Self>, IllegalMove> {
        let mut data = state.data.clone();
        let Some(seat) = actor else {
            return match (action, data.fresh.take()) {
                (Move::Verdict(good), Some(laid)) if state.turn.phase == VERDICT => {
                    Ok(decide(&state.turn, data, &laid, *good))
                }
                _ => Err(IllegalMove::forbidden("the table only decides challenges")),
            };
        };
        let fresh = data.fresh.take();
        match action {
            Move::Lay(word) => {
                if word.len() < 2 || !data.racks[seat.index()].take(word) {
                    return Err(IllegalMove::forbidden("lay two or more of your own tiles"));
                }
                if table.options.words == Words::Judged && !judge.accepts(word) {
                    return Err(IllegalMove::forbidden(format_args!("{word:?} is not a word")));
                }
                let drawn = data.bag.draw(word.len(), chance);
                data.racks[seat.index()].put(&drawn);
                data.points[seat.index()] += worth(word);
                data.laid.push(word.clone());
                data.scoreless = 0;
                if table.options.words == Words::Challenged {
                    data.fresh = Some(Laid { seat, drawn, challenger: None });
                }
            }
            Move::Exchange(tiles) => {
                if tiles.is_empty() || data.bag.count() < tiles.len() {
                    return Err(IllegalMove::forbidden("exchange no more tiles than are in the bag"));
                }
                if !data.racks[seat.index()].take(tiles) {
                    return Err(IllegalMove::forbidden("exchange tiles of your own"));
                }
                let drawn = data.bag.draw(tiles.len(), chance);
                data.racks[seat.index()].put(&drawn);
                data.bag.put(&Tiles::all(tiles));
                data.scoreless += 1;
            }
            Move::Pass => data.scoreless += 1,
            Move::Challenge => {
                let laid = fresh.ok_or_else(|| IllegalMove::forbidden("there is no word to challenge"))?;
                data.fresh = Some(Laid { challenger: Some(seat), ..laid });
                let turn = Turn { phase: VERDICT, acting: None, ..state.turn.clone() };
                return Ok(Next { turn, data, ending: None });
            }
            Move::Verdict(_) => return Err(IllegalMove::forbidden("the verdict is the table's to give")),
        }
        Ok(pass_on(&state.turn, data, seat))
    }

    fn legal_moves(&self, _table: &Table<Self>, _state: &State<Self>, _seat: Seat) -> Option<Vec<Move>> {
        None
    }

    fn view(&self, _table: &Table<Self>, state: &State<Self>, viewer: Viewer) -> View {
        let data = &state.data;
        let seen = |(seat, rack): (u8, &Tiles)| sees(viewer, Seat(seat)).then(|| rack.to_string());
        View {
            bag: data.bag.count(),
            racks: data.racks.iter().map(Tiles::count).collect(),
            tiles: (0..).zip(&data.racks).map(seen).collect(),
            points: data.points.clone(),
            laid: data.laid.clone(),
            challengeable: state.turn.phase == PLAY && data.fresh.is_some(),
        }
    }

    fn notes(&self, _table: &Table<Self>, made: &Made<'_, Self>, _viewer: Viewer) -> Notes {
        let points = made.after.data.points.iter().zip(&made.before.data.points);
        Notes {
            points: points.map(|(after, before)| after - before).collect(),
            drawn: made.before.data.bag.count().saturating_sub(made.after.data.bag.count()),
        }
    }

    fn shown_move(&self, _table: &Table<Self>, made: &Made<'_, Self>, viewer: Viewer) -> Option<Value> {
        let Move::Exchange(tiles) = made.action else { return None };
        let own = made.actor.is_some_and(|seat| sees(viewer, seat));
        (!own).then(|| json!({ "exchange": tiles.len() }))
    }

    fn scores(&self, _table: &Table<Self>, state: &State<Self>) -> Vec<i32> {
        state.data.points.clone()
    }

    fn may_undo(&self, _table: &Table<Self>, _after: &State<Self>, last: &Move) -> bool {
        *last == Move::Pass
    }

    fn retire(
        &self,
        _table: &Table<Self>,
        state: &State<Self>,
        seat: Seat,
        _chance: &mut Chance<'_>,
    ) -> Next<Self> {
        let mut data = state.data.clone();
        let tiles = std::mem::take(&mut data.racks[seat.index()]);
        data.bag.put(&tiles);
        let mut turn = state.turn.clone();
        // A challenge stands only while both who laid and who challenged are there; without it
        // the turn is the challenger's again.
        let fresh = data.fresh.take();
        if turn.phase == VERDICT {
            turn = Turn { phase: PLAY, acting: fresh.and_then(|laid| laid.challenger), ..turn };
        }
        Next { turn: turn.without(seat), data, ending: None }
    }

    fn automatic(&self, _table: &Table<Self>, state: &State<Self>, judge: &dyn Judge) -> Option<Move> {
        let word = state.data.laid.last().filter(|_| state.turn.phase == VERDICT)?;
        Some(Move::Verdict(judge.accepts(word)))
    }

    fn robot_move(
        &self,
        _table: &Table<Self>,
        view: &View,
        seat: Seat,
        _level: u8,
        chance: &mut Chance<'_>,
    ) -> Option<Move> {
        let mut tiles: Vec<char> = view.tiles.get(seat.index())?.as_ref()?.chars().collect();
        chance.shuffle(&mut tiles);
        let some: String = tiles.iter().take(1 + chance.index(tiles.len())).collect();
        Some(match chance.int(1..=8) {
            1 => Move::Pass,
            2 if view.bag >= some.len() && !some.is_empty() => Move::Exchange(some),
            3 | 4 if view.challengeable => Move::Challenge,
            _ if some.len() >= 2 => Move::Lay(some),
            _ => Move::Pass,
        })
    }
}

/// A bad word leaves the table, and the turn is still the challenger's; after a good one the
/// challenger has lost it.
fn decide(turn: &Turn, mut data: Data, laid: &Laid, good: bool) -> Next<Letters> {
    let challenger = laid.challenger.unwrap_or(laid.seat);
    if good {
        return pass_on(&Turn { phase: PLAY, ..turn.clone() }, data, challenger);
    }
    let word = data.laid.pop().unwrap_or_default();
    data.points[laid.seat.index()] -= worth(&word);
    let rack = &mut data.racks[laid.seat.index()];
    rack.take(&laid.drawn.to_string());
    rack.put(&Tiles::all(&word));
    data.bag.put(&laid.drawn);
    let turn = Turn { phase: PLAY, ..turn.passed_to(challenger) };
    Next { turn, data, ending: None }
}

/// The next seat plays, unless somebody is out of tiles or everybody out of ideas. A last word
/// that can be challenged waits for that.
fn pass_on(turn: &Turn, data: Data, seat: Seat) -> Next<Letters> {
    let out = data.fresh.is_none() && turn.order.iter().any(|seat| data.racks[seat.index()].count() == 0);
    if out || usize::from(data.scoreless) >= 2 * turn.order.len() {
        let ending = Ending::by_scores(data.points.clone(), &turn.order);
        return Next { turn: turn.ended(OVER), data, ending: Some(ending) };
    }
    let next = turn.after(seat).unwrap_or(seat);
    Next { turn: turn.passed_to(next), data, ending: None }
}

fn worth(word: &str) -> i32 {
    word.bytes().map(|letter| i32::from(letter - b'a') + 1).sum()
}

fn sees(viewer: Viewer, seat: Seat) -> bool {
    viewer == Viewer::Admin || viewer == Viewer::Seat(seat)
}
