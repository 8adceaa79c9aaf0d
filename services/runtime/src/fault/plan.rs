//! What is to go wrong, where, and when: read from text, and counted while it is carried out.

use std::process::Command;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Point;
use crate::error::{Problem, Result};

const FORM: &str = "write faults as POINT=kill@N, POINT=stop@N or POINT=drop@N%, with commas between them";

/// Everything that is to go wrong in one process.
#[derive(Debug)]
pub(super) struct Plan(Vec<Fault>);

#[derive(Debug)]
struct Fault {
    point: Point,
    act: Act,
    /// How often the point was reached.
    reached: AtomicU64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// Sends the process a signal when it gets here for the `at`th time.
    Signal { signal: &'static str, at: u64 },
    /// Loses so many of a hundred.
    Drop { percent: u64 },
}

impl Plan {
    /// Counts a step, and sends the signal whose turn it is.
    pub(super) fn reach(&self, point: Point) {
        for fault in self.at(point) {
            if let Act::Signal { signal, at } = fault.act
                && fault.reached.fetch_add(1, Ordering::Relaxed) + 1 == at
            {
                strike(signal);
            }
        }
    }

    /// Whether what goes out here now is lost.
    pub(super) fn loses(&self, point: Point) -> bool {
        self.at(point).any(|fault| match fault.act {
            Act::Drop { percent } => mixed(fault.reached.fetch_add(1, Ordering::Relaxed)) % 100 < percent,
            Act::Signal { .. } => false,
        })
    }

    fn at(&self, point: Point) -> impl Iterator<Item = &Fault> {
        self.0.iter().filter(move |fault| fault.point == point)
    }
}

impl FromStr for Plan {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self> {
        text.split(',').map(|fault| fault.trim().parse()).collect::<Result<_>>().map(Self)
    }
}

impl FromStr for Fault {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || Problem::invalid_argument(format!("{text:?} is no fault; {FORM}"));
        let (name, act) = text.split_once('=').ok_or_else(wrong)?;
        let point = Point::ALL.into_iter().find(|point| point.name() == name).ok_or_else(|| {
            let names = Point::ALL.map(Point::name).join(", ");
            Problem::invalid_argument(format!("there is no fault point {name:?}; there are {names}"))
        })?;
        let act = match act.split_once('@') {
            Some(("kill", at)) => signal("-KILL", at),
            Some(("stop", at)) => signal("-STOP", at),
            Some(("drop", share)) if point.can_lose() => share
                .strip_suffix('%')
                .and_then(|percent| percent.parse().ok())
                .filter(|percent| *percent <= 100)
                .map(|percent| Act::Drop { percent }),
            _ => None,
        };
        Ok(Self { point, act: act.ok_or_else(wrong)?, reached: AtomicU64::new(0) })
    }
}

fn signal(signal: &'static str, at: &str) -> Option<Act> {
    let at = at.parse().ok().filter(|at| *at > 0)?;
    Some(Act::Signal { signal, at })
}

/// Has the signal sent from outside, so that this thread goes no step further before it has come.
fn strike(signal: &str) {
    let sent = Command::new("kill").args([signal, &std::process::id().to_string()]).status();
    if !sent.is_ok_and(|status| status.success()) {
        tracing::error!("the program kill can't be run, so this process ends by itself");
        std::process::abort();
    }
}

/// The numbers from 0 on, each turned into one that looks like chance (`SplitMix64`): the same in every run.
const fn mixed(number: u64) -> u64 {
    let step = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let step = (step ^ (step >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let step = (step ^ (step >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    step ^ (step >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_from_text() {
        let plan: Plan =
            "engine.committed=kill@7, engine.opened=stop@1,bus.publish=drop@10%".parse().expect("a plan");
        let acts: Vec<_> = plan.0.iter().map(|fault| (fault.point, fault.act)).collect();
        assert_eq!(
            acts,
            [
                (Point::EngineCommitted, Act::Signal { signal: "-KILL", at: 7 }),
                (Point::EngineOpened, Act::Signal { signal: "-STOP", at: 1 }),
                (Point::BusPublish, Act::Drop { percent: 10 }),
            ]
        );
    }

    #[test]
    fn a_fault_that_can_not_be_is_refused_with_what_to_write() {
        for (text, named) in [
            ("", "POINT=kill@N"),
            ("engine.committed", "POINT=kill@N"),
            ("engine.committed=kill", "POINT=kill@N"),
            ("engine.committed=kill@0", "POINT=kill@N"),
            ("engine.committed=explode@1", "POINT=kill@N"),
            ("engine.committed=drop@10%", "POINT=kill@N"),
            ("bus.publish=drop@101%", "POINT=kill@N"),
            ("bus.publish=drop@10", "POINT=kill@N"),
            ("engine.asleep=kill@1", "matchmaking.written"),
        ] {
            let refused = text.parse::<Plan>().expect_err(text);
            assert!(refused.message.contains(named), "{text}: {}", refused.message);
        }
    }

    #[test]
    fn about_as_many_are_lost_as_the_plan_says() {
        let plan: Plan = "bus.publish=drop@10%".parse().expect("a plan");
        let lost = (0..10_000).filter(|_| plan.loses(Point::BusPublish)).count();
        assert!((900..1_100).contains(&lost), "{lost} of 10,000");
        assert!(!plan.loses(Point::EngineOpened));
    }
}
