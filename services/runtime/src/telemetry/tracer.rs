//! Begins traces, chooses those that are sampled, and hands finished spans to whoever records them. It knows
//! no exporter.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::context::TraceContext;
use super::span::{Finished, Kind, Span};
use crate::entropy::Entropy;
use crate::error::Result;

/// The increment of a Weyl sequence: it comes to every number of 64 bits once.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Takes what is recorded.
pub trait Recorder: Send + Sync {
    /// Keeps or sends one span; never waits.
    fn record(&self, span: Finished);
}

/// Begins traces; cheap to clone. The default one begins none.
#[derive(Clone, Default)]
pub struct Tracer(Option<Arc<Inner>>);

struct Inner {
    ids: AtomicU64,
    sampling: Sampling,
    recorder: Option<Box<dyn Recorder>>,
}

#[derive(Clone, Copy)]
enum Sampling {
    All,
    /// Traces half of whose id is below.
    Below(u64),
}

impl Tracer {
    /// Samples a share of all traces, from 0 to 1. Without a recorder spans are for log lines only.
    pub fn new(share: f64, recorder: Option<Box<dyn Recorder>>, entropy: &dyn Entropy) -> Result<Self> {
        let mut first = [0; 8];
        entropy.fill(&mut first)?;
        let ids = AtomicU64::new(u64::from_le_bytes(first));
        Ok(Self(Some(Arc::new(Inner { ids, sampling: Sampling::of(share), recorder }))))
    }

    /// The beginning of a trace: something that this process does by itself.
    pub fn root(&self, name: impl Into<Cow<'static, str>>) -> Span {
        self.begin(Kind::Inner, name.into())
    }

    /// The answer to somebody else: part of their trace, if they named one.
    pub fn serve(&self, name: impl Into<Cow<'static, str>>, caller: Option<TraceContext>) -> Span {
        let Some(caller) = caller else { return self.begin(Kind::Server, name.into()) };
        let mut span = self.part(Kind::Server, name.into(), caller);
        span.parent_is_remote = true;
        span
    }

    fn begin(&self, kind: Kind, name: Cow<'static, str>) -> Span {
        let context = self.0.as_ref().map(|inner| {
            let (high, low) = (inner.id(), inner.id());
            let sampled = match inner.sampling {
                Sampling::All => true,
                Sampling::Below(bound) => low < bound,
            };
            let trace_id = u128::from(high) << 64 | u128::from(low);
            TraceContext { trace_id, span_id: inner.id(), sampled }
        });
        Span::new(self.clone(), kind, name, context, None)
    }

    /// A part of another span.
    pub(super) fn part(&self, kind: Kind, name: Cow<'static, str>, whole: TraceContext) -> Span {
        let context = self.0.as_ref().map(|inner| TraceContext { span_id: inner.id(), ..whole });
        Span::new(self.clone(), kind, name, context, Some(whole.span_id))
    }

    /// Who records, if anybody does.
    pub(super) fn recorder(&self) -> Option<&dyn Recorder> {
        self.0.as_ref().and_then(|inner| inner.recorder.as_deref())
    }
}

impl Inner {
    /// Never 0, and none twice in a process for a very long time.
    fn id(&self) -> u64 {
        let mut id = self.ids.fetch_add(STEP, Ordering::Relaxed);
        id = (id ^ (id >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        id = (id ^ (id >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (id ^ (id >> 31)).max(1)
    }
}

impl Sampling {
    #[expect(
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share from 0 to 1 of a large number, which needs no exact border"
    )]
    fn of(share: f64) -> Self {
        if share >= 1.0 { Self::All } else { Self::Below((share.max(0.0) * u64::MAX as f64) as u64) }
    }
}

impl fmt::Debug for Tracer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.recorder().is_some() { "Tracer(recording)" } else { "Tracer" })
    }
}
