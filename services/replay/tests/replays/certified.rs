//! What an engine writes holds as a certificate, whatever happened at the table.

use crate::house::{House, games};
use astragal_proto::engine::v1::play_request::Action;
use astragal_proto::engine::v1::{
    AbortAction, CancelTableRequest, GetTableRequest, LeaveAction, MoveAction, Occupant, OpenTableRequest,
    PlayRequest, SeatPlayerRequest, UndoAction,
};
use astragal_rules::certificate::Certificate;
use astragal_runtime::id::{AccountId, RequestId, TableId};
use astragal_runtime::time_control::TimeControl;

struct Table<'h> {
    house: &'h House,
    id: String,
    accounts: [AccountId; 2],
}

impl<'h> Table<'h> {
    /// A table at which only the opener sits.
    async fn open(house: &'h House, clock: Option<TimeControl>) -> Self {
        let (id, accounts) = (TableId::new().to_string(), [AccountId::new(), AccountId::new()]);
        let asked = OpenTableRequest {
            table_id: id.clone(),
            game: "kalah".to_owned(),
            seats: 2,
            occupants: vec![occupant(0, accounts[0])],
            clock: clock.map(TimeControl::to_wire),
            ..OpenTableRequest::default()
        };
        house.tables.clone().open_table(asked).await.expect("a table");
        Self { house, id, accounts }
    }

    async fn fill(&self) {
        let occupant = Some(occupant(1, self.accounts[1]));
        let asked = SeatPlayerRequest { table_id: self.id.clone(), occupant };
        self.house.tables.clone().seat_player(asked).await.expect("a seat");
    }

    async fn play(&self, seat: usize, action: Action) {
        let asked = PlayRequest {
            table_id: self.id.clone(),
            account_id: self.accounts[seat].to_string(),
            request_id: RequestId::new().to_string(),
            action: Some(action),
            ..PlayRequest::default()
        };
        self.house.tables.clone().play(asked).await.expect("an action");
    }

    async fn sow(&self, seat: usize, revision: u32, pit: u8) {
        let r#move = format!(r#"{{"pit":{pit}}}"#).into();
        self.play(seat, Action::Move(MoveAction { revision, r#move })).await;
    }

    async fn until_over(&self) {
        loop {
            let asked = GetTableRequest { table_id: self.id.clone(), ..GetTableRequest::default() };
            let answered = self.house.tables.clone().get_table(asked).await.expect("a table").into_inner();
            if answered.table.expect("a view").phase == "over" {
                return;
            }
            tokio::task::yield_now().await;
        }
    }

    /// The certificate, which holds, and the log, which does too.
    async fn certified(&self) -> Certificate {
        let text = self.house.certificate(&self.id).await;
        let certificate = Certificate::from_json(&text).expect("a certificate");
        certificate.check(&games()).expect("a certificate that holds");
        let log = self.house.log(&self.id).await.to_string();
        let verdict = self.house.verify(log, &certificate.commitment.to_string()).await.expect("a verdict");
        assert!(verdict.holds, "{verdict:?}");
        certificate
    }
}

fn occupant(seat: u32, account: AccountId) -> Occupant {
    Occupant { seat, account_id: account.to_string(), robot_level: 0 }
}

/// P5, D8, G3, L12: moves before the last seat is taken, one that is taken back, and the flag at the end.
#[tokio::test]
async fn p5_g3_a_game_against_the_clock_is_certified() {
    let house = House::open().await;
    let control = TimeControl::SuddenDeath { initial_ms: 2_000, increment_ms: 0 };
    let table = Table::open(&house, Some(control)).await;
    table.sow(0, 1, 1).await;
    table.fill().await;
    table.sow(1, 3, 1).await;
    table.play(1, Action::Undo(UndoAction { revision: 4 })).await;
    table.sow(1, 5, 2).await;
    table.until_over().await;
    let certificate = table.certified().await;
    assert_eq!((certificate.outcome.reason.as_str(), certificate.journal.len()), ("time", 7));
    assert!(certificate.clock.is_some() && certificate.journal[2].runs.is_some());
}

/// P5, D8: given up before a move, left after some, and while nobody had come yet although the opener moved.
#[tokio::test]
async fn p5_d8_games_that_were_given_up_are_certified() {
    let house = House::open().await;
    let aborted = Table::open(&house, None).await;
    aborted.fill().await;
    aborted.play(1, Action::Abort(AbortAction {})).await;
    let left = Table::open(&house, None).await;
    left.fill().await;
    left.sow(0, 2, 1).await;
    left.play(0, Action::Leave(LeaveAction {})).await;
    let cancelled = Table::open(&house, None).await;
    cancelled.sow(0, 1, 1).await;
    let asked = CancelTableRequest { table_id: cancelled.id.clone() };
    house.tables.clone().cancel_table(asked).await.expect("the end");
    for (table, reason, moves) in [(&aborted, "aborted", 1), (&left, "left", 2), (&cancelled, "aborted", 2)] {
        let certificate = table.certified().await;
        assert_eq!(
            (certificate.outcome.reason.as_str(), certificate.log.log().moves().len()),
            (reason, moves)
        );
    }
}
