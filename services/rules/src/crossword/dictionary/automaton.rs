//! The automaton of a set of words, the smallest one: words that go on alike share their arcs. It
//! knows faces, not characters.
//!
//! It is one array of arcs, each 32 bits: where it leads, its face, whether a word ends with it,
//! whether it is the last of its node. A node is the index of its first arc; node 0 has none.
//! Every arc leads to a lower index, so no walk goes round in circles. The finder of plays follows
//! tens of thousands of arcs for a move; here each costs one load, where the nodes of a general
//! automaton of bytes have to be decoded.

/// One letter on the way of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step(u32);

impl Step {
    const ENDS: u32 = 0x40;
    const LAST: u32 = 0x80;

    pub(super) const fn new(face: u8, ends: bool) -> Self {
        Self(face as u32 | if ends { Self::ENDS } else { 0 })
    }

    pub(super) const fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    /// The same, leading to a node; none if there are more nodes than fit.
    pub(super) fn leading_to(self, node: u32) -> Option<Self> {
        (node < 1 << 24).then_some(Self(self.0 & 0xff | node << 8))
    }

    pub(super) const fn as_last(self) -> Self {
        Self(self.0 | Self::LAST)
    }

    /// The letter.
    pub(crate) const fn face(self) -> u8 {
        (self.0 & 0x3f) as u8
    }

    /// True if a word ends with it.
    pub(crate) const fn ends(self) -> bool {
        self.0 & Self::ENDS != 0
    }

    pub(super) const fn is_last(self) -> bool {
        self.0 & Self::LAST != 0
    }

    /// The node after it.
    pub(crate) const fn node(self) -> u32 {
        self.0 >> 8
    }
}

/// All words of a dictionary.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Automaton {
    arcs: Vec<Step>,
    root: u32,
}

impl Automaton {
    /// Checks arcs of which node 0 is the first and the root is the last node; gives how many
    /// words they have, too. The faces are from 1 to `faces`.
    pub(super) fn checked(arcs: Vec<Step>, faces: usize) -> Result<(Self, u32), &'static str> {
        if arcs.first() != Some(&Step::of_bits(0)) {
            return Err("the first arc is missing");
        }
        // By the first arc of each node: how many ways from there end a word.
        let mut ways = vec![None; arcs.len()];
        ways[0] = Some(0_u32);
        let mut root = 0;
        let mut index = 1;
        while index < arcs.len() {
            root = index;
            let mut words = 0_u32;
            let mut face_before = 0;
            loop {
                let arc = arcs.get(index).ok_or("the last node goes on")?;
                if arc.face() <= face_before || usize::from(arc.face()) > faces {
                    return Err("a letter is out of order");
                }
                face_before = arc.face();
                let leads = ways[..root].get(arc.node() as usize).copied().flatten();
                let more = leads.ok_or("an arc leads nowhere")?;
                if more == 0 && !arc.ends() {
                    return Err("an arc ends no word");
                }
                words = words.checked_add(more + u32::from(arc.ends())).ok_or("too many words")?;
                index += 1;
                if arc.is_last() {
                    break;
                }
            }
            ways[root] = Some(words);
        }
        let words = ways[root].unwrap_or(0);
        Ok((Self { arcs, root: root as u32 }, words))
    }

    /// All arcs, the first one included.
    pub(super) fn arcs(&self) -> &[Step] {
        &self.arcs
    }

    /// Where words begin.
    pub(crate) const fn root(&self) -> u32 {
        self.root
    }

    /// The arcs of a node, in the order of the alphabet.
    pub(crate) fn steps(&self, node: u32) -> Steps<'_> {
        let rest = if node == 0 { &[] } else { self.arcs.get(node as usize..).unwrap_or(&[]) };
        Steps { rest }
    }

    /// The arc of a face.
    pub(crate) fn step(&self, node: u32, face: u8) -> Option<Step> {
        self.steps(node).find(|step| step.face() == face)
    }
}

/// The arcs of a node.
pub(crate) struct Steps<'a> {
    rest: &'a [Step],
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let (step, rest) = self.rest.split_first()?;
        self.rest = if step.is_last() { &[] } else { rest };
        Some(*step)
    }
}
