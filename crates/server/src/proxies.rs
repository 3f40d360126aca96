//! Proxies, which name the clients for which they ask.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;
use axum::http::header::FORWARDED;
use ipnet::IpNet;

/// Header with the addresses of clients and proxies, which most proxies add to.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// Returns the address of the client of a request that came from `sender`. Only proxies in the networks `trusted` are
/// believed: the client is the last address that is not one of them, or the first one if all are. A proxy adds to one of the
/// two headers and passes on the other, which the client may have written: if they name different clients, neither is
/// believed.
pub fn client(sender: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
    if !is_trusted(&sender) {
        return sender;
    }
    let mut clients = [forwarded(headers), forwarded_for(headers)]
        .into_iter()
        .filter(|names| !names.is_empty())
        .map(|names| last_client(sender, names, is_trusted));
    match (clients.next(), clients.next()) {
        (Some(client), None) => client,
        (Some(client), Some(other)) if client == other => client,
        _ => sender,
    }
}

/// Returns the last of these addresses that is not trusted, or the first one.
fn last_client(
    sender: IpAddr,
    names: Vec<Option<IpAddr>>,
    is_trusted: impl Fn(&IpAddr) -> bool,
) -> IpAddr {
    let mut client = sender;
    for named in names.into_iter().rev() {
        // Anything else may have been written by the client.
        let Some(address) = named else { break };
        client = address;
        if !is_trusted(&client) {
            break;
        }
    }
    client
}

/// Returns the elements of a header, in the order in which they were added.
fn elements<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let texts = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    texts.flat_map(|line| line.split(',')).map(str::trim)
}

/// Returns the addresses in `X-Forwarded-For`; `None` for names that are not addresses.
fn forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    elements(headers, FORWARDED_FOR).map(address).collect()
}

/// Returns the addresses in `Forwarded`; `None` for names that are not addresses.
fn forwarded(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let from = |element: &str| {
        element.split(';').find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            name.eq_ignore_ascii_case("for").then(|| address(value.trim_matches('"')))?
        })
    };
    elements(headers, FORWARDED.as_str()).map(from).collect()
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

    #[test]
    fn header_that_the_client_may_have_written_is_not_believed() {
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        for (forwarded, forwarded_for, expected) in [
            ("for=192.0.2.7", "192.0.2.7", "192.0.2.7"),
            ("for=198.51.100.1", "192.0.2.7", "10.0.0.1"),
            ("for=192.0.2.7", "198.51.100.1", "10.0.0.1"),
            ("for=_hidden", "192.0.2.7", "10.0.0.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("forwarded", forwarded.parse().unwrap());
            headers.insert("x-forwarded-for", forwarded_for.parse().unwrap());
            let found = client(proxy, &headers, &trusted);
            assert_eq!(found, expected.parse::<IpAddr>().unwrap(), "{forwarded}; {forwarded_for}");
        }
    }
}
