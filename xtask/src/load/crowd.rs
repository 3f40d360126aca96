//! A thousand clients at once: fast ones, slow ones, and ones that leave early (half of them).

use std::collections::BTreeMap;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use super::client::{Client, solve_body};

/// Number of clients that connect at the same time.
pub const CLIENTS: usize = 1000;

/// Number of requests of a client that stays.
const REQUESTS: usize = 5;

/// Pause of slow clients between the two halves of a request.
const SLOW: Duration = Duration::from_millis(100);

/// A board whose solution takes so long that its clients leave first.
const HARD: &str = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";

/// The number of responses with each status.
type Statuses = BTreeMap<u16, usize>;

/// Sends a crowd to a server and waits until all clients have left.
pub fn send(address: &str, boards: &[String]) -> Result<Statuses> {
    /// Open files other than the connections.
    const OTHER_FILES: u64 = 100;
    const STACK: usize = 128 * 1024;
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, most.min(CLIENTS as u64 + OTHER_FILES), most)?;
    let together = Barrier::new(CLIENTS);
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let together = &together;
                let behave = move || {
                    let client = Client::connect(address);
                    together.wait();
                    behave(client?, number, boards)
                };
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, behave)
            })
            .collect::<std::io::Result<_>>()?;
        let mut statuses = Statuses::new();
        for client in clients {
            let received = client.join().map_err(|_| anyhow!("a client panicked"))??;
            for status in received {
                *statuses.entry(status).or_default() += 1;
            }
        }
        Ok(statuses)
    })
}

/// Returns the body of a request to solve a board that takes as long as the server lets it.
pub fn hard_body() -> String {
    solve_body(HARD, None)
}

/// Runs a client, and returns the statuses of the responses that it received.
fn behave(mut client: Client, number: usize, boards: &[String]) -> Result<Vec<u16>> {
    let hard = hard_body();
    match number % 4 {
        // Leaves as soon as the response starts.
        0 => {
            let request = client.post("solve", &hard, "Accept: text/event-stream\r\n");
            client.send(&request)?;
            Ok(vec![client.head()?.0])
        }
        // Leaves before any response.
        1 => {
            let request = client.post("solve", &hard, "");
            client.send(&request)?;
            Ok(Vec::new())
        }
        kind => {
            let mut statuses = Vec::new();
            for turn in 0..REQUESTS {
                let request = client.solve(&boards[(number + turn) % boards.len()], None);
                let (first, second) = request.split_at(request.len() / 2);
                client.send(first)?;
                if kind == 2 {
                    thread::sleep(SLOW);
                }
                client.send(second)?;
                statuses
                    .push(client.answer().context("a client that stays got no response")?.status);
            }
            Ok(statuses)
        }
    }
}
