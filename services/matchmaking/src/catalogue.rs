//! What can be played: from what somebody asked for to a kind that a table can have.
//!
//! Asks the registry of the rules; keeps nothing itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use astragal_proto::engine::v1::ClockSettings;
use astragal_rules::any::AnyGame;
use astragal_rules::draw::PARTICIPANTS;
use astragal_rules::error::InvalidGame;
use astragal_rules::log::Opening;
use astragal_rules::registry::Registry;
use astragal_rules::said::Quoted;
use astragal_rules::seat::Seat;
use astragal_rules::seed::Seed;
use astragal_rules::tile_set::TileSet;
use astragal_runtime::error::{Code, Problem, Result};
use astragal_runtime::time_control::TimeControl;
use serde_json::Value;
use uuid::Uuid;

use crate::kind::Kind;

/// The longest options, in bytes.
const OPTIONS_MAX: usize = 4096;

/// What somebody wants to play, in their own words.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// Empty: the first variant, or the one that the options name.
    pub variant: &'a str,
    /// None: the fewest seats.
    pub seats: Option<u32>,
    /// JSON; empty: all defaults.
    pub options: &'a [u8],
    /// None: no clock.
    pub clock: Option<&'a ClockSettings>,
    /// The match that it is to be part of; 0: none.
    pub best_of: u32,
}

/// The games that can be opened.
#[derive(Clone)]
pub struct Catalogue(Arc<Registry>);

impl Catalogue {
    /// The games of a registry, each in its newest version.
    pub fn new(registry: Arc<Registry>) -> Self {
        Self(registry)
    }

    /// The kind that somebody asks for. Refuses what no table can be opened with.
    pub fn kind(&self, wish: &Wish<'_>) -> Result<Kind> {
        let game = self.0.newest(wish.game).ok_or_else(|| {
            let names: Vec<_> = self.0.catalogue().map(|game| game.about().name).collect();
            let message = format!("there is no game {}; there is {}", Quoted(wish.game), names.join(", "));
            Problem::invalid_argument(message)
        })?;
        let about = game.about();
        let fewest = about.seats_min.max(*PARTICIPANTS.start());
        let most = about.seats_max.min(*PARTICIPANTS.end());
        let wanted = wish.seats.unwrap_or(fewest.into());
        let seats = u8::try_from(wanted).ok().filter(|seats| (fewest..=most).contains(seats));
        let seats = seats.ok_or_else(|| {
            let message = format!("{} has {fewest} to {most} seats, not {wanted}", about.name);
            Problem::invalid_argument(message)
        })?;

        let variant = Some(wish.variant).filter(|name| !name.is_empty());
        let options = text(wish.options)?;
        agree(variant, options)?;
        let options = game.options(variant, options).map_err(|error| refused(&error))?;
        let variant = game.variant(&options).to_owned();
        let clock = TimeControl::read(wish.clock)?;
        let best_of = u8::try_from(wish.best_of).ok().filter(|games| [0, 3, 5, 7].contains(games));
        let best_of = best_of.ok_or_else(|| Problem::invalid_argument("match.bestOf must be 3, 5 or 7"))?;
        let kind = Kind {
            game: about.name.to_owned(),
            version: about.version,
            variant,
            seats,
            options,
            clock,
            best_of,
        };
        try_out(&**game, &kind)?;
        Ok(kind)
    }

    /// A variant of a game by name, the first one if none is named, with the tiles that decide who goes first; refuses a
    /// number of seats that it can't have.
    pub fn variant(
        &self,
        game: &str,
        variant: &str,
        seats: Option<u32>,
    ) -> Result<(String, &'static TileSet)> {
        let kind = self.kind(&Wish { game, variant, seats, options: b"", clock: None, best_of: 0 })?;
        let tile_set = self.draw_set(&kind)?;
        Ok((kind.variant, tile_set))
    }

    /// The tiles that decide who goes first in a game of this kind.
    pub fn draw_set(&self, kind: &Kind) -> Result<&'static TileSet> {
        let game = self.game(kind)?.about();
        let variant = game.variants.iter().find(|variant| variant.name == kind.variant);
        variant.and_then(|variant| TileSet::named(variant.draw_set)).ok_or_else(|| {
            tracing::error!(game = kind.game, variant = kind.variant, "no tile set for the draw");
            Problem::new(Code::Internal, "this game names no tiles to draw from")
        })
    }

    /// Whether robots play games of this kind.
    pub fn robots_play(&self, kind: &Kind) -> bool {
        self.game(kind).is_ok_and(|game| game.about().robots)
    }

    fn game(&self, kind: &Kind) -> Result<&Arc<dyn AnyGame>> {
        self.0.get(&kind.game, kind.version).ok_or_else(|| {
            let message = format!("this build has no {} of version {}", kind.game, kind.version);
            Problem::unavailable(message)
        })
    }
}

