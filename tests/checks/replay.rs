//! Looking back at games: timelines, certificates, a second checker, and the pages of administrators.

mod certificates;
mod robot_games;
mod second_checker;
mod timelines;
