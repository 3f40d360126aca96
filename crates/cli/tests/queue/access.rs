//! Encryption, credentials, metrics and the end of a worker.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::Server;
use crate::{Place, Running, run, text, wait_until};

/// Runs `openssl` in the folder of a test.
fn openssl(place: &Place, arguments: &str) {
    let mut command = Command::new("openssl");
    let output = command.current_dir(&place.0).args(arguments.split(' ')).output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
}

/// Creates an authority, and certificates of it for a server with these names and a client. Returns false if there is no
/// `openssl`.
pub fn certificates(place: &Place, names: &str) -> bool {
    if Command::new("openssl").arg("version").output().is_err() {
        assert!(std::env::var_os("LOYD_CI").is_none(), "there is no openssl");
        return false;
    }
    openssl(
        place,
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=test",
    );
    place.write("server.ext", &format!("subjectAltName={names}\n"));
    place.write("client.ext", "extendedKeyUsage=clientAuth\n");
    for name in ["server", "client"] {
        openssl(
            place,
            &format!(
                "req -newkey rsa:2048 -nodes -keyout {name}.key -out {name}.csr -subj /CN={name}"
            ),
        );
        openssl(
            place,
            &format!(
                "x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out {name}.crt -days 30 -extfile {name}.ext"
            ),
        );
    }
    let both =
        ["client.crt", "client.key"].map(|name| std::fs::read_to_string(place.path(name)).unwrap());
    place.write("client.pem", &both.concat());
    true
}

#[test]
fn encrypted_queue_takes_client_certificates() {
    let place = Place::new("tls");
    if !certificates(&place, "DNS:localhost,IP:127.0.0.1") {
        return;
    }
    let [ca, cert, key, client] =
        ["ca.pem", "server.crt", "server.key", "client.pem"].map(|name| place.path(name));
    let tls =
        format!("tls {{ cert_file: {cert:?}, key_file: {key:?}, ca_file: {ca:?}, verify: true }}");
    let Some(server) = Server::start("cli-tls", &tls) else { return };
    let url = format!("tls://localhost:{}", server.port());
    let file = place.write("boards.txt", "2 3 4 1 5 x 7 6 8\n");
    let saved = place.path("saved");
    let command = ["solve", "-f", &file, "--save", &saved, "--on", &url];
    let access = ["--tls-ca", &ca, "--credentials", &client];
    let refused: [(&[&str], &str); 3] = [
        (&[], "no encrypted connection"),
        (&["--tls-ca", &ca], "cannot connect to"),
        (&["--tls-ca", &ca, "--credentials", &file], "this is neither the seed of an nkey"),
    ];
    for (access, reason) in refused {
        let start = Instant::now();
        let output = run(&[&command[..], access].concat());
        let message = text(&output.stderr);
        assert!(
            output.status.code() == Some(2) && message.contains(reason),
            "{access:?}: {message}"
        );
        assert!(start.elapsed() < Duration::from_secs(8), "{access:?}");
    }
    let _worker = Running::start(&[&["work", &url][..], &access].concat());
    let output = run(&[&command[..], &access].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(place.lines("saved"), ["ullddrurdllurrdlurd"]);
}

#[test]
fn other_machines_need_encryption_and_credentials() {
    let place = Place::new("unsafe");
    let credentials = place.write("user.creds", "SUAM");
    let cases: [(&[&str], &str); 3] = [
        (&["nats://192.0.2.1:4222"], "nats:// is not encrypted"),
        (&["nats://192.0.2.1:4222", "--credentials", &credentials], "nats:// is not encrypted"),
        (&["tls://192.0.2.1:4222"], "give --credentials FILE"),
    ];
    for (arguments, reason) in cases {
        let output = run(&[&["work"][..], arguments].concat());
        let message = text(&output.stderr);
        assert!(
            output.status.code() == Some(2) && message.contains(reason),
            "{arguments:?}: {message}"
        );
    }
}

/// Returns an address that no process uses.
pub fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// Returns a metric of the worker that reports at `address`; `None` if there is none.
pub fn metric(address: &str, name: &str) -> Option<f64> {
    let mut stream = TcpStream::connect(address).ok()?;
    let request = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let line = answer.lines().find(|line| line.starts_with(name))?;
    line.rsplit(' ').next()?.parse().ok()
}

#[test]
fn worker_serves_metrics_and_gives_up() {
    let Some(mut server) = Server::start("cli-metrics", "") else { return };
    let (place, url) = (Place::new("metrics"), server.url());
    let file = place.write("boards.txt", &"2 3 4 1 5 x 7 6 8\n".repeat(20));
    let metrics = free_address();
    let mut worker =
        Running::start(&["work", &url, "--metrics", &metrics, "--give-up", "1s", "--threads", "1"]);
    let solved = run(&["solve", "-f", &file, "--save", &place.path("saved"), "--on", &url]);
    assert!(solved.status.success(), "{}", text(&solved.stderr));
    assert!(metric(&metrics, "loyd_worker_jobs_total{outcome=\"done\"}") >= Some(1.0));
    for name in ["loyd_worker_running", "loyd_worker_reconnects_total"] {
        assert_eq!(metric(&metrics, name), Some(0.0), "{name}");
    }
    server.stop();
    wait_until("the worker does not end", || !worker.is_running());
    assert_eq!(worker.0.wait().unwrap().code(), Some(1));
}
