//! Whether a schema is the one that this build knows, whatever database it lies in.

use sqlx::migrate::Migrator;

/// In what a schema differs, by the number of a migration.
pub(super) enum Difference {
    /// One that this build lacks was applied.
    Newer(i64),
    /// One that was applied is another one here.
    OtherBuild(i64),
    /// One that this build knows was not applied.
    Older(i64),
}

/// Compares the migrations that were applied, in their order and with their digests, with those of this build.
pub(super) fn compare(applied: &[(i64, Vec<u8>)], migrator: &Migrator) -> Result<(), Difference> {
    let known = || migrator.iter().filter(|migration| !migration.migration_type.is_down_migration());
    for (migration, checksum) in applied {
        let Some(known) = known().find(|known| known.version == *migration) else {
            return Err(Difference::Newer(*migration));
        };
        if *known.checksum != **checksum {
            return Err(Difference::OtherBuild(*migration));
        }
    }
    let is_missing = |version| applied.iter().all(|(migration, _)| *migration != version);
    match known().find(|known| is_missing(known.version)) {
        Some(missing) => Err(Difference::Older(missing.version)),
        None => Ok(()),
    }
}
