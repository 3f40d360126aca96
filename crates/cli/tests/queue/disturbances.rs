//! A batch under disturbances: connections are slow, silent or cut, a worker sleeps, streams are deleted, and a second driver
//! starts.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{sleep, spawn};
use std::time::Duration;

use crate::batches::{SEARCH, boards};
use crate::common::Server;
use crate::{Place, Running, loyd, run, timeless, wait_until};

/// The treatment of the bytes of all connections.
#[derive(Clone, Copy, PartialEq)]
enum Network {
    Open,
    /// They arrive a quarter of a second later.
    Slow,
    /// They are lost. Then the connection is closed.
    Silent,
    /// Connections are closed.
    Cut,
}

/// A network between a server and its clients.
struct Proxy {
    url: String,
    network: Arc<Mutex<Network>>,
}

impl Proxy {
    fn start(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("nats://{}", listener.local_addr().unwrap());
        let network = Arc::new(Mutex::new(Network::Open));
        let state = Arc::clone(&network);
        spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                let reverse = (server.try_clone().unwrap(), client.try_clone().unwrap());
                for (from, to) in [(client, server), reverse] {
                    let state = Arc::clone(&state);
                    spawn(move || forward(from, to, &state));
                }
            }
        });
        Self { url, network }
    }

    fn become_for(&self, network: Network, time: Duration) {
        *self.network.lock().unwrap() = network;
        sleep(time);
        *self.network.lock().unwrap() = Network::Open;
    }
}

fn forward(mut from: TcpStream, mut to: TcpStream, network: &Mutex<Network>) {
    let mut buffer = [0; 1 << 16];
    let state = || *network.lock().unwrap();
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        match state() {
            Network::Open => {}
            Network::Slow => sleep(Duration::from_millis(250)),
            Network::Silent | Network::Cut => break,
        }
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    while state() == Network::Silent {
        sleep(Duration::from_millis(20));
    }
    _ = from.shutdown(Shutdown::Both);
    _ = to.shutdown(Shutdown::Both);
}

/// Deletes a stream, as an administrator would do.
fn delete(stream: &str, server: u16) {
    let mut connection = TcpStream::connect(("127.0.0.1", server)).unwrap();
    let request = format!("$JS.API.STREAM.DELETE.{stream}");
    write!(connection, "CONNECT {{}}\r\nSUB reply 1\r\nPUB {request} reply 0\r\n\r\n").unwrap();
    let mut lines = BufReader::new(connection).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("MSG reply")));
    assert!(lines.next().unwrap().contains("\"success\":true"));
}

fn signal(process: &Running, signal: &str) {
    let id = process.0.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
}

#[test]
fn disturbed_batches_lose_nothing() {
    let Some(server) = Server::start("cli-disturbances", "") else { return };
    let place = Place::new("disturbances");
    let proxy = Proxy::start(server.port());
    let file = place.write("boards.txt", &boards("4x4", 1000));
    let command = [&["solve", "-f", &file, "--output", "json"][..], &SEARCH].concat();
    let alone = run(&[&command[..], &["--save", &place.path("alone")]].concat());
    let [saved, other] = [place.path("queued"), place.path("other")];
    let drive = |saved: &str| {
        let queued = [&command[..], &["--save", saved, "--on", &proxy.url]].concat();
        let notes = File::create(format!("{saved}.notes")).unwrap();
        Running(loyd(&queued).stdout(Stdio::null()).stderr(notes).spawn().unwrap())
    };
    let mut driver = drive(&saved);
    let workers = [Running::work(&proxy.url), Running::work(&proxy.url)];
    let mut second = None;
    let events: [&mut dyn FnMut(); 6] = [
        &mut || proxy.become_for(Network::Slow, Duration::from_secs(1)),
        // Three times its ack_wait: others do its jobs, and it stores old results when it continues.
        &mut || {
            signal(&workers[0], "-STOP");
            sleep(Duration::from_secs(3));
            signal(&workers[0], "-CONT");
        },
        &mut || {
            second = Some(drive(&other));
            wait_until("the second driver has no answers", || !place.lines("other").is_empty());
        },
        &mut || proxy.become_for(Network::Silent, Duration::from_secs(1)),
        &mut || ["LOYD_JOBS", "LOYD_RESULTS"].into_iter().for_each(|it| delete(it, server.port())),
        &mut || proxy.become_for(Network::Cut, Duration::from_secs(1)),
    ];
    for (step, event) in events.into_iter().enumerate() {
        wait_until("no answers", || place.lines("queued").len() > 20 * (step + 1));
        assert!(driver.is_running(), "there is nothing left to disturb at step {step}");
        event();
    }
    let mut second = second.unwrap();
    wait_until("the drivers do not end", || !driver.is_running() && !second.is_running());
    for (mut process, name) in [(driver, "queued"), (second, "other")] {
        let notes = place.lines(&format!("{name}.notes")).join("\n");
        assert_eq!(process.0.wait().unwrap().code(), alone.status.code(), "{notes}");
        assert_eq!(timeless(&place.lines(name)), timeless(&place.lines("alone")));
    }
}
