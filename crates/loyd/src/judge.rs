//! Files of 8-puzzle boards, answered at the speed of reading them.
//!
//! ```
//! use loyd::judge::{Cpu, judge};
//!
//! let (mut answers, mut faults) = (Vec::new(), 0);
//! let boards = "1 2 3 4 5 6 7 x 8\n1 2 3 4 5 6 8 7 x\n1 2 3\n";
//! judge(boards.as_bytes(), &mut answers, Cpu::in_use(), &mut |_| faults += 1)?;
//! assert_eq!((&answers[..], faults), (&b"r\nunsolvable\ninvalid\n"[..], 1));
//! # Ok::<(), std::io::Error>(())
//! ```

pub use loyd_kernels::{Cpu, CpuError, Fault, FaultKind, Tally, judge};