fn text(options: &[u8]) -> Result<&str> {
    if options.is_empty() {
        return Ok("{}");
    }
    if options.len() > OPTIONS_MAX {
        return Err(Problem::new(Code::TooLarge, format!("options have at most {OPTIONS_MAX} bytes")));
    }
    std::str::from_utf8(options).map_err(|_| Problem::invalid_argument("options must be JSON in UTF-8"))
}

/// Sets a table up on paper, since only the game knows which options can be played together.
/// The seed is a made-up one: nothing of this table is kept.
fn try_out(game: &dyn AnyGame, kind: &Kind) -> Result<()> {
    let opening = Opening {
        table: Uuid::nil(),
        game: kind.game.clone(),
        version: kind.version,
        seed: Seed::new([0; 32]),
        seats: kind.seats,
        options: kind.options.clone(),
        first_seat: Seat(0),
    };
    game.setup(Arc::new(opening)).map(drop).map_err(|error| refused(&error))
}

/// The variant may be named twice, but only once otherwise.
fn agree(variant: Option<&str>, options: &str) -> Result<()> {
    let members: Option<BTreeMap<String, Value>> = serde_json::from_str(options).ok();
    let other = members.as_ref().and_then(|members| members.get("variant")).and_then(Value::as_str);
    match (variant, other) {
        (Some(one), Some(other)) if one != other => {
            let (one, other) = (Quoted(one), Quoted(other));
            let why = format!("variant is {one} and options.variant {other}; name one of them");
            Err(Problem::invalid_argument(why))
        }
        _ => Ok(()),
    }
}

fn refused(error: &InvalidGame) -> Problem {
    Problem::invalid_argument(format!("{}: {}", error.place, error.why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_rules::kalah::game::Kalah;

    fn catalogue() -> Catalogue {
        Catalogue::new(Arc::new(Registry::new().with(Kalah)))
    }

    const KALAH: Wish<'static> =
        Wish { game: "kalah", variant: "", seats: None, options: b"", clock: None, best_of: 0 };

    #[test]
    fn defaults_are_filled_in_so_that_equal_wishes_are_one_kind() {
        let kind = catalogue().kind(&KALAH).expect("a kind");
        assert_eq!((kind.seats, kind.version), (2, 1));
        let same = Wish { seats: Some(2), options: br#"{ "seeds": 4 }"#, ..KALAH };
        assert_eq!(catalogue().kind(&same).map(|kind| kind.hash()), Ok(kind.hash()));
        let other = Wish { options: br#"{"seeds":5}"#, ..KALAH };
        assert_ne!(catalogue().kind(&other).map(|kind| kind.hash()), Ok(kind.hash()));
    }

    #[test]
    fn what_no_table_can_be_is_refused_with_the_place() {
        let no_time = ClockSettings::default();
        let refusals = [
            (Wish { game: "chess", ..KALAH }, Code::InvalidArgument, "kalah"),
            (Wish { variant: "no such", ..KALAH }, Code::InvalidArgument, "variant"),
            (Wish { seats: Some(3), ..KALAH }, Code::InvalidArgument, "2 to 2 seats"),
            (Wish { seats: Some(300), ..KALAH }, Code::InvalidArgument, "2 to 2 seats"),
            (Wish { options: br#"{"seeds":99}"#, ..KALAH }, Code::InvalidArgument, "options"),
            (Wish { options: br#"{"sedes":4}"#, ..KALAH }, Code::InvalidArgument, "options"),
            (Wish { options: b"{", ..KALAH }, Code::InvalidArgument, "options"),
            (Wish { options: &[0xff], ..KALAH }, Code::InvalidArgument, "UTF-8"),
            (Wish { options: &[b' '; 5000], ..KALAH }, Code::TooLarge, "4096"),
            (Wish { clock: Some(&no_time), ..KALAH }, Code::InvalidArgument, "clock.initial"),
            (Wish { best_of: 4, ..KALAH }, Code::InvalidArgument, "match.bestOf"),
            (
                Wish { variant: "standard", options: br#"{"variant":"other"}"#, ..KALAH },
                Code::InvalidArgument,
                r#"variant is "standard" and options.variant "other""#,
            ),
        ];
        for (wish, code, word) in refusals {
            let problem = catalogue().kind(&wish).expect_err(word);
            assert_eq!(problem.code, code, "{problem}");
            assert!(problem.message.contains(word), "{problem}");
        }
    }

    #[test]
    fn d1_a_game_without_tiles_names_the_set_it_draws_from() {
        let kind = catalogue().kind(&KALAH).expect("a kind");
        assert_eq!(catalogue().draw_set(&kind).map(TileSet::name), Ok("english"));
        assert!(catalogue().robots_play(&kind));
    }
}
