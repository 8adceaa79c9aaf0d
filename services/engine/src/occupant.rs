//! Who sits at a table. It knows nothing of names, presence or how somebody came to sit there.

use astragal_rules::finished_log::Sitter;
use astragal_rules::seat::{SEATS_MAX, Seat};
use astragal_runtime::id::AccountId;

/// Somebody in a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupant {
    /// Where they sit.
    pub seat: Seat,
    /// Who they are.
    pub account: AccountId,
    /// 0 for a person, 1 to 5 for a robot.
    pub robot_level: u8,
}

impl Occupant {
    /// True for a robot.
    pub const fn is_robot(&self) -> bool {
        self.robot_level > 0
    }
}

/// The seats of one table, taken or empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupants {
    seats: u8,
    taken: [Option<Occupant>; SEATS_MAX as usize],
}

impl Occupants {
    /// A table at which nobody sits.
    pub fn nobody(seats: u8) -> Self {
        Self { seats: seats.min(SEATS_MAX), taken: [None; SEATS_MAX as usize] }
    }

    /// Seats somebody; false if there is no such seat or it is taken.
    pub fn sit(&mut self, occupant: Occupant) -> bool {
        let free = occupant.seat.0 < self.seats && self.taken[occupant.seat.index()].is_none();
        if free {
            self.taken[occupant.seat.index()] = Some(occupant);
        }
        free
    }

    /// Who sits in a seat.
    pub fn at(&self, seat: Seat) -> Option<&Occupant> {
        self.taken.get(seat.index()).and_then(Option::as_ref)
    }

    /// The seat of a person; robots are never asked for by account, since one may sit twice.
    pub fn seat_of(&self, account: AccountId) -> Option<Seat> {
        self.iter().find(|occupant| occupant.account == account && !occupant.is_robot()).map(|who| who.seat)
    }

    /// True if no seat is empty.
    pub fn full(&self) -> bool {
        self.taken[..usize::from(self.seats)].iter().all(Option::is_some)
    }

    /// Everyone who sits, in the order of the seats.
    pub fn iter(&self) -> impl Iterator<Item = &Occupant> {
        self.taken.iter().flatten()
    }

    /// Who sat in each seat, as the finished log names them. A seat that stayed empty was a person's.
    pub fn sitters(&self) -> Vec<Sitter> {
        let sitter = |taken: &Option<Occupant>| match taken {
            Some(Occupant { robot_level: level @ 1.., .. }) => Sitter::Robot { level: *level },
            _ => Sitter::Player {},
        };
        self.taken[..usize::from(self.seats)].iter().map(sitter).collect()
    }
}
