//! Which instructions the kernels may use.

use std::env::{self, VarError};
use std::fmt;
use std::str::FromStr;

/// A level of vector instructions; a higher one includes those below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cpu {
    /// Plain code, on every machine.
    Scalar,
    /// AVX2 with BMI1, BMI2, LZCNT and POPCNT: x86-64-v3.
    Avx2,
    /// AVX-512 F, BW, VL and VBMI on top of [`Cpu::Avx2`].
    Avx512,
}

/// Why a level cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CpuError {
    /// No level has this name.
    #[error("`{0}` is not a level of instructions: scalar, avx2 and avx512 are allowed")]
    Unknown(String),
    /// This machine lacks the instructions.
    #[error("this machine cannot run {asked}: the highest level that it has is {best}")]
    Lacking {
        /// The level asked for.
        asked: Cpu,
        /// The highest level of this machine.
        best: Cpu,
    },
}

impl Cpu {
    /// The environment variable that [`from_env`](Self::from_env) reads.
    pub const VARIABLE: &str = "LOYD_CPU";

    /// All levels, lowest first.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Avx2, Self::Avx512];

    /// The word for it: `scalar`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The highest level that this machine can run.
    ///
    /// Cost: some microseconds the first time, for the processor is asked; nothing after that.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
            {
                return if is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi")
                {
                    Self::Avx512
                } else {
                    Self::Avx2
                };
            }
        }
        Self::Scalar
    }

    /// The levels that this machine can run, lowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        let best = Self::detect();
        Self::ALL.into_iter().filter(move |&level| level <= best)
    }

    /// The level that `LOYD_CPU` names, or the highest one if it is unset or empty.
    ///
    /// # Errors
    /// A word that names no level, or a level that this machine lacks.
    pub fn from_env() -> Result<Self, CpuError> {
        match env::var(Self::VARIABLE) {
            Ok(word) => Self::chosen(&word, Self::detect),
            Err(VarError::NotPresent) => Ok(Self::detect()),
            Err(VarError::NotUnicode(word)) => {
                Err(CpuError::Unknown(word.to_string_lossy().into_owned()))
            }
        }
    }

    /// The level that `LOYD_CPU` names, or the highest one if it names none that this machine has: for
    /// libraries, which leave complaints about the variable to the program.
    pub fn in_use() -> Self {
        Self::from_env().unwrap_or_else(|_| Self::detect())
    }

    /// The level that `word` asks for on a machine whose highest level is `detect()`.
    fn chosen(word: &str, detect: impl Fn() -> Self) -> Result<Self, CpuError> {
        if word.is_empty() {
            return Ok(detect());
        }
        match word.parse()? {
            // Every machine has it: the processor need not be asked.
            Self::Scalar => Ok(Self::Scalar),
            asked => match detect() {
                best if asked <= best => Ok(asked),
                best => Err(CpuError::Lacking { asked, best }),
            },
        }
    }
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Cpu {
    type Err = CpuError;

    fn from_str(word: &str) -> Result<Self, CpuError> {
        let named = Self::ALL.into_iter().find(|level| level.name() == word);
        named.ok_or_else(|| CpuError::Unknown(word.to_owned()))
    }
}

/// A level that this machine has: what makes calls of its kernels sound.
#[derive(Clone, Copy)]
pub(crate) struct Level(Cpu);

impl Level {
    /// `cpu`, or the highest level of this machine if that is lower.
    pub fn at_most(cpu: Cpu) -> Self {
        // What every machine has need not be asked for.
        Self(if cpu == Cpu::Scalar { cpu } else { cpu.min(Cpu::detect()) })
    }

    /// The level.
    pub fn cpu(self) -> Cpu {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_choose_levels_that_the_machine_has() {
        let on = |best| move |word| Cpu::chosen(word, move || best);
        assert_eq!(on(Cpu::Avx2)(""), Ok(Cpu::Avx2));
        assert_eq!(on(Cpu::Avx512)("scalar"), Ok(Cpu::Scalar));
        assert_eq!(on(Cpu::Avx512)("avx512"), Ok(Cpu::Avx512));
        assert_eq!(
            on(Cpu::Avx2)("avx512").unwrap_err().to_string(),
            "this machine cannot run avx512: the highest level that it has is avx2"
        );
        assert_eq!(
            on(Cpu::Avx2)("AVX").unwrap_err().to_string(),
            "`AVX` is not a level of instructions: scalar, avx2 and avx512 are allowed"
        );
    }

    #[test]
    fn every_machine_has_the_lowest_level() {
        assert_eq!(Cpu::available().next(), Some(Cpu::Scalar));
        assert_eq!(Cpu::available().next_back(), Some(Cpu::detect()));
        assert!(Cpu::available().is_sorted());
    }
}
