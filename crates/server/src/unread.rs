//! Answers that clients have not received completely: a limit on their memory.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

/// Size from which memory is counted, in bytes. The number of connections limits the memory of smaller answers.
const COUNTED_FROM: usize = 64 * 1024;

/// The memory of large answers that clients have not received completely. One address may have half of it.
pub struct Unread {
    most: usize,
    held: Mutex<HashMap<IpAddr, usize>>,
}

/// Memory for a client, which is free again when this is dropped.
pub struct Claim {
    bytes: usize,
    client: IpAddr,
    unread: Arc<Unread>,
}

/// A large answer. Its memory is free again once the last part of it has been sent.
struct Held {
    text: String,
    _claims: Vec<Claim>,
}

impl Unread {
    /// Creates a limit of `most` bytes.
    pub fn new(most: usize) -> Self {
        Self { most, held: Mutex::default() }
    }

    /// Returns the bytes of an answer for `client`, whose memory is counted already if there are `claims`. Returns `None`
    /// if too many bytes wait for clients already.
    pub fn hold(
        self: &Arc<Self>,
        client: IpAddr,
        text: String,
        mut claims: Vec<Claim>,
    ) -> Option<Bytes> {
        if claims.is_empty() {
            if text.len() < COUNTED_FROM {
                return Some(text.into());
            }
            claims.push(self.claim(client, text.len())?);
        }
        Some(Bytes::from_owner(Held { text, _claims: claims }))
    }

    /// Counts memory for `client`. Returns `None` if too many bytes are counted already.
    pub fn claim(self: &Arc<Self>, client: IpAddr, bytes: usize) -> Option<Claim> {
        let mut held = self.held();
        let (own, all) = (held.get(&client).copied().unwrap_or(0), held.values().sum::<usize>());
        if own + bytes > self.most / 2 || all + bytes > self.most {
            return None;
        }
        held.insert(client, own + bytes);
        Some(Claim { bytes, client, unread: self.clone() })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut held = self.unread.held();
        if let Some(own) = held.get_mut(&self.client) {
            *own -= self.bytes;
            if *own == 0 {
                held.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_half_of_the_memory() {
        const LARGE: usize = 100_000;
        let unread = Arc::new(Unread::new(4 * LARGE));
        let address = |number| IpAddr::from([10, 0, 0, number]);
        let hold = |number, length| unread.hold(address(number), "x".repeat(length), Vec::new());
        let first = hold(1, LARGE).unwrap();
        let second = hold(1, LARGE);
        assert_eq!((hold(1, LARGE), hold(1, 100).map(|small| small.len())), (None, Some(100)));
        let others = [hold(2, LARGE), hold(3, LARGE)];
        assert!(second.is_some() && others.iter().all(Option::is_some));
        assert_eq!(hold(4, LARGE), None);
        // Memory is free when the last part of an answer has gone.
        let rest = first.slice(LARGE / 2..);
        drop(first);
        assert_eq!(hold(1, LARGE), None);
        drop(rest);
        assert!(hold(1, LARGE).is_some());
    }

    /// Memory that was counted while an answer was made is counted once, and until the answer has been sent.
    #[test]
    fn claims_pass_to_the_answer() {
        const LARGE: usize = 100_000;
        let unread = Arc::new(Unread::new(2 * LARGE));
        let client = IpAddr::from([10, 0, 0, 1]);
        for length in [LARGE, 10] {
            let claim = unread.claim(client, LARGE).unwrap();
            let held = unread.hold(client, "x".repeat(length), vec![claim]).unwrap();
            assert!(unread.claim(client, 1).is_none());
            drop(held);
            assert!(unread.claim(client, LARGE).is_some());
        }
    }
}
