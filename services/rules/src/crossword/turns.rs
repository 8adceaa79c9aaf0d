//! What a move does to the board, the racks and the bag, and whose turn it is then.

use crate::chance::Chance;
use crate::crossword::content::{Challenge, Play};
use crate::crossword::data::{Data, Fresh};
use crate::crossword::game::Crossword;
use crate::crossword::laying::{Laying, LayingError};
use crate::crossword::tiles::{Missing, RACK, Tiles};
use crate::error::IllegalMove;
use crate::game::{Judge, Next};
use crate::seat::{Seat, Turn};

/// A seat is to move.
pub(super) const PLAY: &str = "play";
/// The table is to say whether challenged words are good.
pub(super) const VERDICT: &str = "verdict";
/// The game is over.
pub(super) const OVER: &str = "over";

impl From<LayingError> for IllegalMove {
    fn from(error: LayingError) -> Self {
        Self::forbidden(error)
    }
}

/// Lays the tiles of a play, or says why not and changes nothing that is kept.
pub(super) fn lay(
    data: &mut Data,
    seat: Seat,
    play: &Play,
    judge: Option<&dyn Judge>,
) -> Result<Laying, IllegalMove> {
    let edition = data.edition();
    let laying = Laying::read(edition, &data.board, play.at, &play.tiles)?;
    laying.take_from(rack(data, seat)?, edition)?;
    laying.check_contact(&data.board)?;
    laying.lay(&mut data.board);
    if let Some(judge) = judge {
        let bad = rejected(data, &laying, judge);
        if !bad.is_empty() {
            let are = if bad.len() == 1 { "is" } else { "are" };
            return Err(IllegalMove::forbidden(format_args!(
                "{} {are} not in the dictionary",
                bad.join(", ")
            )));
        }
    }
    Ok(laying)
}

/// The words of a play, as it lies on the board, that a judge does not accept.
pub(super) fn rejected(data: &Data, laying: &Laying, judge: &dyn Judge) -> Vec<String> {
    let words = laying.score(data.edition(), &data.board).words;
    let words = words.iter().map(|(word, _)| word.letters(&data.board, data.edition()));
    words.filter(|word| !judge.accepts(word)).collect()
}

/// Counts the points of a play that was laid. Its seat draws at once, unless it can be challenged.
pub(super) fn settle(
    data: &mut Data,
    seat: Seat,
    play: &Play,
    laying: &Laying,
    challenge: Challenge,
    chance: &mut Chance<'_>,
) {
    let score = laying.score(data.edition(), &data.board).total();
    if let Some(total) = data.scores.get_mut(seat.index()) {
        *total += score;
    }
    let scoreless = data.scoreless;
    data.scoreless = if score > 0 { 0 } else { scoreless.saturating_add(1) };
    match challenge {
        Challenge::Void => refill(data, seat, chance),
        Challenge::Double => {
            data.fresh = Some(Fresh { seat, play: play.clone(), score, scoreless, challenger: None });
        }
    }
}

/// Puts tiles back for new ones, which are drawn first.
pub(super) fn exchange(
    data: &mut Data,
    seat: Seat,
    text: &str,
    chance: &mut Chance<'_>,
) -> Result<(), IllegalMove> {
    let edition = data.edition();
    let tiles = Tiles::read(text, edition).map_err(IllegalMove::forbidden)?;
    if tiles.is_empty() {
        return Err(IllegalMove::forbidden("exchange one tile or more, or pass"));
    }
    rack(data, seat)?.take_all(&tiles).map_err(|Missing(face)| {
        let tile = edition.alphabet.face_character(face);
        IllegalMove::forbidden(format_args!("your rack has not so many {tile}"))
    })?;
    if data.bag.count() < RACK {
        let left = data.bag.count();
        return Err(IllegalMove::forbidden(format_args!(
            "the bag has {left} tiles, an exchange needs {RACK}: play or pass"
        )));
    }
    let drawn = data.bag.draw(tiles.count(), chance);
    rack(data, seat)?.put_all(&drawn);
    data.bag.put_all(&tiles);
    data.scoreless = data.scoreless.saturating_add(1);
    Ok(())
}

/// A challenge: the table gives its verdict next.
pub(super) fn doubt(turn: &Turn, mut data: Data, seat: Seat) -> Result<Next<Crossword>, IllegalMove> {
    let Some(fresh) = &mut data.fresh else {
        return Err(IllegalMove::forbidden("there is no play that you can challenge"));
    };
    fresh.challenger = Some(seat);
    let turn = Turn { phase: VERDICT, acting: None, ..turn.clone() };
    Ok(Next { turn, data, ending: None })
}

/// The verdict. Bad words go back to their rack and nothing is drawn: it is the challenger's turn.
/// Good ones stand, and the challenger has lost the turn.
pub(super) fn decide(
    turn: &Turn,
    mut data: Data,
    good: bool,
    chance: &mut Chance<'_>,
) -> Result<Next<Crossword>, IllegalMove> {
    let withdrawn = data.before_fresh().map(|(_, board, laying)| (board, laying));
    let (Some(fresh), Some((board, laying))) = (data.fresh.take(), withdrawn) else {
        return Err(IllegalMove::forbidden("there is no play to give a verdict on"));
    };
    let turn = Turn { phase: PLAY, ..turn.clone() };
    let challenger = fresh.challenger.unwrap_or(fresh.seat);
    if good {
        refill(&mut data, fresh.seat, chance);
        data.scoreless = data.scoreless.saturating_add(1);
        return Ok(pass_on(&turn, data, challenger));
    }
    data.board = board;
    let rack = rack(&mut data, fresh.seat)?;
    laying.squares().iter().for_each(|(_, laid)| rack.put(laid.tile()));
    if let Some(total) = data.scores.get_mut(fresh.seat.index()) {
        *total -= fresh.score;
    }
    data.scoreless = fresh.scoreless.saturating_add(1);
    // The turn goes on as if the one who laid the words had just passed.
    Ok(pass_to(&turn, data, challenger))
}

/// Lets a play stand: nobody can challenge it any more, and its seat draws.
pub(super) fn close(data: &mut Data, chance: &mut Chance<'_>) {
    if let Some(fresh) = data.fresh.take() {
        refill(data, fresh.seat, chance);
    }
}

/// Fills a rack from the bag.
fn refill(data: &mut Data, seat: Seat, chance: &mut Chance<'_>) {
    let Some(rack) = data.racks.get_mut(seat.index()) else { return };
    let drawn = data.bag.draw(RACK.saturating_sub(rack.count()), chance);
    rack.put_all(&drawn);
}

fn rack(data: &mut Data, seat: Seat) -> Result<&mut Tiles, IllegalMove> {
    data.racks.get_mut(seat.index()).ok_or(IllegalMove::NotYourTurn(seat))
}

/// The seat after this one plays, unless the game is over.
pub(super) fn pass_on(turn: &Turn, data: Data, seat: Seat) -> Next<Crossword> {
    pass_to(turn, data, turn.after(seat).unwrap_or(seat))
}

fn pass_to(turn: &Turn, mut data: Data, seat: Seat) -> Next<Crossword> {
    match data.conclude(&turn.order) {
        Some(ending) => Next { turn: turn.ended(OVER), data, ending: Some(ending) },
        None => Next { turn: turn.passed_to(seat), data, ending: None },
    }
}
