//! The games of a series.

use astragal_proto::engine::v1::GetSeriesRequest;
use astragal_proto::gateway::v1::Series;
use astragal_runtime::id::SeriesId;
use axum::Json;
use axum::extract::{Path, State};

use super::refusal::Refusal;
use crate::compose::table;
use crate::gateway::Gateway;

/// `GET /v1/series/{id}`.
pub(super) async fn series(
    State(gateway): State<Gateway>,
    Path(id): Path<String>,
) -> Result<Json<Series>, Refusal> {
    let id = SeriesId::parse("id", &id)?.to_string();
    let roles = gateway.roles();
    let request = GetSeriesRequest { series_id: id.clone() };
    let games = roles.answer(roles.series().get_series(request)).await?.series;
    Ok(Json(table::series(id, &games)))
}
