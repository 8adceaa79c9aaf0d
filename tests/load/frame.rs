//! The frames that the load tool reads and writes, as text. Frames that it has no use for are
//! `Other`; it never checks more than it needs to trust the figures.

use crate::board::PITS;
use crate::scan::Scan;
use anyhow::Result;

/// What a frame shows of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) pits: [[u16; PITS]; 2],
    pub(crate) stores: [u16; 2],
}

/// `onGameUpdate`.
#[derive(Debug, Default)]
pub(crate) struct Update<'a> {
    pub(crate) game_id: &'a [u8],
    pub(crate) revision: u32,
    pub(crate) number: u32,
    pub(crate) seat: Option<u32>,
    pub(crate) pit: Option<u32>,
    pub(crate) to_move: Option<u32>,
    pub(crate) shown: Shown,
}

/// A table, in an answer or in `onGameStart`.
#[derive(Debug, Default)]
pub(crate) struct Table<'a> {
    pub(crate) game_id: &'a [u8],
    pub(crate) revision: u32,
    pub(crate) your_seat: Option<u32>,
    pub(crate) first_seat: u32,
    /// Whether a seat is empty.
    pub(crate) waits: bool,
    pub(crate) shown: Shown,
}

/// A frame of the server.
#[derive(Debug)]
pub(crate) enum Frame<'a> {
    Ack { game_id: &'a [u8], revision: u32 },
    Searching { game_id: &'a [u8], joined: bool },
    SeatTaken { game_id: &'a [u8] },
    Start { answer: bool, table: Table<'a> },
    Table(Table<'a>),
    Update(Update<'a>),
    End { game_id: &'a [u8] },
    RematchRequest { game_id: &'a [u8] },
    RematchEnded { reason: &'a [u8] },
    Error { code: &'a [u8], message: &'a [u8] },
    Other,
}

impl<'a> Frame<'a> {
    /// Reads a text frame.
    pub(crate) fn read(text: &'a [u8]) -> Result<Self> {
        let mut answer = false;
        let mut frame = Self::Other;
        Scan::new(text).object(|key, scan| {
            match key {
                b"replyTo" => {
                    answer = true;
                    scan.skip()?;
                }
                b"onGameUpdate" => frame = Self::Update(update(scan)?),
                b"ack" => {
                    let (game_id, revision) = game_and_revision(scan)?;
                    frame = Self::Ack { game_id, revision };
                }
                b"onGameEnd" => frame = Self::End { game_id: game_and_revision(scan)?.0 },
                b"onRematchRequest" => {
                    frame = Self::RematchRequest { game_id: game_and_revision(scan)?.0 };
                }
                b"onRematchEnded" => frame = Self::RematchEnded { reason: reason(scan)? },
                b"searching" => frame = searching(scan)?,
                b"onSeatTaken" => frame = Self::SeatTaken { game_id: game_and_revision(scan)?.0 },
                b"onGameStart" => {
                    let mut inside = Table::default();
                    scan.object(|key, scan| {
                        match key {
                            b"table" => inside = table(scan)?,
                            _ => scan.skip()?,
                        }
                        Ok(())
                    })?;
                    frame = Self::Start { answer: false, table: inside };
                }
                b"table" => frame = Self::Table(table(scan)?),
                b"error" => frame = error(scan)?,
                _ => scan.skip()?,
            }
            Ok(())
        })?;
        if let Self::Start { answer: is_answer, .. } = &mut frame {
            *is_answer = answer;
        }
        Ok(frame)
    }
}

fn game_and_revision<'a>(scan: &mut Scan<'a>) -> Result<(&'a [u8], u32)> {
    let mut found = (&b""[..], 0);
    scan.object(|key, scan| {
        match key {
            b"gameId" => found.0 = scan.string()?,
            b"revision" => found.1 = scan.number()?,
            _ => scan.skip()?,
        }
        Ok(())
    })?;
    Ok(found)
}

fn searching<'a>(scan: &mut Scan<'a>) -> Result<Frame<'a>> {
    let (mut game_id, mut joined) = (&b""[..], false);
    scan.object(|key, scan| {
        match key {
            b"gameId" => game_id = scan.string()?,
            b"joined" => joined = scan.truth()?,
            _ => scan.skip()?,
        }
        Ok(())
    })?;
    Ok(Frame::Searching { game_id, joined })
}

fn reason<'a>(scan: &mut Scan<'a>) -> Result<&'a [u8]> {
    let mut reason = &b""[..];
    scan.object(|key, scan| {
        match key {
            b"reason" => reason = scan.string()?,
            _ => scan.skip()?,
        }
        Ok(())
    })?;
    Ok(reason)
}

fn update<'a>(scan: &mut Scan<'a>) -> Result<Update<'a>> {
    let mut update = Update::default();
    scan.object(|key, scan| {
        match key {
            b"gameId" => update.game_id = scan.string()?,
            b"revision" => update.revision = scan.number()?,
            b"number" => update.number = scan.number()?,
            b"seat" => update.seat = Some(scan.number()?),
            b"move" => update.pit = pit(scan)?,
            b"toMove" => scan.array(|_, scan| {
                update.to_move = Some(scan.number()?);
                Ok(())
            })?,
            b"view" => update.shown = shown(scan)?,
            _ => scan.skip()?,
        }
        Ok(())
    })?;
    Ok(update)
}

fn pit(scan: &mut Scan<'_>) -> Result<Option<u32>> {
    let mut pit = None;
    scan.object(|key, scan| {
        match key {
            b"pit" => pit = Some(scan.number()?),
            _ => scan.skip()?,
        }
        Ok(())
    })?;
    Ok(pit)
}

fn table<'a>(scan: &mut Scan<'a>) -> Result<Table<'a>> {
    let mut table = Table::default();
    scan.object(|key, scan| {
        match key {
            b"gameId" => table.game_id = scan.string()?,
            b"revision" => table.revision = scan.number()?,
            b"yourSeat" => table.your_seat = Some(scan.number()?),
            b"firstSeat" => table.first_seat = scan.number()?,
            b"phase" => table.waits = scan.string()? == b"waiting",
            b"view" => table.shown = shown(scan)?,
            _ => scan.skip()?,
        }
        Ok(())
    })?;
    Ok(table)
}

