//! The whole system from outside: the built binary, its sockets, its files, its command line.
//!
//! Each module starts servers of its own. The names of the tests carry the ids of the
//! requirements that they prove.

mod accounts;
mod apart;
mod at_once;
mod bad_input;
mod crash;
mod deploy;
mod dictionary;
mod draws;
mod finished;
mod gcg;
mod journal;
mod live_play;
mod lobby;
mod lobby_crashes;
mod lobby_races;
mod older_client;
mod older_data;
mod people;
mod proof;
mod races;
mod rematch;
mod replay;
mod secrets;
mod sent_twice;
mod start_stop;
mod waiting;
mod whole_game;
mod words;
