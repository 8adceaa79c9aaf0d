//! The automaton of a set of words, the smallest one: words that go on alike share their arcs. It
//! knows faces, not characters.
//!
//! In a file it is one list of arcs, 32 bits each: where it leads, its face, whether a word ends
//! with it, whether it is the last of its node. A node is the index of its first arc; node 0 has
//! none. Every arc leads to a lower index, so no walk goes round in circles. In memory each node
//! begins with the bits of its faces, so that the finder of plays, which follows tens of thousands
//! of arcs for a move, looks at none in vain and finds each at once. The nodes of a general
//! automaton of bytes would have to be decoded each time.

/// Faces as bits.
pub(crate) type Faces = u64;

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
    /// For each node two words of its faces, the low one first, then its arcs by face.
    cells: Vec<u32>,
    root: u32,
}

/// The words before the arcs of a node.
const HEAD: usize = 2;

impl Automaton {
    /// Takes the arcs of a file, of which node 0 is the first and the root is the last node; gives
    /// how many words they have, too. The faces are from 1 to `faces`.
    pub(super) fn of_arcs(arcs: &[Step], faces: usize) -> Result<(Self, u32), &'static str> {
        if arcs.first() != Some(&Step::of_bits(0)) {
            return Err("the first arc is missing");
        }
        // By the first arc of each node: where it lies in memory, and how many ways from there end
        // a word.
        let mut nodes = vec![None; arcs.len()];
        nodes[0] = Some((0, 0_u32));
        let mut cells = Vec::with_capacity(2 * arcs.len());
        cells.extend([0; HEAD]);
        let (mut root, mut words) = (0, 0);
        let mut index = 1;
        while index < arcs.len() {
            let first = index;
            (root, words) = (cells.len(), 0);
            cells.extend([0; HEAD]);
            let mut held: Faces = 0;
            loop {
                let arc = arcs.get(index).ok_or("the last node goes on")?;
                let bit = 1 << arc.face();
                if arc.face() == 0 || usize::from(arc.face()) > faces || held >= bit {
                    return Err("a letter is out of order");
                }
                held |= bit;
                let (node, more) = nodes[..first]
                    .get(arc.node() as usize)
                    .copied()
                    .flatten()
                    .ok_or("an arc leads nowhere")?;
                if more == 0 && !arc.ends() {
                    return Err("an arc ends no word");
                }
                words = more.checked_add(words + u32::from(arc.ends())).ok_or("too many words")?;
                cells.push(arc.leading_to(node).ok_or("too many arcs")?.bits());
                index += 1;
                if arc.is_last() {
                    break;
                }
            }
            cells[root] = held as u32;
            cells[root + 1] = (held >> 32) as u32;
            nodes[first] = Some((u32::try_from(root).map_err(|_| "too many arcs")?, words));
        }
        Ok((Self { cells, root: root as u32 }, words))
    }

    /// The arcs as they stand in a file.
    pub(super) fn arcs(&self) -> Vec<Step> {
        let mut arcs = vec![Step::of_bits(0)];
        let mut files = vec![0_u32; self.cells.len()];
        let mut node = HEAD;
        while node < self.cells.len() {
            files[node] = arcs.len() as u32;
            let count = self.faces(node as u32).count_ones() as usize;
            let cells = &self.cells[node + HEAD..][..count];
            arcs.extend(cells.iter().map(|cell| {
                let step = Step::of_bits(*cell);
                // A file's indexes are below those in memory, so they fit.
                step.leading_to(files[step.node() as usize]).unwrap_or(step)
            }));
            node += HEAD + count;
        }
        arcs
    }

    /// Where words begin.
    pub(crate) const fn root(&self) -> u32 {
        self.root
    }

    /// The letters that go on from a node.
    pub(crate) fn faces(&self, node: u32) -> Faces {
        match self.cells.get(node as usize..) {
            Some([low, high, ..]) => Faces::from(*low) | Faces::from(*high) << 32,
            _ => 0,
        }
    }

    /// The arcs of a node with some of these faces, in the order of the alphabet.
    pub(crate) fn steps(&self, node: u32, of: Faces) -> Steps<'_> {
        let faces = self.faces(node);
        let arcs = self.cells.get(node as usize + HEAD..).unwrap_or(&[]);
        Steps { arcs, faces, left: faces & of }
    }

    /// The arc of a face.
    pub(crate) fn step(&self, node: u32, face: u8) -> Option<Step> {
        self.steps(node, 1 << face).next()
    }
}

/// Some arcs of a node.
pub(crate) struct Steps<'a> {
    arcs: &'a [u32],
    /// All faces of the node.
    faces: Faces,
    /// Those that are still to come.
    left: Faces,
}

impl Iterator for Steps<'_> {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        if self.left == 0 {
            return None;
        }
        let bit = self.left & self.left.wrapping_neg();
        self.left ^= bit;
        let before = (self.faces & (bit - 1)).count_ones();
        self.arcs.get(before as usize).copied().map(Step)
    }
}
