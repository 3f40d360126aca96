//! Run-time choice of the instruction level, and prefetching.

use std::env::{self, VarError};
use std::fmt;
use std::str::FromStr;

/// A level of vector instructions. Each level includes the lower ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cpu {
    /// Plain code, available on every machine.
    Scalar,
    /// AVX2 with BMI1, BMI2, LZCNT and POPCNT: x86-64-v3.
    Avx2,
    /// AVX-512 F, BW, VL and VBMI on top of [`Cpu::Avx2`].
    Avx512,
}

/// Why a level is not available.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CpuError {
    /// No level has this name.
    #[error("`{0}` is not an instruction level: use scalar, avx2 or avx512")]
    Unknown(String),
    /// This machine lacks the instructions.
    #[error(
        "this machine does not support {requested}: its highest instruction level is {highest}"
    )]
    Unsupported {
        /// The requested level.
        requested: Cpu,
        /// The highest level of this machine.
        highest: Cpu,
    },
}

impl Cpu {
    /// Name of the environment variable that [`from_env`](Self::from_env) reads.
    pub const VARIABLE: &str = "LOYD_CPU";

    /// All levels, lowest first.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Avx2, Self::Avx512];

    /// Returns the name of the level: `scalar`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Returns the highest level of this machine.
    ///
    /// Cost: a few microseconds for the first call, which queries the processor; later calls read a cached result.
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

    /// Returns the levels of this machine, lowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        let best = Self::detect();
        Self::ALL.into_iter().filter(move |&level| level <= best)
    }

    /// Returns the level that `LOYD_CPU` names, or the highest one if the variable is unset or empty.
    ///
    /// # Errors
    /// If the variable names no level, or one that this machine lacks.
    pub fn from_env() -> Result<Self, CpuError> {
        match env::var(Self::VARIABLE) {
            Ok(word) => Self::chosen(&word, Self::detect),
            Err(VarError::NotPresent) => Ok(Self::detect()),
            Err(VarError::NotUnicode(word)) => {
                Err(CpuError::Unknown(word.to_string_lossy().into_owned()))
            }
        }
    }

    /// Returns the level that `LOYD_CPU` names, or the highest one if that is unknown or not available. For libraries,
    /// which leave error messages about the variable to the program.
    pub fn from_env_or_detect() -> Self {
        Self::from_env().unwrap_or_else(|_| Self::detect())
    }

    /// Returns the level that `word` names on a machine with the highest level `detect()`.
    fn chosen(word: &str, detect: impl Fn() -> Self) -> Result<Self, CpuError> {
        if word.is_empty() {
            return Ok(detect());
        }
        match word.parse()? {
            // Available on every machine, so there is no need to query the processor.
            Self::Scalar => Ok(Self::Scalar),
            requested => match detect() {
                highest if requested <= highest => Ok(requested),
                highest => Err(CpuError::Unsupported { requested, highest }),
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

/// A level that this machine is known to have. It makes calls to the kernels of that level sound.
#[derive(Clone, Copy)]
pub(crate) struct Level(Cpu);

impl Level {
    /// Returns `cpu` or the highest level of this machine, whichever is lower.
    pub fn at_most(cpu: Cpu) -> Self {
        // The scalar level needs no query of the processor.
        Self(if cpu == Cpu::Scalar { cpu } else { cpu.min(Cpu::detect()) })
    }

    /// Returns the level.
    pub fn cpu(self) -> Cpu {
        self.0
    }
}

/// Returns whether a gather of eight words is faster than eight loads, by the maker of the processor. On AMD's Zen 5,
/// searches of 5x5 boards take some 5% less time with loads.
pub(crate) fn has_fast_gathers() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        // Function 0 returns twelve letters in three registers, in this order.
        #[allow(unused_unsafe, reason = "the function is safe since Rust 1.94")]
        // SAFETY: all x86-64 processors have the instruction, and function 0.
        let id = unsafe { std::arch::x86_64::__cpuid(0) };
        let maker = [id.ebx, id.edx, id.ecx].map(u32::to_le_bytes);
        !matches!(maker.as_flattened(), b"AuthenticAMD" | b"HygonGenuine")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Prefetches the cache line of `items[place]` into all cache levels. Does nothing on machines other than x86-64 and
/// 64-bit Arm.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], place: usize) {
    let item = items.as_ptr().wrapping_add(place);
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch accepts any address, never faults and changes no memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(item.cast()) };
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above. The intrinsic is not stable yet.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) item, options(readonly, nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = item;
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
            "this machine does not support avx512: its highest instruction level is avx2"
        );
        assert_eq!(
            on(Cpu::Avx2)("AVX").unwrap_err().to_string(),
            "`AVX` is not an instruction level: use scalar, avx2 or avx512"
        );
    }

    #[test]
    fn every_machine_has_the_lowest_level() {
        assert_eq!(Cpu::available().next(), Some(Cpu::Scalar));
        assert_eq!(Cpu::available().next_back(), Some(Cpu::detect()));
        assert!(Cpu::available().is_sorted());
    }
}
