//! Why a draw can't begin, a pick is refused, or a record isn't believed.

use thiserror::Error;

/// A refusal of the draw. Participants are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DrawError {
    /// Not a number of participants that can draw.
    #[error("a draw takes two to four participants, not {participants}")]
    Participants {
        /// How many were asked for.
        participants: u8,
    },
    /// A round would run out of tiles.
    #[error("`{tile_set}` has too few tiles for {participants} participants; take another set")]
    TooFewTiles {
        /// The name of the set.
        tile_set: &'static str,
        /// How many take part.
        participants: u8,
    },
    /// Every round would end in a tie of all.
    #[error("all tiles of `{tile_set}` rank the same, so no one can ever lead; take another set")]
    OneRank {
        /// The name of the set.
        tile_set: &'static str,
    },
    /// No one has this number.
    #[error("there is no participant {participant} in this draw of {participants}; they are numbered from 0")]
    UnknownParticipant {
        /// The number that was given.
        participant: u8,
        /// How many take part.
        participants: u8,
    },
    /// They lost an earlier round.
    #[error("participant {participant} dropped out in an earlier round and doesn't draw again")]
    DroppedOut {
        /// Who asked.
        participant: u8,
    },
    /// Others have to draw first.
    #[error("participant {participant} has already drawn in this round; wait for the others")]
    AlreadyDrew {
        /// Who asked.
        participant: u8,
    },
    /// The set has none of it, or all of it is drawn.
    #[error("no such tile is left in this round; look at it again")]
    NoSuchTile,
    /// Nothing is left to draw for.
    #[error("the draw is over: participant {winner} goes first")]
    Over {
        /// Who goes first.
        winner: u8,
    },
    /// The bound of rounds was reached.
    #[error("the draw was still tied after the last round that is allowed; open a new draw")]
    NoLeader,
}

/// Why a whole draw stopped: the draw's own refusal or the failure of the source of entropy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RunError<E> {
    /// The source of entropy failed.
    #[error("no entropy for a pick")]
    Entropy(#[source] E),
    /// The draw refused to begin or had no leader.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

/// Why recorded picks aren't a draw. Rounds and picks are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecordError {
    /// No draw has this set and number of participants.
    #[error(transparent)]
    Impossible(#[from] DrawError),
    /// The draw refuses a pick.
    #[error("round {round}, pick {pick} can't have been drawn: {reason}")]
    Refused {
        /// The round that the pick would be of.
        round: usize,
        /// The pick within it.
        pick: usize,
        /// What the draw says.
        reason: DrawError,
    },
    /// The entropy gives another tile than the one recorded.
    #[error("round {round}, pick {pick} shows another tile than its entropy gives")]
    AnotherTile {
        /// The round of the record.
        round: usize,
        /// The pick within it.
        pick: usize,
    },
    /// The picks are right, but the rounds or the winner aren't what they come to.
    #[error("the picks are right, but they come to other rounds or another winner")]
    Unlike,
}
