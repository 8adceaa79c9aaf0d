//! Dare: everybody chooses in secret; the odd seat chooses another number in each world, and the game is left
//! before all have chosen, since then it shows.

use super::{Sight, Subject};
use crate::toys::random::Whim;
use astragal_rules::seat::Seat;
use serde_json::{Value, json};

pub(crate) struct Dare;

impl Subject for Dare {
    fn name(&self) -> &'static str {
        "dare"
    }

    fn table(&self, whim: &mut Whim) -> (u8, Value) {
        (2 + whim.below(3) as u8, json!({ "rounds": 2 }))
    }

    fn moves(&self, _twins: [&Sight<'_>; 2], seat: Seat, odd: Seat, whim: &mut Whim) -> Option<[String; 2]> {
        let one = 1 + whim.below(3);
        let other = if seat == odd { 1 + one % 3 } else { one };
        Some([one, other].map(|dice| json!({ "dice": dice }).to_string()))
    }

    fn known(&self, state: &Value, but: Seat) -> Value {
        let mut known = state.clone();
        let chosen = &mut known["data"]["chosen"][but.index()];
        *chosen = json!(*chosen != json!(null) && *chosen != json!(false));
        known
    }

    fn refused(&self) -> Vec<Value> {
        vec![json!({ "dice": 0 }), json!({ "dice": 9 }), json!({ "pit": 1 })]
    }
}
