//! The steps that a page holds: read from replay, with a line of text for each.

use astragal_proto::replay::v1::{TimelineHead, TimelinePart, TimelineRequest, TimelineStep};
use astragal_runtime::error::{Problem, Result};
use astragal_runtime::id::TableId;
use serde::Serialize;
use serde_json::Value;
use tokio_stream::StreamExt;

use super::log_line::{Told, line};
use crate::gateway::Gateway;

/// Steps that one page holds; of a longer game it loads others when it comes to them.
pub(super) const BLOCK: u32 = 1_000;

/// A block of a timeline.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Block {
    /// The number of the first step.
    pub(super) from: u32,
    pub(super) moves: u32,
    pub(super) revision: u32,
    pub(super) over: bool,
    pub(super) description: Value,
    pub(super) steps: Vec<Step>,
    /// Why there are no more, if something broke.
    pub(super) broken: Option<String>,
}

/// One step.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Step {
    pub(super) line: String,
    pub(super) view: Value,
    pub(super) notes: Value,
    pub(super) to_move: Vec<u32>,
}

/// The steps of a table from one to another, or to the end of the block that begins there.
pub(super) async fn block(
    gateway: &Gateway,
    table: TableId,
    from: u32,
    to: Option<u32>,
    looker: &str,
    names: &[String],
) -> Result<Block> {
    let last = from.saturating_add(BLOCK - 1);
    let to = Some(to.map_or(last, |to| to.min(last)));
    let request = TimelineRequest { table_id: table.to_string(), from, to, looker: looker.to_owned() };
    let roles = gateway.roles();
    let mut parts = roles.answer(roles.replay_of(table)?.timeline(request)).await?;
    let (mut head, mut steps, mut broken) = (None, Vec::new(), None);
    while let Some(part) = parts.next().await {
        match part {
            Ok(TimelinePart { head: first, steps: more }) => {
                head = head.or(first);
                steps.extend(more.iter().map(|step| told(step, names)));
            }
            Err(status) => {
                broken = Some(Problem::from(status));
                break;
            }
        }
    }
    let head: TimelineHead = match (head, broken.clone()) {
        (Some(head), _) => head,
        (None, Some(problem)) => return Err(problem),
        (None, None) => return Err(Problem::unavailable("the steps broke off; load the page again")),
    };
    Ok(Block {
        from,
        moves: head.moves,
        revision: head.revision,
        over: head.over,
        description: value(&head.description),
        steps,
        broken: broken.map(|problem| problem.message),
    })
}

fn told(step: &TimelineStep, names: &[String]) -> Step {
    let (action, notes, view) = (value(&step.r#move), value(&step.annotations), value(&step.view));
    let told = Told {
        number: step.number,
        seat: step.seat,
        action: &action,
        notes: &notes,
        view: &view,
        taken_back: step.taken_back,
    };
    Step { line: line(&told, names), view, notes, to_move: step.to_move.clone() }
}

fn value(text: &[u8]) -> Value {
    serde_json::from_slice(text).unwrap_or_default()
}
