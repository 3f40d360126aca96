//! Searches that run beside the screen.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use loyd::CancelToken;
use loyd::search::{Event, Observer};
use loyd_api::Known;

use crate::progress::in_words;

/// A search on a thread of its own. It is cancelled when this is dropped; nobody waits for its end then.
pub struct Job<T> {
    cancel: CancelToken,
    known: Arc<Mutex<Known>>,
    answer: Receiver<Result<T, String>>,
    begun: Duration,
}

impl<T: Send + 'static> Job<T> {
    /// Starts `work` with a token that ends it and an observer.
    pub fn start<W>(now: Duration, work: W) -> Self
    where
        W: FnOnce(&CancelToken, &mut dyn Observer) -> Result<T, String> + Send + 'static,
    {
        let (cancel, known) = (CancelToken::new(), Arc::new(Mutex::new(Known::default())));
        let (send, answer) = channel();
        let (own, told) = (cancel.clone(), Arc::clone(&known));
        let search = move || {
            let mut observer = |event: Event<'_>| {
                told.lock().unwrap_or_else(PoisonError::into_inner).learn(event);
                ControlFlow::Continue(())
            };
            // Whoever has dropped the job does not want to know.
            let _ = send.send(work(&own, &mut observer));
        };
        // Without a thread there is no answer either, which is told as such.
        let _ = thread::Builder::new().name("search".to_owned()).spawn(search);
        Self { cancel, known, answer, begun: now }
    }

    /// What the search does, and what it has found so far, in words.
    pub fn doing(&self, now: Duration) -> String {
        in_words(&self.known(), now.saturating_sub(self.begun), None)
    }

    /// The best solution so far, as the moves of the blank.
    pub fn solution(&self) -> Option<String> {
        self.known().best.as_ref().map(|(moves, _)| moves.clone())
    }

    /// No solution is shorter, as far as is known.
    pub fn least(&self) -> Option<u32> {
        self.known().least
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer, once it is there.
    pub fn answer(&self) -> Option<Result<T, String>> {
        match self.answer.try_recv() {
            Ok(answer) => Some(answer),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Err("the search ended without an answer".to_owned()))
            }
        }
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
