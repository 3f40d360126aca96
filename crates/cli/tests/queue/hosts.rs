//! Several hosts, which are network namespaces of this machine.

use std::io::Write;
use std::process::Command;

use crate::access::certificates;
use crate::batches::{SEARCH, boards};
use crate::{Place, common, run, text, timeless};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/queue/hosts.sh");

/// Returns a command that runs the script in new namespaces, for which it needs no rights.
fn hosts(place: &Place) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--net", "--mount", "--pid", "--fork"]);
    command.args(["--kill-child", "sh", SCRIPT]).current_dir(&place.0).env("LOYD_CACHE", "none");
    command
}

/// A driver and workers on other hosts than the server, over encrypted connections, which some of them lose.
#[test]
fn hosts_are_joined_by_tls() {
    let Some(server) = common::program() else { return };
    let place = Place::new("hosts");
    let tried = hosts(&place).arg("try").output();
    if !tried.as_ref().is_ok_and(|output| output.status.success()) {
        // Written past the harness, which shows nothing of a test that passes.
        let reason = tried.map_or_else(|why| why.to_string(), |output| text(&output.stderr));
        let _ = writeln!(
            std::io::stderr(),
            "not tested: queues between hosts: no network namespaces here: {reason}"
        );
        return;
    }
    let addresses = "IP:10.77.1.1,IP:10.77.2.1,IP:10.77.3.1";
    if !certificates(&place, addresses) {
        return;
    }
    let tls = "tls { cert_file: server.crt, key_file: server.key, ca_file: ca.pem, verify: true }";
    place.write(
        "nats.conf",
        &format!("listen: 0.0.0.0:4222\njetstream {{ store_dir: store, max_file: 1G }}\n{tls}\n"),
    );
    let file = place.write("boards.txt", &boards("4x4", 200));
    let search = [&SEARCH[..], &["--output", "json"]].concat();
    let alone =
        run(&[&["solve", "-f", &file][..], &search, &["--save", &place.path("alone")]].concat());
    let mut command = hosts(&place);
    command.env("LOYD", env!("CARGO_BIN_EXE_loyd")).env("NATS_SERVER", server);
    let queued = command.env("SEARCH", search.join(" ")).output().unwrap();
    let message = |name| std::fs::read_to_string(place.path(name)).unwrap_or_default();
    let logs = ["driver.log", "first.log", "second.log", "server.log"].map(message).join("\n");
    assert_eq!(queued.status.code(), alone.status.code(), "{}{logs}", text(&queued.stderr));
    assert_eq!(timeless(&place.lines("queued")), timeless(&place.lines("alone")));
}
