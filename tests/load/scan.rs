//! Walks over JSON text without building anything. Only as strict as a load tool needs: what it
//! does read must be what it expects, and the rest is stepped over.

use anyhow::{Context, Result, bail};

/// A place in a text.
pub(crate) struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    pub(crate) const fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Calls a function at the value of every member; it has to read or skip that value.
    pub(crate) fn object(&mut self, mut member: impl FnMut(&'a [u8], &mut Self) -> Result<()>) -> Result<()> {
        self.expect(b'{')?;
        if self.took(b'}') {
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.expect(b':')?;
            member(key, self)?;
            if self.took(b'}') {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    /// Calls a function at every element; it has to read or skip it.
    pub(crate) fn array(&mut self, mut element: impl FnMut(usize, &mut Self) -> Result<()>) -> Result<()> {
        self.expect(b'[')?;
        if self.took(b']') {
            return Ok(());
        }
        for index in 0.. {
            element(index, self)?;
            if self.took(b']') {
                break;
            }
            self.expect(b',')?;
        }
        Ok(())
    }

    /// An unsigned number.
    pub(crate) fn number(&mut self) -> Result<u32> {
        self.blanks();
        let digits = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_digit());
        let (mut value, mut count) = (0u32, 0);
        for digit in digits {
            value = value
                .checked_mul(10)
                .and_then(|v| v.checked_add(u32::from(digit - b'0')))
                .context("too big")?;
            count += 1;
        }
        if count == 0 {
            bail!("expected a number at byte {}", self.at);
        }
        self.at += count;
        Ok(value)
    }

    /// `true` or `false`.
    pub(crate) fn truth(&mut self) -> Result<bool> {
        self.blanks();
        for (word, truth) in [(&b"true"[..], true), (b"false", false)] {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(truth);
            }
        }
        bail!("expected true or false at byte {}", self.at)
    }

    /// A string as it is written, escapes left alone.
    pub(crate) fn string(&mut self) -> Result<&'a [u8]> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            match self.text.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => bail!("a string without an end"),
            }
        }
        self.at += 1;
        Ok(&self.text[start..self.at - 1])
    }

    /// Steps over one value of any kind.
    pub(crate) fn skip(&mut self) -> Result<()> {
        self.blanks();
        match self.text.get(self.at) {
            Some(b'"') => self.string().map(drop),
            Some(b'{') => self.object(|_, scan| scan.skip()),
            Some(b'[') => self.array(|_, scan| scan.skip()),
            Some(_) => {
                let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
                self.at += self.text[self.at..].iter().take_while(|byte| !ends(byte)).count();
                Ok(())
            }
            None => bail!("a value is missing at the end"),
        }
    }

    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn took(&mut self, byte: u8) -> bool {
        self.blanks();
        let took = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(took);
        took
    }

    fn expect(&mut self, byte: u8) -> Result<()> {
        if !self.took(byte) {
            bail!("expected {:?} at byte {}", char::from(byte), self.at);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_read_and_the_rest_is_skipped() {
        let text = br#" {"a":[1, 22,{"x":null}],"no\"te":"\\","b":{"c":{}},"d":-1.5e3,"e":7} "#;
        let (mut numbers, mut keys) = (Vec::new(), Vec::new());
        let mut scan = Scan::new(text);
        let read = scan.object(|key, scan| {
            keys.push(key);
            match key {
                b"a" => scan.array(|index, scan| {
                    if index == 2 {
                        return scan.skip();
                    }
                    numbers.push(scan.number()?);
                    Ok(())
                })?,
                b"e" => numbers.push(scan.number()?),
                _ => scan.skip()?,
            }
            Ok(())
        });
        read.unwrap();
        assert_eq!(numbers, [1, 22, 7]);
        assert_eq!(keys, [b"a".as_slice(), br#"no\"te"#, b"b", b"d", b"e"]);
    }

    #[test]
    fn broken_text_is_an_error() {
        for text in ["", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":\"", "{\"a\":[1", "{a:1}"] {
            assert!(Scan::new(text.as_bytes()).object(|_, scan| scan.skip()).is_err(), "{text}");
        }
    }
}
