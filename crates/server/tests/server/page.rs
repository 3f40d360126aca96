//! The files of the page.

use crate::client::Running;

#[test]
fn page_has_a_content_security_policy() {
    let server = Running::start(|_| {});
    let page = server.get("/", "");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.body.contains("<script type=\"module\""), "{}", page.body);
    let policy = page.header("content-security-policy").unwrap();
    assert_eq!(
        policy,
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; frame-ancestors 'none'"
    );
    let slot = server.get("/?scramble=1_2_3_4_5_6_7_0_8", "");
    assert!(!slot.header("content-security-policy").unwrap().contains("frame-ancestors"));
}

#[test]
fn embedded_page_is_for_allowed_sites() {
    let closed = Running::start(|_| {});
    let policy = |server: &Running, path: &str| {
        let page = server.get(path, "");
        assert!(page.body.contains("<body"), "{path}: {}", page.body);
        let policy = page.header("content-security-policy").unwrap();
        policy.rsplit_once("; ").unwrap().1.to_owned()
    };
    assert_eq!(policy(&closed, "/embed"), "frame-ancestors 'none'");
    let open = Running::start(|options| options.embedders = vec!["https://a.example".to_owned()]);
    assert_eq!(policy(&open, "/embed"), "frame-ancestors https://a.example");
    assert_eq!(policy(&open, "/"), "frame-ancestors 'none'");
}

#[test]
fn cached_files_are_not_sent_again() {
    let server = Running::start(|_| {});
    let first = server.get("/app.js", "");
    let tag = first.header("etag").unwrap();
    let again = server.get("/app.js", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let mut connection = server.connect();
    connection.send("HEAD /app.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let length = connection.skip_to("content-length: ");
    assert_eq!(length.strip_prefix("content-length: "), first.header("content-length"));
}

#[test]
fn files_are_compressed_on_request() {
    let server = Running::start(|_| {});
    let plain = server.get("/app.js", "");
    assert_eq!(plain.header("content-encoding"), None);
    let small = server.get("/app.js", "Accept-Encoding: gzip\r\n");
    assert_eq!(small.header("content-encoding"), Some("gzip"));
    assert!(small.body.len() < plain.body.len());
}

#[test]
fn other_files_cannot_be_read() {
    let server = Running::start(|_| {});
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "//etc/passwd",
        "/e2e/package.json",
        "/style/",
    ] {
        assert_eq!(server.get(path, "").status, 404, "{path}");
    }
}
