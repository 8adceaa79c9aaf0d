//! What is said when code panics: where, and on which thread. The words of a panic stay inside, because they may show
//! what a game hides from its players.

use std::io::Write;
use std::panic::{self, PanicHookInfo};

/// Says so from now on, in place of what the standard library prints; once in a process, before anything else runs.
pub fn keep_words_inside() {
    panic::set_hook(Box::new(say));
}

fn say(panic: &PanicHookInfo<'_>) {
    let thread = std::thread::current();
    let thread = thread.name().unwrap_or("without a name");
    let place = panic.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    if tracing::dispatcher::has_been_set() {
        tracing::error!(
            thread,
            place,
            "code panicked; its words are kept back, since they may show hidden state"
        );
    } else {
        // A command that ends by itself keeps no log. Nobody can be told that this failed.
        let _ =
            writeln!(std::io::stderr(), "astragal: code panicked at {place}; report it with what you did");
    }
}
