//! The role rematch: who wants to play on with whom, and the next game once all agree.