fn shown(scan: &mut Scan<'_>) -> Result<Shown> {
    let mut shown = Shown::default();
    scan.object(|key, scan| match key {
        b"pits" => scan.array(|seat, scan| {
            scan.array(|pit, scan| {
                let seeds = scan.number()? as u16;
                if let Some(place) = shown.pits.get_mut(seat).and_then(|side| side.get_mut(pit)) {
                    *place = seeds;
                }
                Ok(())
            })
        }),
        b"stores" => scan.array(|seat, scan| {
            let seeds = scan.number()? as u16;
            if let Some(store) = shown.stores.get_mut(seat) {
                *store = seeds;
            }
            Ok(())
        }),
        _ => scan.skip(),
    })?;
    Ok(shown)
}

fn error<'a>(scan: &mut Scan<'a>) -> Result<Frame<'a>> {
    let (mut code, mut message) = (&b""[..], &b""[..]);
    scan.object(|key, scan| {
        match key {
            b"code" => code = scan.string()?,
            b"message" => message = scan.string()?,
            _ => scan.skip()?,
        }
        Ok(())
    })?;
    Ok(Frame::Error { code, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_is_read_whole() {
        let text = br#"{"onGameUpdate":{"gameId":"g","revision":13,"number":12,"seat":0,"move":{"pit":3},
            "annotations":{"seat":9},"drew":false,"view":{"pits":[[1,2,3,4,5,6],[7,8,9,10,11,12]],"stores":[13,14]},
            "toMove":[1],"legalMoves":[{"pit":1}],"viewHash":"00"}}"#;
        let Frame::Update(update) = Frame::read(text).unwrap() else { panic!("not an update") };
        assert_eq!((update.game_id, update.revision, update.number), (&b"g"[..], 13, 12));
        assert_eq!((update.seat, update.pit, update.to_move), (Some(0), Some(3), Some(1)));
        let pits = [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]];
        assert_eq!(update.shown, Shown { pits, stores: [13, 14] });
    }

    #[test]
    fn answers_and_events_are_told_apart() {
        let start = r#""onGameStart":{"table":{"gameId":"g","yourSeat":1,"firstSeat":1,"revision":2}}"#;
        for (text, is_answer) in
            [(format!(r#"{{"replyTo":"7",{start}}}"#), true), (format!("{{{start}}}"), false)]
        {
            let Frame::Start { answer, table } = Frame::read(text.as_bytes()).unwrap() else {
                panic!("{text}")
            };
            assert_eq!(
                (answer, table.your_seat, table.first_seat, table.revision),
                (is_answer, Some(1), 1, 2)
            );
        }
        let ack = br#"{"replyTo":"7","ack":{"gameId":"g","revision":5}}"#;
        assert!(matches!(Frame::read(ack).unwrap(), Frame::Ack { game_id: b"g", revision: 5 }));
        for (searching, expected) in [
            (&br#"{"searching":{"gameId":"g","joined":true}}"#[..], true),
            (br#"{"searching":{"joined":false,"gameId":"g"}}"#, false),
        ] {
            let frame = Frame::read(searching).unwrap();
            assert!(
                matches!(frame, Frame::Searching { game_id: b"g", joined } if joined == expected),
                "{frame:?}"
            );
        }
        let seat = br#"{"onSeatTaken":{"gameId":"g","revision":1,"seat":0,"name":"x","robot":false}}"#;
        assert!(matches!(Frame::read(seat).unwrap(), Frame::SeatTaken { game_id: b"g" }));
        for (phase, expected) in [("waiting", true), ("playing", false)] {
            let text = format!(r#"{{"onGameStart":{{"table":{{"gameId":"g","phase":"{phase}"}}}}}}"#);
            let Frame::Start { table, .. } = Frame::read(text.as_bytes()).unwrap() else { panic!("{text}") };
            assert_eq!(table.waits, expected);
        }
        let error = br#"{"replyTo":"7","error":{"code":"ILLEGAL_MOVE","message":"no","details":null}}"#;
        assert!(matches!(
            Frame::read(error).unwrap(),
            Frame::Error { code: b"ILLEGAL_MOVE", message: b"no" }
        ));
        assert!(matches!(Frame::read(br#"{"onPresence":{"gameId":"g"}}"#).unwrap(), Frame::Other));
    }
}
