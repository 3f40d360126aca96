//! The server as its clients see it, at the level of bytes.

mod batches;
mod calls;
mod client;
mod ends;
mod faults;
mod load;
mod page;
