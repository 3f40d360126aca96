//! Proxies, which name the clients for which they ask.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;
use axum::http::header::FORWARDED;
use ipnet::IpNet;

/// Header with the addresses of clients and proxies, which most proxies add to.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// Returns the address of the client of a request that came from `sender`. Only proxies in the networks `trusted` are
/// believed: the client is the last address that is not one of them, or the first one if all are.
pub fn client(sender: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
    if !is_trusted(&sender) {
        return sender;
    }
    let mut client = sender;
    for named in named(headers).into_iter().rev() {
        // Anything else may have been written by the client.
        let Some(address) = named else { break };
        client = address;
        if !is_trusted(&client) {
            break;
        }
    }
    client
}

/// Returns the addresses that the headers name, in the order in which they were added; `None` for names that are not
/// addresses.
fn named(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let lines = |name: &str| {
        let texts = headers.get_all(name).iter().filter_map(|line| line.to_str().ok());
        texts.flat_map(|line| line.split(',')).map(str::trim).collect::<Vec<_>>()
    };
    let forwarded = lines(FORWARDED.as_str());
    if forwarded.is_empty() {
        return lines(FORWARDED_FOR).into_iter().map(address).collect();
    }
    let from = |element: &str| {
        element.split(';').find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            name.eq_ignore_ascii_case("for").then(|| address(value.trim_matches('"')))?
        })
    };
    forwarded.into_iter().map(from).collect()
}

/// Parses an address, with or without brackets and a port.
fn address(text: &str) -> Option<IpAddr> {
    let plain = text.trim_start_matches('[').trim_end_matches(']');
    let address = plain.parse().ok();
    let address = address.or_else(|| text.parse().ok().map(|both: SocketAddr| both.ip()));
    address.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_is_the_last_address_that_is_no_trusted_proxy() {
        let trusted = ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        for (sender, header, line, expected) in [
            ("10.0.0.1", "x-forwarded-for", "192.0.2.7", "192.0.2.7"),
            ("10.0.0.1", "x-forwarded-for", "198.51.100.9, 192.0.2.7, 10.1.1.1", "192.0.2.7"),
            ("10.0.0.1", "x-forwarded-for", "10.2.2.2, 10.1.1.1", "10.2.2.2"),
            ("10.0.0.1", "x-forwarded-for", "192.0.2.7, unknown, 10.1.1.1", "10.1.1.1"),
            ("10.0.0.1", "x-forwarded-for", "192.0.2.7:4711", "192.0.2.7"),
            (
                "::1",
                "forwarded",
                "for=192.0.2.60;proto=http, For=\"[2001:db8::1]:4711\"",
                "2001:db8::1",
            ),
            ("::1", "forwarded", "for=192.0.2.60, proto=http", "::1"),
            ("::1", "forwarded", "for=\"[2001:db8::2]\"", "2001:db8::2"),
            ("::1", "forwarded", "for=_hidden", "::1"),
            ("192.0.2.1", "x-forwarded-for", "192.0.2.7", "192.0.2.1"),
            ("10.0.0.1", "host", "192.0.2.7", "10.0.0.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header, line.parse().unwrap());
            let found = client(sender.parse().unwrap(), &headers, &trusted);
            assert_eq!(found, expected.parse::<IpAddr>().unwrap(), "{header}: {line}");
        }
    }
}
