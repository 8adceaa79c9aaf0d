//! Kalah hides nothing, so both worlds are the same; it holds the oracle to its word that nothing else differs.

use super::{Sight, Subject};
use crate::toys::random::Whim;
use astragal_rules::seat::Seat;
use serde_json::{Value, json};

pub(crate) struct Kalah;

impl Subject for Kalah {
    fn name(&self) -> &'static str {
        "kalah"
    }

    fn table(&self, _whim: &mut Whim) -> (u8, Value) {
        (2, json!({}))
    }

    fn moves(&self, twins: [&Sight<'_>; 2], seat: Seat, _odd: Seat, whim: &mut Whim) -> Option<[String; 2]> {
        let listed = twins[0].0.legal_moves(seat).ok()??;
        let listed: Vec<Value> = serde_json::from_str(&listed).ok()?;
        let action = listed.get(whim.below(listed.len()))?.to_string();
        Some([action.clone(), action])
    }

    fn known(&self, state: &Value, __but: Seat) -> Value {
        state.clone()
    }

    fn refused(&self) -> Vec<Value> {
        vec![json!({ "pit": 0 }), json!({ "pit": 7 }), json!({ "throw": 1 })]
    }
}
