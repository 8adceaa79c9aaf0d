//! `astragal replay-check`: plays every stored table again with the rules of this binary, before it is
//! released. It needs no engine, and only reads: a database that is not there, or of an older schema, is refused.

use crate::flags::database::DatabaseFlags;
use crate::{games, roles};
use anyhow::{Result, bail};
use astragal_engine::replay_gate::{Checked, check};
use astragal_engine::store::review::Wanted;
use astragal_rules::crossword::dictionary::Dictionaries;
use astragal_runtime::id::TableId;
use clap::Args;

/// Tables that are asked for at once.
const PAGE: u32 = 1_000;

/// Where the tables are.
#[derive(Args)]
pub(crate) struct ReplayCheckSettings {
    #[command(flatten)]
    database: DatabaseFlags,
}

/// Prints what was found; fails if a table does not come out as it did.
pub(crate) fn run(settings: &ReplayCheckSettings) -> Result<()> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(check_all(settings))
}

#[expect(clippy::print_stdout, reason = "the summary is what the command is for")]
#[expect(clippy::print_stderr, reason = "a table that fails is named as it is found")]
async fn check_all(settings: &ReplayCheckSettings) -> Result<()> {
    let store = roles::tables_to_read(&settings.database.database("astragal-replay-check")).await?;
    let registry = games::registry(Dictionaries::default());
    let (mut tables, mut moves, mut crashed, mut wrong) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut after: Option<TableId> = None;
    loop {
        let page = store.find(Wanted { after, limit: PAGE, ..Wanted::default() }).await?;
        let Some(last) = page.last().copied() else { break };
        after = Some(last);
        for table in page {
            let Some(stored) = store.load(table).await? else { continue };
            tables += 1;
            let registry = registry.clone();
            match tokio::task::spawn_blocking(move || check(&registry, stored)).await? {
                Ok(Checked { moves: played, crashed: has_crashed }) => {
                    moves += u64::from(played);
                    crashed += u64::from(has_crashed);
                }
                Err(why) => {
                    wrong += 1;
                    eprintln!("table {table}: {why}");
                }
            }
        }
    }
    let right = tables - wrong;
    println!("{right} tables with {moves} moves come out as they did; {crashed} of them had crashed");
    if wrong > 0 {
        bail!("{wrong} of {tables} tables do not come out as they did; keep the rules that wrote them");
    }
    Ok(())
}
