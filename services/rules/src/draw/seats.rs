//! From a winner to seats: the circle of participants is turned until the winner sits at seat 0.

/// Turns the circle, its order kept, until `winner` is in front. `winner` is one of the circle.
pub fn rotate<T>(mut circle: Vec<T>, winner: u8) -> Vec<T> {
    let turn = usize::from(winner).checked_rem(circle.len()).unwrap_or(0);
    circle.rotate_left(turn);
    circle
}

/// The seat in which a participant ends. `participant` and `winner` are below `participants`.
pub fn seat_of(participant: u8, winner: u8, participants: u8) -> u8 {
    let ahead = u16::from(participant) + u16::from(participants) - u16::from(winner.min(participants));
    ahead.checked_rem(participants.into()).unwrap_or(0) as u8
}
