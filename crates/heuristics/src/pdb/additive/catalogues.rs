//! Sets of partitions for hard 5x5 boards, by the cell where the blank belongs.
//!
//! Each digit names the pattern of a goal cell. The sets share patterns, so that no tile is in more than eight, with those
//! of the transposed board where the blank belongs on the diagonal: more is too many for the kernel. See Clausecker and
//! Reinefeld (2019), who choose such sets by experiment.

/// Partitions of 5x5 boards whose blank belongs in a corner; with their transposes twice as many.
///
/// Nodes in millions that IDA* expands in all rounds but the last on three boards of Korf and Felner (38, 40, 25), with
/// an automaton of words of 16 moves, and the patterns: with these six partitions 2.11, 1.52, 7.55 (24 patterns); with
/// two other choices of six, in which one of these is replaced, 2.19, 1.65, 8.76 and 3.33, 1.51, 7.30 (26 and 24); with
/// `6-6-6-6` alone 7.03, 3.17 on the first two (8). With all seven one tile is in ten patterns, too many for the kernel.
pub const BLANK_0: &[&[u8]] = &[
    b"0011100111000223332233322",
    b"0001100111001223332233322",
    b"0011100111000222222333333",
    b"0001100111001222222333333",
    b"0011100111022330223302233",
    b"0001100221002213332133321",
];

/// Those of boards whose blank belongs beside a corner, which no symmetry keeps there.
pub const BLANK_1: &[&[u8]] = &[
    b"0.11100111000223332233322",
    b"0.01100111001223332233322",
    b"0.11100111000222222333333",
    b"0.01100111001222222333333",
    b"0.11100111022330223302233",
    b"0.01100221002213332133321",
    b"0.01100011220112233322333",
    b"0.01100011022112233322333",
];

/// Those of boards whose blank belongs in the middle of a side.
pub const BLANK_2: &[&[u8]] = &[
    b"01.1100111000223332233322",
    b"00.1100111001223332233322",
    b"01.1100111000222222333333",
    b"00.1100111001222222333333",
    b"01.1100111022330223302233",
    b"00.1100221002213332133321",
    b"00.1100011220112233322333",
    b"00.0001111011223332233322",
];

/// Those of boards whose blank belongs one step from a corner along the diagonal; with their transposes twice as many.
pub const BLANK_6: &[&[u8]] = &[
    b"001110.111000223332233322",
    b"000010.011221112233322333",
    b"000110.111001223332233322",
    b"001110.111000222222333333",
    b"000110.011220113222233333",
    b"000010.011221113222233333",
    b"001110.111002220322233333",
    b"001110.111002223022233333",
];

/// Those of boards whose blank belongs one step from the middle towards a side.
pub const BLANK_7: &[&[u8]] = &[
    b"0001100.11220112233322333",
    b"0122201.22012330113300133",
    b"0011100.11002212222333333",
    b"0011100.11001223332233322",
    b"0011100.11002213332233322",
    b"0122201.22013320113300133",
    b"0001100.01221112233322333",
    b"0000011.11011223332233322",
];

/// Those of boards whose blank belongs in the middle; with their transposes twice as many.
pub const BLANK_12: &[&[u8]] = &[
    b"011110001100.223332233322",
    b"001110011100.223332233322",
    b"011110001100.222222333333",
    b"001110011100.222222333333",
    b"011110021102.330223302233",
    b"001220011200.123331233312",
    b"001110011122.330223302233",
];
