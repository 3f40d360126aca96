//! The server as its clients see it, byte by byte.

mod calls;
mod client;
mod ends;
mod faults;
mod load;
mod page;
