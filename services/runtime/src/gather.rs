//! Group work: while one batch is under way the next one gathers. Alone, a job is begun at once; among many
//! it is done together with them, and so costs less. Where a batch costs much more than the jobs in it, the
//! next one may be given a little more time to gather.
//!
//! It knows neither what the jobs are nor how a batch of them is done.

use crate::error::{Problem, Result};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

/// Why a job was not taken: too many wait, or nothing is taken any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too much waits to be done, or this process stops")]
pub struct Refused;

/// The way in; cheap to clone.
#[derive(Debug)]
pub struct Gate<J, A>(mpsc::Sender<Job<J, A>>);

/// One thing to do, with the way back to whoever waits for it.
#[derive(Debug)]
pub struct Job<J, A> {
    /// What to do.
    pub what: J,
    answer: oneshot::Sender<A>,
}

/// What waits to be done; read by a single loop.
#[derive(Debug)]
pub struct Gathering<J, A> {
    jobs: mpsc::Receiver<Job<J, A>>,
    held: Vec<Job<J, A>>,
    batch_max: usize,
    pace: Duration,
    crowd: usize,
    /// When the newest batch was begun.
    begun: Option<Instant>,
}

/// A way in for at most `waiting_max` jobs, which come out in batches of at most `batch_max`.
pub fn gather<J, A>(waiting_max: usize, batch_max: usize) -> (Gate<J, A>, Gathering<J, A>) {
    let (sender, jobs) = mpsc::channel(waiting_max.max(1));
    let batch_max = batch_max.max(1);
    let gathering =
        Gathering { jobs, held: Vec::new(), batch_max, pace: Duration::ZERO, crowd: batch_max, begun: None };
    (Gate(sender), gathering)
}

impl<J, A> Clone for Gate<J, A> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<J, A> Gate<J, A> {
    /// Puts a job in line. The answer may be waited for or not; it breaks off if nobody gives one.
    pub fn send(&self, what: J) -> std::result::Result<oneshot::Receiver<A>, Refused> {
        let (answer, answered) = oneshot::channel();
        self.0.try_send(Job { what, answer }).map_err(|_| Refused)?;
        Ok(answered)
    }
}

impl<J, A> Gate<J, Result<A>> {
    /// Puts a job in line and waits for its answer. Where it is not taken, or nobody answers, `busy` says what to do.
    pub async fn ask(&self, what: J, busy: &str) -> Result<A> {
        let lost = || Problem::unavailable(busy);
        self.send(what).map_err(|Refused| lost())?.await.unwrap_or_else(|_| Err(lost()))
    }
}

impl<J, A> Job<J, A> {
    /// Answers whoever waits, who may have gone away.
    pub fn answer(self, answer: A) {
        let _ = self.answer.send(answer);
    }

    /// What to do, and the way back.
    pub fn into_parts(self) -> (J, oneshot::Sender<A>) {
        (self.what, self.answer)
    }
}

/// Answers each job of a batch with its own, in their order, or all with what went wrong.
pub fn answer_all<J, A>(batch: Vec<Job<J, Result<A>>>, answers: Result<Vec<A>>) {
    match answers {
        Ok(answers) => batch.into_iter().zip(answers).for_each(|(job, answer)| job.answer(Ok(answer))),
        Err(problem) => batch.into_iter().for_each(|job| job.answer(Err(problem.clone()))),
    }
}

impl<J, A> Gathering<J, A> {
    /// Begins no batch sooner than this after the last one, unless a crowd of so many waits.
    #[must_use]
    pub fn paced(mut self, pace: Duration, crowd: usize) -> Self {
        self.pace = pace;
        self.crowd = crowd.min(self.batch_max);
        self
    }

    /// The next batch: what was held back, and all that has come by now. Waits only while there is
    /// nothing at all, and for its pace; none, once nothing can come any more. May be dropped while it waits.
    pub async fn next(&mut self) -> Option<Vec<Job<J, A>>> {
        if let Some(begun) = self.begun.filter(|_| !self.pace.is_zero()) {
            let _ = timeout_at(begun + self.pace, self.crowd()).await;
        }
        // Whoever is ready to add a job does so before the batch is begun.
        tokio::task::yield_now().await;
        let mut batch = Vec::new();
        if self.held.is_empty() && self.jobs.recv_many(&mut batch, self.batch_max).await == 0 {
            return None;
        }
        batch.append(&mut self.held);
        while batch.len() < self.batch_max
            && let Ok(job) = self.jobs.try_recv()
        {
            batch.push(job);
        }
        self.begun = Some(Instant::now());
        Some(batch)
    }

    /// Waits for a crowd, or until nothing can come any more. What has come is held.
    async fn crowd(&mut self) {
        while self.held.len() < self.crowd {
            let room = self.batch_max - self.held.len();
            if self.jobs.recv_many(&mut self.held, room).await == 0 {
                return;
            }
        }
    }

    /// Keeps jobs of a batch for the next one.
    pub fn hold(&mut self, jobs: Vec<Job<J, A>>) {
        self.held = jobs;
    }

    /// Takes no more; what waits already still comes out.
    pub fn close(&mut self) {
        self.jobs.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whats(batch: Option<Vec<Job<u8, u8>>>) -> Vec<u8> {
        batch.into_iter().flatten().map(|job| job.what).collect()
    }

    #[tokio::test]
    async fn what_has_come_comes_out_together_and_what_was_held_back_first() {
        let (gate, mut gathering) = gather::<u8, u8>(10, 3);
        for what in 1..=5 {
            gate.send(what).expect("there is room");
        }
        let mut batch = gathering.next().await.expect("a batch");
        assert_eq!(batch.iter().map(|job| job.what).collect::<Vec<_>>(), [1, 2, 3]);
        gathering.hold(batch.split_off(2));
        assert_eq!(whats(gathering.next().await), [3, 4, 5]);
        drop(gate);
        assert!(gathering.next().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_paced_batch_begins_at_once_and_the_next_one_waits() {
        let (gate, gathering) = gather::<u8, u8>(10, 3);
        let mut gathering = gathering.paced(Duration::from_millis(20), 2);
        let start = Instant::now();
        gate.send(1).expect("there is room");
        assert_eq!(whats(gathering.next().await), [1]);
        assert_eq!(start.elapsed(), Duration::ZERO);
        gate.send(2).expect("there is room");
        assert_eq!(whats(gathering.next().await), [2]);
        assert_eq!(start.elapsed(), Duration::from_millis(20));
        for what in 3..=6 {
            gate.send(what).expect("there is room");
        }
        assert_eq!(whats(gathering.next().await), [3, 4, 5], "a crowd doesn't wait");
        assert_eq!(start.elapsed(), Duration::from_millis(20));
        drop(gate);
        assert_eq!(whats(gathering.next().await), [6], "nobody else can come");
        assert_eq!(start.elapsed(), Duration::from_millis(20));
    }

    #[tokio::test]
    async fn an_answer_reaches_whoever_waits_and_a_full_line_refuses() {
        let (gate, mut gathering) = gather::<u8, u8>(1, 9);
        let answer = gate.send(1).expect("there is room");
        assert!(matches!(gate.send(2), Err(Refused)));
        for job in gathering.next().await.expect("a batch") {
            let what = job.what;
            job.answer(what + 40);
        }
        assert_eq!(answer.await, Ok(41));
        let lost = gate.send(3).expect("there is room");
        gathering.close();
        assert!(matches!(gate.send(4), Err(Refused)));
        assert_eq!(whats(gathering.next().await), [3]);
        assert!(lost.await.is_err(), "nobody has answered");
    }
}
