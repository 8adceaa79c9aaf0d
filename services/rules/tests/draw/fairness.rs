//! Statistics: 200,000 draws of each tile set and number of participants, against the exact
//! probabilities of the data. That winners are uniform alone proves nothing: those of wrong
//! draws are too.

use crate::statistics::{SIGNIFICANCE, likelihood, uniform_likelihood};
use crate::{FixedSource, data, tile_set};
use astragal_rules::draw::decision::Decision;
use astragal_rules::tile_set::TileSet;
use serde_json::Value;

pub(crate) const DRAWS: usize = 200_000;

/// What the statistics need to know of a draw.
pub(crate) struct Outcome {
    pub winner: u8,
    pub rounds: usize,
    /// How many shared the lowest rank of the first round.
    pub first_leaders: usize,
    /// That rank.
    pub first_rank: i8,
}

impl From<Decision> for Outcome {
    fn from(decision: Decision) -> Self {
        let first = &decision.rounds[0];
        Self {
            winner: decision.winner,
            rounds: decision.rounds.len(),
            first_leaders: first.leaders().expect("a whole round").len(),
            first_rank: first.picks.iter().map(|pick| pick.rank).min().expect("picks"),
        }
    }
}

/// The probabilities of a draw, or the counts of one that is tried.
struct Cells {
    /// By number of leaders of the first round: 1, 2, 3, 4.
    leaders: Vec<f64>,
    /// By the tile that leads the first round alone: blank, then the alphabet; last, a tie.
    tiles: Vec<f64>,
    /// By number of rounds: 1 to 8, and more.
    rounds: Vec<f64>,
}

impl Cells {
    fn expected(set: &TileSet, participants: u8) -> Self {
        let all = data::json("draw/probabilities.json");
        let of = &all[format!("{}_{}", set.name(), set.total())][participants.to_string()];
        let float = |value: &Value| value["float"].as_f64().unwrap_or(0.0);
        let tie = float(&of["P_tie_round1"]);
        assert!(tie > 0.0, "the data has {} for {participants}", set.name());

        let by_size = (2..=4).map(|size: u8| float(&of["tie_by_size"][size.to_string()]));
        let by_tile = set.faces().map(|(tile, _)| {
            // The data writes blanks in two ways, and leaves out tiles that can't win alone.
            let names = if tile.is_blank() { ["?", "*"] } else { [set.text(tile); 2] };
            names.iter().find_map(|name| of["win_in_round1_by_tile"][name].as_f64()).unwrap_or(0.0)
        });
        let mut rounds: Vec<f64> =
            (1..=8).map(|count: u8| float(&of["P_rounds_eq"][count.to_string()])).collect();
        rounds.push(1.0 - rounds.iter().sum::<f64>());
        Self {
            leaders: std::iter::once(1.0 - tie).chain(by_size).collect(),
            tiles: by_tile.chain([tie]).collect(),
            rounds,
        }
    }
}

/// Says which statistic such draws fail, if any.
pub(crate) fn judge(
    set: &TileSet,
    participants: u8,
    mut draw: impl FnMut() -> Outcome,
) -> Result<(), String> {
    let expected = Cells::expected(set, participants);
    let mut winners = vec![0; participants.into()];
    let mut leaders = vec![0; 4];
    let mut tiles = vec![0; expected.tiles.len()];
    let mut rounds = vec![0; expected.rounds.len()];
    for _ in 0..DRAWS {
        let outcome = draw();
        winners[usize::from(outcome.winner)] += 1;
        leaders[outcome.first_leaders - 1] += 1;
        rounds[outcome.rounds.min(9) - 1] += 1;
        let tile =
            if outcome.first_leaders > 1 { tiles.len() - 1 } else { (outcome.first_rank + 1) as usize };
        tiles[tile] += 1;
    }

    let draws = DRAWS as f64;
    let (tied, chance) = (draws - leaders[0] as f64, 1.0 - expected.leaders[0]);
    let deviation = (tied - chance * draws) / (chance * (1.0 - chance) * draws).sqrt();
    if deviation.abs() > 5.0 {
        return Err(format!("ties of the first round are {deviation:.1} sigma off"));
    }
    let scaled = |chances: Vec<f64>| -> Vec<f64> { chances.iter().map(|it| it * draws).collect() };
    for (what, likelihood) in [
        ("winners by seat", uniform_likelihood(&winners)),
        ("sizes of ties", likelihood(&leaders, &scaled(expected.leaders))),
        ("winning tiles", likelihood(&tiles, &scaled(expected.tiles))),
        ("numbers of rounds", likelihood(&rounds, &scaled(expected.rounds))),
    ] {
        if likelihood < SIGNIFICANCE {
            return Err(format!("{what} have a likelihood of {likelihood:e}"));
        }
    }
    Ok(())
}

fn draws_of(name: &str) {
    for participants in 2..=4 {
        let mut source = FixedSource::new(u64::from(participants) * 1_000);
        let verdict =
            judge(tile_set(name), participants, || source.draw(tile_set(name), participants).into());
        assert_eq!(verdict, Ok(()), "{name} for {participants}");
    }
}

#[test]
fn d1_draws_of_english_have_their_exact_probabilities() {
    draws_of("english");
}

#[test]
fn d1_draws_of_russian_have_their_exact_probabilities() {
    draws_of("russian");
}

#[test]
fn d1_draws_of_erudit_have_their_exact_probabilities() {
    draws_of("erudit");
}

#[test]
fn d1_draws_of_turkish_have_their_exact_probabilities() {
    draws_of("turkish");
}
