//! A terminal that is given back as it was: whole pages out, single keys in. It knows nothing of what is shown.

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use std::io::{self, IsTerminal, Read, Stdin, Stdout, Write};

/// Another screen, so that what was on this one is there again afterwards, and no cursor.
const BEGIN: &str = "\x1b[?1049h\x1b[?25l";
const END: &str = "\x1b[?25h\x1b[?1049l";
const CLEAR: &str = "\x1b[2J\x1b[H";

/// More keys than anybody has pressed since the last page.
const KEYS_BYTES_MAX: usize = 64;

/// What a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Next,
    Previous,
    First,
    Last,
    Quit,
}

/// The keys that mean something. Terminals say some of them in more than one way.
const KEYS: [(&[u8], Key); 22] = [
    (b"\x1b[C", Key::Next),
    (b"\x1bOC", Key::Next),
    (b"\x1b[B", Key::Next),
    (b" ", Key::Next),
    (b"\r", Key::Next),
    (b"\n", Key::Next),
    (b"n", Key::Next),
    (b"\x1b[D", Key::Previous),
    (b"\x1bOD", Key::Previous),
    (b"\x1b[A", Key::Previous),
    (b"\x7f", Key::Previous),
    (b"p", Key::Previous),
    (b"\x1b[H", Key::First),
    (b"\x1bOH", Key::First),
    (b"\x1b[1~", Key::First),
    (b"\x1b[F", Key::Last),
    (b"\x1bOF", Key::Last),
    (b"\x1b[4~", Key::Last),
    (b"q", Key::Quit),
    // Control-C and Control-D, which are keys like others here.
    (b"\x03", Key::Quit),
    (b"\x04", Key::Quit),
    (b"\x1b\x1b", Key::Quit),
];

/// A terminal whose keys come one by one.
pub(crate) struct Terminal {
    input: Stdin,
    output: Stdout,
    before: Termios,
}

impl Terminal {
    /// The terminal of this process, if it reads from one and writes to one.
    pub(crate) fn open() -> io::Result<Option<Self>> {
        let (input, output) = (io::stdin(), io::stdout());
        if !input.is_terminal() || !output.is_terminal() {
            return Ok(None);
        }
        let before = tcgetattr(&input)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(&input, OptionalActions::Flush, &raw)?;
        let mut terminal = Self { input, output, before };
        terminal.write(BEGIN)?;
        Ok(Some(terminal))
    }

    /// Shows a page in place of what is there.
    pub(crate) fn show(&mut self, page: &str) -> io::Result<()> {
        // A raw terminal does not go back to the left by itself.
        self.write(&format!("{CLEAR}{}", page.replace('\n', "\r\n")))
    }

    /// Waits for keys; the end of the input is one that quits.
    pub(crate) fn keys(&mut self) -> io::Result<Vec<Key>> {
        let mut bytes = [0; KEYS_BYTES_MAX];
        match self.input.read(&mut bytes)? {
            0 => Ok(vec![Key::Quit]),
            count => Ok(keys(&bytes[..count])),
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The terminal may be gone, and nobody is left to tell.
        let _ = self.write(END);
        let _ = tcsetattr(&self.input, OptionalActions::Flush, &self.before);
    }
}

/// The keys among what was read. What means nothing is left out; the escape key alone quits.
fn keys(mut bytes: &[u8]) -> Vec<Key> {
    let mut keys = Vec::new();
    while let Some((_, after)) = bytes.split_first() {
        let known = KEYS.iter().find_map(|(said, key)| Some((bytes.strip_prefix(*said)?, *key)));
        let (rest, key) = match known {
            Some((rest, key)) => (rest, Some(key)),
            None if bytes == b"\x1b" => (after, Some(Key::Quit)),
            None => (unknown(bytes), None),
        };
        keys.extend(key);
        bytes = rest;
    }
    keys
}

/// What comes after a key that means nothing: a sequence ends with a letter or `~`.
fn unknown(bytes: &[u8]) -> &[u8] {
    let sequence = bytes.strip_prefix(b"\x1b[").or_else(|| bytes.strip_prefix(b"\x1bO"));
    let Some(inside) = sequence else { return &bytes[1..] };
    let end = inside.iter().position(|byte| byte.is_ascii_alphabetic() || *byte == b'~');
    end.map_or(&[], |end| &inside[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart_however_many_come_at_once() {
        for (bytes, expected) in [
            (&b"\x1b[C"[..], &[Key::Next][..]),
            (b" \x1b[D\r", &[Key::Next, Key::Previous, Key::Next]),
            (b"\x1b[F\x1b[1~", &[Key::Last, Key::First]),
            (b"x\x1b[15~n", &[Key::Next]),
            (b"\x1b", &[Key::Quit]),
            (b"\x03", &[Key::Quit]),
            (b"\x1b[", &[]),
            ("ё".as_bytes(), &[]),
        ] {
            assert_eq!(keys(bytes), expected, "{bytes:?}");
        }
    }
}
