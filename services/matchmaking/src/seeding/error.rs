//! Why something can't be done with a draw, and how that reads to a caller.

use astragal_rules::draw::error::DrawError;
use astragal_runtime::error::{Code, Problem};

/// The result of a step of a draw.
pub type Result<T> = std::result::Result<T, SheetError>;

/// Why a step of a draw was refused.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// It was given up.
    #[error("this draw was cancelled; open another one")]
    Cancelled,
    /// What it decided is being played.
    #[error("a game was created from this draw; it can't be cancelled any more")]
    Closed,
    /// Nobody leads yet.
    #[error("this draw is not over; let everyone who shares the lowest tile draw first")]
    NotOver,
    /// No tile of the set says this.
    #[error("`{tile_set}` has no such tile; write a letter as it stands on the tile, or nothing for a blank")]
    NotInSet {
        /// The name of the set.
        tile_set: &'static str,
    },
    /// All tiles of this kind are out of the bag until the round is over.
    #[error("every tile of this letter is used up in this round; look at the tile again")]
    UsedUp,
    /// The draw's own rules.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// No entropy can be had.
    #[error(transparent)]
    Entropy(Problem),
    /// The rows don't make a draw.
    #[error("what is kept of this draw doesn't fit together")]
    Broken,
}

impl From<SheetError> for Problem {
    fn from(error: SheetError) -> Self {
        let code = match &error {
            SheetError::NotInSet { .. }
            | SheetError::Draw(
                DrawError::Participants { .. }
                | DrawError::TooFewTiles { .. }
                | DrawError::OneRank { .. }
                | DrawError::UnknownParticipant { .. },
            ) => Code::InvalidArgument,
            SheetError::Entropy(problem) => return problem.clone(),
            SheetError::Broken => return Self::internal(&error),
            _ => Code::FailedPrecondition,
        };
        Self::new(code, error.to_string())
    }
}
