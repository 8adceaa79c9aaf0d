//! Tells what was decided: by whoever decided it, at once; and by anyone, if that one is gone. What is told
//! twice has the same name both times.

use crate::machine::Notice;
use crate::store::{Letter, Message, OfferStore};
use astragal_proto::engine::v1::table_event::Kind as TableKind;
use astragal_proto::engine::v1::{NextGame, TableEvent};
use astragal_proto::matchmaking::v1::AccountEvent;
use astragal_proto::matchmaking::v1::account_event::Kind as AccountKind;
use astragal_proto::rematch::v1::{RematchEnded, RematchRequested};
use astragal_runtime::bus::{self, Bus, Topic};
use astragal_runtime::error::Result;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A letter that has waited for so long was written by somebody who is gone.
const ABANDONED_AFTER: Duration = Duration::from_secs(3);
/// Letters that are looked for at once.
const LETTERS_MAX: u32 = 256;

/// Puts letters on the bus.
pub(crate) struct Teller {
    store: Arc<dyn OfferStore>,
    bus: Bus,
    /// What was told and is still in the outbox: of the last round, and of the one before.
    told: Mutex<(Vec<String>, Vec<String>)>,
}

impl Teller {
    pub(crate) fn new(store: Arc<dyn OfferStore>, bus: Bus) -> Self {
        Self { store, bus, told: Mutex::default() }
    }

    /// Tells what was just decided.
    pub(crate) fn tell(&self, letters: Vec<Letter>) {
        if letters.is_empty() {
            return;
        }
        for letter in &letters {
            self.publish(letter);
        }
        self.told
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .0
            .extend(letters.into_iter().map(|letter| letter.id));
    }

    /// Takes out of the outbox what was told a round ago, by when the bus has it, and tells what others
    /// have left there.
    pub(crate) async fn round(&self) -> Result<()> {
        let told = {
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            let now = std::mem::take(&mut told.0);
            std::mem::replace(&mut told.1, now)
        };
        if !told.is_empty() {
            self.store.told(&told).await?;
        }
        self.tell(self.store.untold(ABANDONED_AFTER, LETTERS_MAX).await?);
        Ok(())
    }

    fn publish(&self, letter: &Letter) {
        match &letter.message {
            Message::ToPlayer { account, game, notice } => {
                let game_id = game.to_string();
                let kind = match notice {
                    Notice::Requested { from_seat, expires_at } => {
                        AccountKind::RematchRequested(RematchRequested {
                            game_id,
                            from_seat: (*from_seat).into(),
                            expires_at: Some((*expires_at).into()),
                        })
                    }
                    Notice::Ended(reason) => AccountKind::RematchEnded(RematchEnded {
                        game_id,
                        reason: reason.as_str().to_owned(),
                    }),
                };
                let event = AccountEvent {
                    account_id: account.to_string(),
                    kind: Some(kind),
                    event_id: letter.id.clone(),
                };
                self.bus.publish(Topic::Account(*account), &bus::Message::Account(Arc::new(event)));
            }
            Message::ToViewers { game, next } => {
                let event = TableEvent {
                    table_id: game.to_string(),
                    kind: Some(TableKind::NextGame(NextGame { table_id: next.to_string() })),
                    ..TableEvent::default()
                };
                self.bus.publish(Topic::Table(*game), &bus::Message::Table(Arc::new(event)));
            }
        }
    }
}
