//! Builds the automaton of sorted words in one pass: whatever can't change any more is written,
//! once for all words that go on alike.

use crate::crossword::alphabet::FACES;
use crate::crossword::dictionary::automaton::{Automaton, Step};
use std::collections::HashMap;

/// The automaton of words in order, each once; none if there are too many.
pub(super) fn build(words: &[Vec<u8>]) -> Option<Automaton> {
    let mut builder = Builder { arcs: vec![Step::of_bits(0)], nodes: HashMap::new(), path: vec![Vec::new()] };
    let mut before: &[u8] = &[];
    for word in words {
        let shared = word.iter().zip(before).take_while(|(one, other)| one == other).count();
        builder.close(shared)?;
        for (place, face) in word.iter().enumerate().skip(shared) {
            builder.path.last_mut()?.push(Step::new(*face, place + 1 == word.len()));
            builder.path.push(Vec::new());
        }
        before = word;
    }
    builder.close(0)?;
    // The root is written even when another node goes on alike: it has to be the last one.
    let root = builder.path.pop()?;
    builder.write(&root)?;
    Automaton::of_arcs(&builder.arcs, FACES - 1).ok().map(|(automaton, _)| automaton)
}

struct Builder {
    arcs: Vec<Step>,
    /// The nodes that are written, by their arcs.
    nodes: HashMap<Vec<u32>, u32>,
    /// The nodes along the last word, from the root.
    path: Vec<Vec<Step>>,
}

impl Builder {
    /// Writes the nodes of the path that are deeper than this.
    fn close(&mut self, depth: usize) -> Option<()> {
        while self.path.len() > depth + 1 {
            let arcs = self.path.pop()?;
            let node = self.node(&arcs)?;
            let leading = self.path.last_mut()?.last_mut()?;
            *leading = leading.leading_to(node)?;
        }
        Some(())
    }

    /// The node with these arcs, written if it is new.
    fn node(&mut self, arcs: &[Step]) -> Option<u32> {
        if arcs.is_empty() {
            return Some(0);
        }
        let key: Vec<u32> = arcs.iter().map(|arc| arc.bits()).collect();
        if let Some(node) = self.nodes.get(&key) {
            return Some(*node);
        }
        let node = self.write(arcs)?;
        self.nodes.insert(key, node);
        Some(node)
    }

    fn write(&mut self, arcs: &[Step]) -> Option<u32> {
        let node = u32::try_from(self.arcs.len()).ok()?;
        let (last, others) = arcs.split_last()?;
        self.arcs.extend(others);
        self.arcs.push(last.as_last());
        Some(node)
    }
}
