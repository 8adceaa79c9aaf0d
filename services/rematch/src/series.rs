//! What a series of games comes to: its score, and whether a match on top of it is decided. Pure.

use astragal_proto::gateway::v1::SeriesGame;

/// The score of a series, from the side of one seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeriesScore {
    /// Games that the seat has won.
    pub wins: u32,
    /// Games that each other seat has won, in the order of the seats.
    pub others: Vec<u32>,
    /// Games that nobody has won.
    pub draws: u32,
}

/// The score of the games of a series at a table with so many seats. Games without a result, because they
/// were aborted or broke, count for nobody.
pub fn series_score(games: &[SeriesGame], seats: u32, seat: u32) -> SeriesScore {
    let counted = || games.iter().filter(|game| counts(game));
    let wins = |of: u32| counted().filter(|game| game.winner == Some(of)).count() as u32;
    SeriesScore {
        wins: wins(seat),
        others: (0..seats).filter(|other| *other != seat).map(wins).collect(),
        draws: counted().filter(|game| game.winner.is_none()).count() as u32,
    }
}

/// Whether a seat has won so many games that the others can't have the most of `best_of` any more. Draws
/// don't count: another game is played instead. Without a match nothing is ever decided.
pub fn is_decided(games: &[SeriesGame], best_of: u32) -> bool {
    let needed = (best_of / 2 + 1) as usize;
    let winners = || games.iter().filter(|game| counts(game)).filter_map(|game| game.winner);
    best_of > 0 && winners().any(|seat| winners().filter(|other| *other == seat).count() >= needed)
}

fn counts(game: &SeriesGame) -> bool {
    !matches!(&*game.reason, "aborted" | "crashed")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(winners: &[Option<u32>]) -> Vec<SeriesGame> {
        let game = |winner: &Option<u32>| SeriesGame {
            reason: "finished".to_owned(),
            winner: *winner,
            ..SeriesGame::default()
        };
        winners.iter().map(game).collect()
    }

    #[test]
    fn r6_a_score_has_wins_of_each_seat_and_draws_apart() {
        let mut played = games(&[Some(0), None, Some(1), Some(0), Some(2)]);
        played.push(SeriesGame { reason: "aborted".to_owned(), ..SeriesGame::default() });
        assert_eq!(series_score(&played, 3, 0), SeriesScore { wins: 2, others: vec![1, 1], draws: 1 });
        assert_eq!(series_score(&played, 3, 1), SeriesScore { wins: 1, others: vec![2, 1], draws: 1 });
        assert_eq!(series_score(&[], 2, 1), SeriesScore { wins: 0, others: vec![0], draws: 0 });
    }

    #[test]
    fn r11_a_match_is_decided_by_wins_and_draws_do_not_count() {
        for (best_of, winners, decided) in [
            (3, &[Some(0)][..], false),
            (3, &[Some(0), Some(1)], false),
            (3, &[Some(0), None, None, None], false),
            (3, &[Some(0), None, Some(0)], true),
            (3, &[Some(1), Some(0), Some(1)], true),
            (5, &[Some(1), Some(1)], false),
            (5, &[Some(1), Some(1), Some(1)], true),
            (7, &[Some(1), Some(0), Some(1), Some(1)], false),
            (7, &[Some(1), Some(0), Some(1), Some(1), Some(1)], true),
            (0, &[Some(0), Some(0), Some(0), Some(0)], false),
        ] {
            assert_eq!(is_decided(&games(winners), best_of), decided, "best of {best_of}: {winners:?}");
        }
    }
}
