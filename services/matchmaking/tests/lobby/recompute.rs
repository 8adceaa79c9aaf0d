//! The tiles of a draw, computed again from what was published and from what is written about it, with nothing of the
//! program: the words of `ChaCha20`, the shuffle, and the bag in the order of rank.

use astragal_proto::seeding::v1::Draw;
use astragal_rules::tile_set::TileSet;

/// Says which pick isn't what its entropy gives, if any; what was drawn by hand is taken as it is.
pub(crate) fn check(draw: &Draw) -> Result<(), String> {
    let set = TileSet::named(&draw.tile_set).ok_or("an unknown set")?;
    let mut faces = vec![(String::new(), set.blanks())];
    faces.extend(set.letters().iter().map(|letter| (letter.text.to_owned(), letter.count)));
    for (number, round) in (1..).zip(&draw.rounds) {
        let mut left: Vec<&str> = Vec::new();
        for (letter, count) in &faces {
            left.extend(std::iter::repeat_n(letter.as_str(), usize::from(*count)));
        }
        for pick in &round.picks {
            if !pick.recorded {
                let entropy: [u8; 32] = hex::decode(&pick.entropy)
                    .ok()
                    .and_then(|bytes| bytes.try_into().ok())
                    .ok_or("no entropy")?;
                if sha256(&entropy) != pick.entropy_sha256 {
                    return Err(format!("round {number}: another entropy than the one shown before"));
                }
                let mut bag = left.clone();
                shuffle(&mut bag, Words::of(&entropy));
                if bag.pop() != Some(&*pick.letter) {
                    return Err(format!("round {number}: another tile than {:?}", pick.letter));
                }
            }
            let place = left.iter().position(|letter| *letter == pick.letter).ok_or("a tile too many")?;
            left.remove(place);
            let rank = faces.iter().position(|(letter, _)| *letter == pick.letter).ok_or("no such tile")?;
            let is_rank = i32::try_from(rank).is_ok_and(|rank| pick.rank == rank - 1);
            if !is_rank || pick.blank != pick.letter.is_empty() {
                return Err(format!("round {number}: another rank than {}", pick.rank));
            }
        }
    }
    leader(draw)
}

/// Who shares the lowest rank draws again, until it is one.
fn leader(draw: &Draw) -> Result<(), String> {
    let mut contenders: Option<Vec<u32>> = None;
    for round in &draw.rounds {
        let mut who: Vec<_> = round.picks.iter().map(|pick| pick.participant).collect();
        who.sort_unstable();
        if contenders.is_some_and(|contenders| contenders != who) {
            return Err("others drew than those who were equal".into());
        }
        let lowest = round.picks.iter().map(|pick| pick.rank).min().ok_or("an empty round")?;
        let mut leaders: Vec<_> =
            round.picks.iter().filter(|pick| pick.rank == lowest).map(|pick| pick.participant).collect();
        leaders.sort_unstable();
        contenders = Some(leaders);
    }
    match (contenders.as_deref(), draw.winner) {
        (Some([leader]), Some(winner)) if *leader == winner => Ok(()),
        other => Err(format!("another leader: {other:?}")),
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    hex::encode(Sha256::digest(bytes))
}

/// From the last index down to 1, each is swapped with one at or below it; words at or above the largest multiple of
/// the number of choices are dropped.
fn shuffle<T>(items: &mut [T], mut words: Words) {
    for last in (1..items.len()).rev() {
        let choices = last as u128 + 1;
        let bound = (1_u128 << 64) / choices * choices;
        let word = loop {
            let word = u128::from(words.next());
            if word < bound {
                break word;
            }
        };
        items.swap(last, (word % choices) as usize);
    }
}

/// 64-bit words of `ChaCha20` with the counter from 0 and the nonce 0, the low half first.
struct Words {
    key: [u32; 8],
    counter: u32,
    block: [u32; 16],
    used: usize,
}

impl Words {
    fn of(entropy: &[u8; 32]) -> Self {
        let mut key = [0; 8];
        for (word, bytes) in key.iter_mut().zip(entropy.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        }
        Self { key, counter: 0, block: [0; 16], used: 16 }
    }

    fn next(&mut self) -> u64 {
        let (low, high) = (self.word(), self.word());
        u64::from(low) | u64::from(high) << 32
    }

    fn word(&mut self) -> u32 {
        if self.used == 16 {
            let mut start = [0; 16];
            start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
            start[4..12].copy_from_slice(&self.key);
            start[12] = self.counter;
            let mut block = start;
            for _ in 0..10 {
                for [a, b, c, d] in [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]] {
                    quarter(&mut block, a, b, c, d);
                }
                for [a, b, c, d] in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] {
                    quarter(&mut block, a, b, c, d);
                }
            }
            for (word, start) in block.iter_mut().zip(start) {
                *word = word.wrapping_add(start);
            }
            (self.block, self.used, self.counter) = (block, 0, self.counter + 1);
        }
        self.used += 1;
        self.block[self.used - 1]
    }
}

fn quarter(block: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    for (x, y, z, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        block[x] = block[x].wrapping_add(block[y]);
        block[z] = (block[z] ^ block[x]).rotate_left(by);
    }
}
