//! The words that are refused, as a tree, and the automaton that finds them in a path.

use super::Automaton;

/// Words by their beginnings: a node for each, with the next for each action.
pub(super) struct Trie {
    actions: usize,
    contexts: usize,
    /// `NOWHERE`, [`Automaton::FORBIDDEN`] at the end of a word, or the next node. The first nodes are the contexts.
    rows: Vec<u32>,
}

/// No word goes on in this way.
const NOWHERE: u32 = u32::MAX - 1;

impl Trie {
    /// No words.
    pub fn new(contexts: usize, actions: usize) -> Self {
        Self { actions, contexts, rows: vec![NOWHERE; contexts * actions] }
    }

    /// The bytes that the tree takes, and an automaton made of it once more words of so many actions are in.
    pub fn bytes_with(&self, words: usize, length: u32) -> u64 {
        let entries = self.rows.len() + words * length as usize * self.actions;
        let states = entries / self.actions;
        // The tree, while it grows; the rows of the automaton; its links.
        ((3 * entries + 2 * states) * size_of::<u32>()) as u64
    }

    /// Adds a word, no part of which is a word already.
    pub fn insert(&mut self, context: usize, word: impl ExactSizeIterator<Item = usize>) {
        let (mut node, last) = (context, word.len() - 1);
        for (i, action) in word.enumerate() {
            let at = node * self.actions + action;
            if i == last {
                self.rows[at] = Automaton::FORBIDDEN;
            } else if self.rows[at] == NOWHERE {
                let new = self.rows.len() / self.actions;
                self.rows[at] = new as u32;
                self.rows.resize(self.rows.len() + self.actions, NOWHERE);
                node = new;
            } else {
                node = self.rows[at] as usize;
            }
        }
    }

    /// The rows of the automaton (Aho and Corasick 1975), whose states are the nodes, those of fewer actions first.
    /// `steps` has the rows of the automaton without words: where each action leads from each context.
    pub fn complete(&self, steps: &[u32]) -> Vec<u32> {
        let mut rows = vec![Automaton::FORBIDDEN; self.rows.len()];
        // By state: its node, and the state of the longest end of its beginning that begins a word too.
        let mut nodes: Vec<u32> = (0..self.contexts as u32).collect();
        let mut links = vec![0_u32; self.contexts];
        nodes.reserve_exact(self.rows.len() / self.actions - nodes.len());
        links.reserve_exact(nodes.capacity() - links.len());
        let mut state = 0;
        while state < nodes.len() {
            let node = nodes[state] as usize * self.actions;
            for action in 0..self.actions {
                let without = match state < self.contexts {
                    true => steps[state * self.actions + action],
                    false => rows[links[state] as usize * self.actions + action],
                };
                rows[state * self.actions + action] = match self.rows[node + action] {
                    NOWHERE => without,
                    Automaton::FORBIDDEN => Automaton::FORBIDDEN,
                    child => {
                        assert_ne!(without, Automaton::FORBIDDEN, "a part of a word is a word");
                        nodes.push(child);
                        links.push(without);
                        nodes.len() as u32 - 1
                    }
                };
            }
            state += 1;
        }
        rows
    }
}
