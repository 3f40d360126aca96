//! A thousand clients at once: quick ones, slow ones, and half of them going away.

use std::collections::BTreeMap;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use super::client::Client;
use super::question;
use crate::Result;

/// How many clients come at the same time.
pub const CLIENTS: usize = 1000;

/// Requests of a client that stays.
const REQUESTS: usize = 5;

/// How long slow clients take between the halves of a request.
const SLOW: Duration = Duration::from_millis(100);

/// A board that nobody waits for to be solved.
const HARD: &str = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";

/// How many answers there were with each status.
type Statuses = BTreeMap<u16, usize>;

/// Sends a crowd to a server and waits until all have gone.
pub fn send(address: &str, boards: &[String]) -> Result<Statuses> {
    /// Files that are open beside the connections.
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
            let heard = client.join().map_err(|_| anyhow!("a client has failed"))??;
            for status in heard {
                *statuses.entry(status).or_default() += 1;
            }
        }
        Ok(statuses)
    })
}

/// What a client does; returns the statuses that it has heard.
fn behave(mut client: Client, number: usize, boards: &[String]) -> Result<Vec<u16>> {
    let hard = question(HARD, None);
    match number % 4 {
        // Leaves as soon as the answer begins.
        0 => {
            let request = client.post("solve", &hard, "Accept: text/event-stream\r\n");
            client.send(&request)?;
            Ok(vec![client.head()?.0])
        }
        // Leaves without hearing anything.
        1 => {
            let request = client.post("solve", &hard, "");
            client.send(&request)?;
            Ok(Vec::new())
        }
        kind => {
            let mut heard = Vec::new();
            for turn in 0..REQUESTS {
                let request = client.solve(&boards[(number + turn) % boards.len()], None);
                let (first, second) = request.split_at(request.len() / 2);
                client.send(first)?;
                if kind == 2 {
                    thread::sleep(SLOW);
                }
                client.send(second)?;
                heard.push(client.answer().context("a client that stays hears nothing")?.status);
            }
            Ok(heard)
        }
    }
}
