//! Certificates: put together from the log, the journal and the draw.

use crate::Parts;
use astragal_proto::engine::v1::{ClockSettings, JournalEntry, JournalHead};
use astragal_proto::gateway::v1::SeriesGame as WireGame;
use astragal_proto::seeding::v1::{Draw, Pick};
use astragal_rules::certificate::draw::{DrawRecord, PickRecord};
use astragal_rules::certificate::journal::{Event, Record};
use astragal_rules::certificate::{Certificate, ClockRecord, SeriesGame, SeriesRecord};
use astragal_rules::finished_log::Sitter;
use astragal_rules::outcome::Outcome;
use astragal_rules::seat::Seat;
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;
use astragal_runtime::time_control::TimeControl;

impl Parts {
    /// The certificate of a game that is over, as its file's text.
    pub(crate) async fn certificate(&self, table: TableId, draw: Option<Draw>) -> Result<String> {
        let mut journal = Vec::new();
        let take = |entry: &JournalEntry| {
            journal.push(record(entry)?);
            Ok(())
        };
        let (log, head) = self.engine.finished(table, take).await?;
        let certificate = Certificate {
            commitment: head.commitment.parse().map_err(|error| Problem::internal(&error))?,
            clock: clock(head.time_control.as_ref())?,
            draw: draw.map(draw_record).transpose()?,
            series: series(&head)?,
            opened_at_us: head
                .started_at
                .map_or(0, |at| at.seconds * 1_000_000 + i64::from(at.nanos) / 1_000),
            outcome: outcome(&head)?,
            journal,
            log,
        };
        let write = move || certificate.to_json();
        let text = tokio::task::spawn_blocking(write).await.map_err(|error| Problem::internal(&error))?;
        text.map_err(|error| Problem::internal(&error))
    }
}

fn record(entry: &JournalEntry) -> Result<Record> {
    let seat = entry.seat.map(seat).transpose()?;
    let text = || String::from_utf8_lossy(&entry.content).into_owned();
    let event = match entry.kind.as_str() {
        "move" => Event::Move {
            number: entry.number,
            seat,
            action: serde_json::from_slice(&entry.content).map_err(|error| Problem::internal(&error))?,
            drew: entry.drew,
        },
        "undo" => Event::Undo { number: entry.number, seat },
        "seat_taken" => Event::SeatTaken {
            seat: seat.ok_or_else(unknown)?,
            sitter: match u8::try_from(entry.robot_level).map_err(|_| unknown())? {
                0 => Sitter::Player {},
                level => Sitter::Robot { level },
            },
        },
        "clock_stopped" => Event::ClockStopped { reason: text() },
        "clock_resumed" => Event::ClockResumed {},
        _ => return Err(unknown()),
    };
    Ok(Record {
        revision: entry.revision,
        at_us: entry.at_us,
        event,
        state: Some(hex::encode(&entry.state_hash)).filter(|hash| !hash.is_empty()),
        spent_us: entry.spent_us,
        credit_us: entry.credit_us,
        runs: entry.runs.map(self::seat).transpose()?,
    })
}

fn clock(settings: Option<&ClockSettings>) -> Result<Option<ClockRecord>> {
    Ok(TimeControl::read(settings)?.map(|control| match control {
        TimeControl::SuddenDeath { initial_ms, increment_ms } => {
            ClockRecord::Total { initial_ms, increment_ms }
        }
        TimeControl::PerMove { per_move_ms } => ClockRecord::PerMove { per_move_ms },
    }))
}

fn draw_record(draw: Draw) -> Result<DrawRecord> {
    let firsts = draw.participants.iter().map(|participant| participant.firsts.unwrap_or_default());
    let firsts = draw.balanced.then(|| firsts.collect());
    let reused_from = draw.reused_from.map(|id| id.parse().map_err(|_| unknown())).transpose()?;
    let rounds = draw.rounds.into_iter();
    let rounds = rounds.map(|round| round.picks.into_iter().map(pick_record).collect());
    Ok(DrawRecord {
        tile_set: draw.tile_set,
        winner: draw.winner.and_then(|winner| u8::try_from(winner).ok()).ok_or_else(unknown)?,
        firsts,
        reused_from,
        rounds: rounds.collect::<Result<_>>()?,
    })
}

fn pick_record(pick: Pick) -> Result<PickRecord> {
    let proof = |text: String| Some(text).filter(|text| !pick.recorded && !text.is_empty());
    Ok(PickRecord {
        participant: u8::try_from(pick.participant).map_err(|_| unknown())?,
        seat: pick.seat.and_then(|seat| u8::try_from(seat).ok()).ok_or_else(unknown)?,
        letter: pick.letter,
        blank: pick.blank,
        rank: i8::try_from(pick.rank).map_err(|_| unknown())?,
        recorded: pick.recorded,
        entropy_sha256: proof(pick.entropy_sha256),
        entropy: proof(pick.entropy),
    })
}

fn series(head: &JournalHead) -> Result<SeriesRecord> {
    let games: Vec<WireGame> =
        serde_json::from_slice(&head.series).map_err(|error| Problem::internal(&error))?;
    let game = |game: WireGame| {
        Ok(SeriesGame {
            table: game.game_id.parse().map_err(|_| unknown())?,
            first_seat: seat(game.first_seat)?,
            reason: game.reason,
            winner: game.winner.map(seat).transpose()?,
            scores: game.scores,
        })
    };
    let id = Some(head.series_id.as_str()).filter(|id| !id.is_empty());
    Ok(SeriesRecord {
        id: id.map(|id| id.parse().map_err(|_| unknown())).transpose()?,
        games: games.into_iter().map(game).collect::<Result<_>>()?,
    })
}

fn outcome(head: &JournalHead) -> Result<Outcome> {
    let outcome = head.outcome.as_ref().ok_or_else(unknown)?;
    let value = serde_json::json!({
        "results": outcome.results, "reason": outcome.reason, "scores": outcome.scores,
    });
    serde_json::from_value(value).map_err(|error| Problem::internal(&error))
}

fn seat(seat: u32) -> Result<Seat> {
    u8::try_from(seat).map(Seat).map_err(|_| unknown())
}

/// Engine and replay are of builds that don't know each other.
fn unknown() -> Problem {
    Problem::unavailable("the engine says something that this build doesn't know; update both")
}
