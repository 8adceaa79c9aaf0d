//! Crossword as the machine plays it: what is offered, which moves there are, who sees what.

use crate::chance::Chance;
use crate::crossword::board::Board;
use crate::crossword::content::{Challenge, Move, Options, Words};
use crate::crossword::data::Data;
use crate::crossword::dictionary::{Dictionaries, Dictionary};
use crate::crossword::notes::Notes;
use crate::crossword::robot;
use crate::crossword::tiles::{RACK, Tiles};
use crate::crossword::turns::{
    OVER, PLAY, VERDICT, close, decide, doubt, exchange, lay, pass_on, rejected, settle,
};
use crate::crossword::view::View;
use crate::error::{IllegalMove, InvalidGame};
use crate::game::{About, AcceptAll, Game, Judge, Made, Next, Table, Variant, Viewer};
use crate::seat::{Seat, Turn};
use crate::state::State;
use serde_json::{Value, json};

/// Crossword by version 1 of its rules.
#[derive(Clone, Default)]
pub struct Crossword {
    dictionaries: Dictionaries,
}

impl Crossword {
    /// The game with the words that its robots know. Tables replay without any.
    pub const fn new(dictionaries: Dictionaries) -> Self {
        Self { dictionaries }
    }

    /// The words of a table, if they are at hand: those that it has been judged by, and no others.
    fn dictionary(&self, options: &Options) -> Option<&Dictionary> {
        match &options.dictionary {
            Some(by) => self.dictionaries.recorded(options.variant, by),
            None => self.dictionaries.get(options.variant),
        }
    }
}

impl Game for Crossword {
    type Options = Options;
    type Data = Data;
    type Move = Move;
    type View = View;
    type Notes = Notes;

    const MOVE_FORM: &'static str =
        r#"{"play":{"at":"8D","tiles":"JETON"}}, {"exchange":"QU?"}, {"pass":true} or {"challenge":true}"#;

    fn about(&self) -> About {
        About {
            name: "crossword",
            version: 1,
            variants: &[
                Variant { name: "english", draw_set: "english" },
                Variant { name: "russian", draw_set: "russian" },
                Variant { name: "erudit", draw_set: "erudit" },
                Variant { name: "turkish", draw_set: "turkish" },
            ],
            seats_min: 2,
            seats_max: 4,
            phases: &[PLAY, VERDICT, OVER],
            hidden: true,
            // Without a dictionary they find nothing to lay.
            robots: !self.dictionaries.is_empty(),
        }
    }

    fn offer(&self, options: Options) -> Result<Options, InvalidGame> {
        if options.words == Words::Any {
            return Ok(options);
        }
        let Some(dictionary) = self.dictionaries.get(options.variant) else {
            let name = options.variant.edition().set.name();
            let why = format!("there is no {name} dictionary here, choose words \"any\"");
            return Err(InvalidGame::new("options.words", why));
        };
        let here = dictionary.identity();
        // Whoever handed the options on may have known an older one first.
        let by = options.dictionary.as_ref().unwrap_or(&here);
        if self.dictionaries.recorded(options.variant, by).is_none() {
            let why = format!("that one is not here, leave it out to play by {}", here.name);
            return Err(InvalidGame::new("options.dictionary", why));
        }
        Ok(Options { dictionary: Some(by.clone()), ..options })
    }

    fn describe(&self, table: &Table<Self>) -> Value {
        table.options.variant.edition().describe()
    }

    fn setup(&self, table: &Table<Self>, chance: &mut Chance<'_>) -> Result<Next<Self>, InvalidGame> {
        let Options { variant, words, challenge, .. } = table.options;
        if words == Words::Any && table.options.dictionary.is_some() {
            return Err(InvalidGame::new("options.dictionary", "where any word is good none judges"));
        }
        if words == Words::Any && challenge == Challenge::Double {
            return Err(InvalidGame::new(
                "options.challenge",
                "where any word is good none can be challenged",
            ));
        }
        let mut bag = Tiles::all(variant.edition());
        let racks = Seat::all(table.seats).map(|_| bag.draw(RACK, chance)).collect();
        let scores = Seat::all(table.seats).map(|_| 0).collect();
        let data = Data { variant, board: Board::EMPTY, bag, racks, scores, scoreless: 0, fresh: None };
        Ok(Next { turn: Turn::of(PLAY, table.seats, table.first_seat), data, ending: None })
    }

