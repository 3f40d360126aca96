//! Places for connections, shared out between addresses.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

/// Interval at which a client that waits for a place looks whether a connection has become idle.
const LOOK: Duration = Duration::from_millis(100);

/// Maximum number of connections that wait for a place. One address may have half of them.
pub const MAX_WAITING: usize = 16;

/// A limited number of places for connections. When all are taken, an address that has more connections than others
/// gives one up. Its further connections wait, so that others are not delayed.
pub struct Places {
    most: usize,
    open: Mutex<Open>,
    freed: Notify,
}

#[derive(Default)]
struct Open {
    /// The connections by their number, the oldest first.
    places: BTreeMap<u64, Arc<Place>>,
    next: u64,
    /// Addresses of the connections that wait for a place.
    waiting: Vec<IpAddr>,
}

/// A connection that waits for a place.
struct Waiting {
    places: Arc<Places>,
    address: IpAddr,
}

/// The place of a connection.
#[derive(Debug)]
pub struct Place {
    number: u64,
    address: IpAddr,
    /// Number of requests that are being answered.
    requests: AtomicUsize,
    /// Whether a part of an answer still has to be sent.
    is_sending: AtomicBool,
    /// Set when the connection has to end.
    ended: Notify,
}

/// A request that is being answered on a connection.
pub struct Busy(Arc<Place>);

impl Places {
    pub fn new(most: usize) -> Self {
        Self { most, open: Mutex::default(), freed: Notify::new() }
    }

    /// Takes a place for a connection from `address`, now or as soon as there is one. Returns `None` if there is none
    /// and too many connections wait already: [`MAX_WAITING`], or half as many from this address.
    pub fn take(
        self: &Arc<Self>,
        address: IpAddr,
    ) -> Option<impl Future<Output = Arc<Place>> + use<>> {
        let (places, mut taken) = (self.clone(), self.try_take(address));
        let waiting = match taken {
            Some(_) => None,
            None => Some(self.wait(address)?),
        };
        Some(async move {
            let _waiting = waiting;
            loop {
                if let Some(place) = taken.take().or_else(|| places.try_take(address)) {
                    return place;
                }
                // Either a place becomes free, or a connection becomes idle.
                let _ = timeout(LOOK, places.freed.notified()).await;
            }
        })
    }

    fn wait(self: &Arc<Self>, address: IpAddr) -> Option<Waiting> {
        let waiting = &mut self.open().waiting;
        let of_address = waiting.iter().filter(|&&other| other == address).count();
        if waiting.len() >= MAX_WAITING || of_address >= MAX_WAITING / 2 {
            return None;
        }
        waiting.push(address);
        Some(Waiting { places: self.clone(), address })
    }

    fn try_take(&self, address: IpAddr) -> Option<Arc<Place>> {
        let mut open = self.open();
        if open.places.len() >= self.most {
            let number = open.to_give_up(address)?;
            if let Some(given_up) = open.places.remove(&number) {
                given_up.ended.notify_one();
            }
        }
        let number = open.next;
        open.next += 1;
        let (requests, is_sending) = (AtomicUsize::new(0), AtomicBool::new(false));
        let ended = Notify::new();
        let place = Arc::new(Place { number, address, requests, is_sending, ended });
        open.places.insert(number, place.clone());
        Some(place)
    }

    /// Frees the place of a connection that has ended.
    pub fn free(&self, place: &Place) {
        self.open().places.remove(&place.number);
        self.freed.notify_one();
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Returns the connection that has to end for one from `address`: the oldest idle one of the address that has most,
    /// or its newest one if all are busy. If no address has more connections than `address` would have, it is the oldest
    /// idle one of `address` itself, or of an address that has more than `address`.
    fn to_give_up(&self, address: IpAddr) -> Option<u64> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for place in self.places.values() {
            *counts.entry(place.address).or_default() += 1;
        }
        let own = counts.get(&address).copied().unwrap_or(0);
        let (&most, &count) = counts.iter().max_by_key(|&(_, &count)| count)?;
        let from = if count > own + 1 { most } else { address };
        let mut of_address = self.places.values().filter(|place| place.address == from);
        let idle = of_address.clone().find(|place| place.is_idle());
        let given_up = idle.or_else(|| of_address.next_back().filter(|_| from != address));
        let others = || {
            let mut others = self.places.values();
            others.find(|place| place.is_idle() && counts[&place.address] > own)
        };
        given_up.or_else(others).map(|place| place.number)
    }
}

