//! Looking back at games: timelines, certificates, a second checker, and the pages of administrators.

mod admin_pages;
mod certificates;
mod gate;
mod golden;
mod notation;
mod robot_games;
mod second_checker;
mod timelines;