    fn check_data(&self, table: &Table<Self>, data: &Data) -> Result<(), InvalidGame> {
        data.check(table.options.variant, table.seats)
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
            return match action {
                Move::Verdict(good) if state.turn.phase == VERDICT => {
                    decide(&state.turn, data, *good, chance)
                }
                _ => Err(IllegalMove::forbidden("the table only gives verdicts on challenges")),
            };
        };
        let last = data.fresh.as_ref().is_some_and(|fresh| data.is_out(fresh.seat));
        match action {
            Move::Challenge(_) => return doubt(&state.turn, data, seat),
            Move::Verdict(_) => return Err(IllegalMove::forbidden("the verdict is the table's to give")),
            Move::Play(_) | Move::Exchange(_) if last => {
                return Err(IllegalMove::forbidden("the last play ends the game: pass, or challenge it"));
            }
            Move::Pass(_) if last => data.fresh = None,
            Move::Pass(_) => {
                close(&mut data, chance);
                data.scoreless = data.scoreless.saturating_add(1);
            }
            Move::Exchange(tiles) => {
                close(&mut data, chance);
                exchange(&mut data, seat, tiles, chance)?;
            }
            Move::Play(play) => {
                let laying = lay(&mut data, seat, play, table.options.judge(judge))?;
                close(&mut data, chance);
                settle(&mut data, seat, play, &laying, table.options.challenge, chance);
                if data.fresh.is_some() {
                    let next = state.turn.after(seat).unwrap_or(seat);
                    return Ok(Next { turn: state.turn.passed_to(next), data, ending: None });
                }
            }
        }
        Ok(pass_on(&state.turn, data, seat))
    }

    fn legal_moves(&self, _table: &Table<Self>, _state: &State<Self>, _seat: Seat) -> Option<Vec<Move>> {
        None
    }

    fn view(&self, _table: &Table<Self>, state: &State<Self>, viewer: Viewer) -> View {
        View::of(state, viewer)
    }

    fn notes(&self, _table: &Table<Self>, made: &Made<'_, Self>, viewer: Viewer) -> Notes {
        Notes::of(made, viewer)
    }

    fn shown_move(&self, _table: &Table<Self>, made: &Made<'_, Self>, viewer: Viewer) -> Option<Value> {
        let Move::Exchange(tiles) = made.action else { return None };
        let own = viewer == Viewer::Admin || made.actor.map(Viewer::Seat) == Some(viewer);
        (!own).then(|| json!({ "exchange": tiles.chars().count() }))
    }

    fn scores(&self, _table: &Table<Self>, state: &State<Self>) -> Vec<i32> {
        state.data.scores.to_vec()
    }

    fn may_undo(&self, _table: &Table<Self>, after: &State<Self>, last: &Move) -> bool {
        match last {
            Move::Pass(_) => true,
            // With tiles in the bag a play is drawn for, sooner or later.
            Move::Play(_) => after.data.bag.is_empty(),
            Move::Exchange(_) | Move::Challenge(_) | Move::Verdict(_) => false,
        }
    }

    fn retire(
        &self,
        _table: &Table<Self>,
        state: &State<Self>,
        seat: Seat,
        _chance: &mut Chance<'_>,
    ) -> Next<Self> {
        let mut data = state.data.clone();
        let mut turn = state.turn.clone();
        // Without the one who challenged, the play stands as before; without the one who laid it,
        // it can't be challenged any more. Either way nobody waits for a verdict.
        if let Some(fresh) = &mut data.fresh
            && (fresh.seat == seat || fresh.challenger == Some(seat))
        {
            turn.acting = turn.acting.or(fresh.challenger);
            turn.phase = PLAY;
            fresh.challenger = None;
        }
        data.fresh = data.fresh.take().filter(|fresh| fresh.seat != seat);
        Next { turn: turn.without(seat), data, ending: None }
    }

    fn judge(&self, table: &Table<Self>) -> Result<&dyn Judge, InvalidGame> {
        let options = &table.options;
        if options.words == Words::Any {
            return Ok(&AcceptAll);
        }
        match self.dictionary(options) {
            Some(dictionary) => Ok(dictionary),
            None => Err(InvalidGame::new(
                "options.dictionary",
                "the dictionary that judges this table is not here",
            )),
        }
    }

    fn automatic(&self, _table: &Table<Self>, state: &State<Self>, judge: &dyn Judge) -> Option<Move> {
        if state.turn.phase != VERDICT {
            return None;
        }
        let (_, _, laying) = state.data.before_fresh()?;
        Some(Move::Verdict(rejected(&state.data, &laying, judge).is_empty()))
    }

    fn robot_move(
        &self,
        table: &Table<Self>,
        view: &View,
        _seat: Seat,
        level: u8,
        chance: &mut Chance<'_>,
    ) -> Option<Move> {
        let Options { variant, .. } = table.options;
        Some(robot::choose(variant.edition(), view, self.dictionary(&table.options), level, chance))
    }
}

impl Options {
    /// The judge to ask before words are laid, if there is one.
    fn judge<'j>(&self, judge: &'j dyn Judge) -> Option<&'j dyn Judge> {
        (self.words == Words::Dictionary && self.challenge == Challenge::Void).then_some(judge)
    }
}
