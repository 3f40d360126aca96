//! Blind mutation of seeds.

use loyd::scramble::Random;

/// Tokens with a meaning to some reader.
const TOKENS: &[&str] = &[
    "0",
    "1",
    "8",
    "9",
    "15",
    "255",
    "256",
    "1000001",
    "99999999999",
    "-1",
    "+1",
    "x",
    "X",
    "_",
    ".",
    "·",
    "*",
    "/",
    ",",
    ";",
    " ",
    "\t",
    "\n",
    "\r\n",
    "[",
    "]",
    "[[",
    "]]",
    "(",
    ")",
    "{",
    "}",
    "│",
    "─",
    "…",
    "\u{feff}",
    "\u{85}",
    "é",
    "\0",
    "u",
    "d",
    "l",
    "r",
    "R3",
    "U255",
    "L0",
    "2,3",
    "(2, 3)",
    "3x3",
    "1x256",
    "16x16",
    "17x16",
    "blank-last",
    "spiral",
    "stm",
    "7-7-1",
    "default",
    "123/45x",
    "23415x768",
    "2 3 4 1 5 x 7 6 8\n",
    "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 x\n",
    "any",
    "tokens",
    "grid",
];

/// Maximum length of an input, in bytes.
const MAX_LENGTH: u64 = 200_000;

/// A sequence of inputs, determined by the seeds and a number.
#[derive(Debug)]
pub struct Mutator {
    random: Random,
    seeds: Vec<Vec<u8>>,
}

impl Mutator {
    /// Creates a sequence of mutations of `seeds`, which must not be empty.
    pub fn new(seeds: Vec<Vec<u8>>, number: u64) -> Self {
        assert!(!seeds.is_empty(), "there are no seeds to mutate");
        Self { random: Random::new(number), seeds }
    }

    /// Returns the next input: a seed with one to eight mutations.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.seed().to_vec();
        for _ in 0..=self.random.below(8) {
            self.mutate(&mut input);
        }
        input
    }

    fn seed(&mut self) -> &[u8] {
        let index = self.random.below(self.seeds.len() as u64);
        &self.seeds[index as usize]
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        let (from, to) = self.range(input.len());
        match self.random.below(16) {
            0..3 => drop(input.drain(from..to)),
            3..7 => drop(input.splice(from..from, self.token())),
            7..9 => drop(input.splice(from..to, self.token())),
            9 => {
                let piece = input[from..to].to_vec();
                let at = self.place(input.len());
                drop(input.splice(at..at, piece));
            }
            10 => {
                let seed = self.seed().to_vec();
                let (start, end) = self.range(seed.len());
                drop(input.splice(from..to, seed[start..end].iter().copied()));
            }
            11 => input.get_mut(from..to).unwrap_or_default().reverse(),
            // Large inputs take long, so they are rare.
            12 if self.random.below(64) == 0 => {
                let times = self.random.below(MAX_LENGTH / (to - from + 1) as u64);
                let piece = input[from..to].repeat(times as usize);
                drop(input.splice(from..from, piece));
            }
            _ => {
                let byte = self.random.below(256) as u8;
                match input.get_mut(from) {
                    Some(place) if byte < 128 => *place ^= 1 << (byte % 8),
                    Some(place) => *place = byte.wrapping_sub(128),
                    None => input.push(byte),
                }
            }
        }
        input.truncate(MAX_LENGTH as usize);
    }

    fn token(&mut self) -> impl Iterator<Item = u8> + use<> {
        TOKENS[self.random.below(TOKENS.len() as u64) as usize].bytes()
    }

    /// Returns a random position between bytes.
    fn place(&mut self, length: usize) -> usize {
        self.random.below(length as u64 + 1) as usize
    }

    /// Returns a random range of bytes, usually a short one.
    fn range(&mut self, length: usize) -> (usize, usize) {
        const SHORT: usize = 12;
        let from = self.place(length);
        let most = if self.random.below(4) == 0 { length - from } else { SHORT.min(length - from) };
        (from, from + self.place(most))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn inputs(seeds: &[&str], number: u64) -> Vec<Vec<u8>> {
        let seeds = seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
        let mut mutator = Mutator::new(seeds, number);
        (0..3000).map(|_| mutator.next_input()).collect()
    }

    #[test]
    fn inputs_are_diverse_and_reproducible() {
        let made = inputs(&["2 3 4/1 5 x/7 6 8", ""], 7);
        assert_eq!(made, inputs(&["2 3 4/1 5 x/7 6 8", ""], 7));
        assert_ne!(made, inputs(&["2 3 4/1 5 x/7 6 8", ""], 8));
        assert!(made.iter().collect::<BTreeSet<_>>().len() > 2000);
        let longest = made.iter().map(Vec::len).max().unwrap();
        assert!((10_000..=MAX_LENGTH as usize).contains(&longest), "{longest}");
    }
}