impl Place {
    /// Returns the address of the client.
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// Waits until the connection has to end.
    pub async fn ended(&self) {
        self.ended.notified().await;
    }

    fn is_idle(&self) -> bool {
        self.requests.load(Ordering::Relaxed) == 0 && !self.is_sending.load(Ordering::Relaxed)
    }

    /// Notes whether a part of an answer still has to be sent.
    pub fn set_sending(&self, is_sending: bool) {
        self.is_sending.store(is_sending, Ordering::Relaxed);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let waiting = &mut self.places.open().waiting;
        if let Some(index) = waiting.iter().position(|&other| other == self.address) {
            waiting.swap_remove(index);
        }
    }
}

impl Busy {
    pub fn new(place: &Arc<Place>) -> Self {
        place.requests.fetch_add(1, Ordering::Relaxed);
        Self(place.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u8) -> IpAddr {
        [10, 0, 0, number].into()
    }

    #[test]
    fn address_with_most_connections_gives_one_up() {
        let places = Places::new(4);
        let take = |number| places.try_take(address(number)).map(|place| place.number);
        let first = places.try_take(address(1)).unwrap();
        let busy = Busy::new(&first);
        assert_eq!([take(1), take(1), take(2)], [Some(1), Some(2), Some(3)]);
        let open = || places.open().places.keys().copied().collect::<Vec<_>>();
        // The oldest connection is busy, so the next one ends.
        assert_eq!(take(3), Some(4));
        assert_eq!(open(), [0, 2, 3, 4]);
        // No address has two connections more than these, so one of their idle connections ends.
        assert_eq!((take(2), open()), (Some(5), vec![0, 2, 4, 5]));
        assert_eq!((take(1), open()), (Some(6), vec![0, 4, 5, 6]));
        drop(busy);
        places.free(&first);
        assert_eq!((take(2), open()), (Some(7), vec![4, 5, 6, 7]));
    }

    #[test]
    fn idle_connections_end_if_all_addresses_have_one() {
        let places = Places::new(2);
        let all = [1, 2].map(|number| places.try_take(address(number)).unwrap());
        all[0].set_sending(true);
        assert_eq!(places.try_take(address(3)).map(|place| place.number), Some(2));
        assert_eq!(places.open().places.keys().copied().collect::<Vec<_>>(), [0, 2]);
        let _busy = Busy::new(&places.open().places[&2]);
        assert!(places.try_take(address(4)).is_none());
    }

    #[test]
    fn an_address_has_half_of_the_waiting_connections() {
        let places = Arc::new(Places::new(0));
        let wait = |number| places.wait(address(number));
        let mut waiting: Vec<_> = (0..MAX_WAITING / 2).map(|_| wait(1).unwrap()).collect();
        assert!(wait(1).is_none());
        waiting.extend((0..MAX_WAITING / 2).map(|_| wait(2).unwrap()));
        assert!(wait(3).is_none());
        waiting.remove(0);
        assert!(wait(2).is_none() && wait(1).is_some());
    }

    #[test]
    fn busy_connections_end_only_for_addresses_with_fewer() {
        let places = Places::new(2);
        let all = [1, 1].map(|number| places.try_take(address(number)).unwrap());
        let _busy = all.each_ref().map(Busy::new);
        assert!(places.try_take(address(1)).is_none());
        assert!(places.try_take(address(2)).is_some());
        assert_eq!(places.open().places.keys().copied().collect::<Vec<_>>(), [0, 2]);
    }
}
