//! Which hosts a request may name.
//!
//! A page of another site may have its name lead to this machine, and then read what this server answers, as if it came
//! from that site ("DNS rebinding"). Such a request names the other site as its host, so it is refused.

use std::net::IpAddr;

/// The host of a `Host` header, without its port.
fn without_port(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

/// Whether a request that came in at an address may name this host: the address itself, the machine's own name for
/// itself, or one of `names`.
pub fn is_own(host: &str, address: IpAddr, names: &[String]) -> bool {
    let host = without_port(host);
    match host.parse::<IpAddr>() {
        Ok(named) => named.to_canonical() == address.to_canonical(),
        Err(_) => {
            let host = host.trim_end_matches('.');
            (address.to_canonical().is_loopback() && host.eq_ignore_ascii_case("localhost"))
                || names.iter().any(|name| name.eq_ignore_ascii_case(host))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_names_are_known_and_others_are_not() {
        let here: IpAddr = "127.0.0.1".parse().unwrap();
        let own = |host: &str| is_own(host, here, &["puzzle.example".to_owned()]);
        for host in
            ["127.0.0.1:8015", "127.0.0.1", "localhost:80", "LOCALHOST.", "Puzzle.Example:1"]
        {
            assert!(own(host), "{host}");
        }
        for host in
            ["", "evil.example", "10.0.0.1:8015", "localhost.evil.example", "[::1]:8015", ":"]
        {
            assert!(!own(host), "{host}");
        }
    }

    #[test]
    fn the_machine_is_localhost_on_loopback_alone() {
        assert!(is_own("localhost", "::1".parse().unwrap(), &[]));
        assert!(is_own("[::1]:8015", "::1".parse().unwrap(), &[]));
        assert!(is_own("10.0.0.1", "::ffff:10.0.0.1".parse().unwrap(), &[]));
        assert!(!is_own("localhost", "10.0.0.1".parse().unwrap(), &[]));
    }
}
