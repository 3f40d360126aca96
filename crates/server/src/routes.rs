//! Routes of the server, and the check of the `Host` header.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ALLOW, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use loyd_api::{CALLS, Call, Fault, LISTS, List};
use serde_json::Value;
use tower::{Service, ServiceBuilder, ServiceExt, service_fn};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::{AllowOrigin, CorsLayer};
use tracing::{Level, debug, enabled};

use crate::app::{App, Peer};
use crate::places::Busy;
use crate::{calls, faults, proxies, site};

/// Maximum length of a path with its query, in bytes.
const MAX_ADDRESS: usize = 8 * 1024;

/// Maximum size of the head of a request, in bytes.
pub const MAX_HEAD: usize = 64 * 1024;

/// Minimum size of a compressed answer, in bytes.
const COMPRESSED_FROM: u64 = 1024;

/// A service that answers requests.
pub trait Answering:
    Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

impl<S> Answering for S where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static
{
}

/// Creates the service that answers requests. None of its layers is boxed: boxing would take a third of the time that a
/// short call spends on this thread.
pub fn service(app: &Arc<App>) -> impl Answering + use<> {
    let worthwhile = SizeAbove::new(COMPRESSED_FROM).and(NotForContentType::SSE);
    let cors = allowed_origins(app).map(|origins| {
        CorsLayer::new()
            .allow_origin(origins)
            .allow_methods([Method::GET, Method::POST])
            .allow_headers([CONTENT_TYPE])
    });
    let app = app.clone();
    ServiceBuilder::new()
        .map_response(|response: axum::http::Response<_>| response.map(Body::new))
        .option_layer(cors)
        .layer(CompressionLayer::new().compress_when(worthwhile))
        .service(service_fn(move |request| answer(app.clone(), request)))
}

/// Returns the other sites whose pages may use the API.
fn allowed_origins(app: &App) -> Option<AllowOrigin> {
    let origins = &app.options.origins;
    match origins.as_slice() {
        [] => None,
        all if all.iter().any(|origin| origin == "*") => Some(AllowOrigin::any()),
        some => {
            let values = some.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
            Some(AllowOrigin::list(values))
        }
    }
}

/// Responds to a request: rejects requests that are not for this server, counts all requests, and adds the security
/// headers.
pub async fn respond(
    app: Arc<App>,
    service: impl Answering,
    mut peer: Peer,
    mut request: Request,
) -> Result<Response, Infallible> {
    let started = Instant::now();
    let _busy = Busy::new(&peer.place);
    peer.client = proxies::client(peer.client, request.headers(), &app.options.proxies);
    let name = name_of(request.uri().path());
    let about = enabled!(Level::DEBUG).then(|| (request.method().clone(), request.uri().clone()));
    let mut response = match refusal(&app, peer.local, &request) {
        Some(refusal) => refusal,
        None => {
            request.extensions_mut().insert(peer);
            service.oneshot(request).await?
        }
    };
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let status = response.status().as_u16();
    app.metrics.answered(name, status);
    if let Some((method, uri)) = about {
        let (path, elapsed_us) = (uri.path(), started.elapsed().as_micros() as u64);
        debug!(%method, path, status, elapsed_us, "answered");
    }
    Ok(response)
}

/// Returns the error response to a request that is not for this server.
fn refusal(app: &App, local: IpAddr, request: &Request) -> Option<Response> {
    let refuse = |status, message| Some(faults::answer(status, &faults::about_options(message)));
    if request.uri().path_and_query().map_or(0, |text| text.as_str().len()) > MAX_ADDRESS {
        return refuse(
            StatusCode::URI_TOO_LONG,
            format!("an address may have at most {MAX_ADDRESS} bytes"),
        );
    }
    if head_size(request) > MAX_HEAD {
        return refuse(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            format!("the head of a request may have at most {MAX_HEAD} bytes"),
        );
    }
    let mut hosts = request.headers().get_all(HOST).iter();
    let (Some(host), None) = (hosts.next().and_then(|host| host.to_str().ok()), hosts.next())
    else {
        return refuse(
            StatusCode::BAD_REQUEST,
            "a request has exactly one `Host` header".to_owned(),
        );
    };
    // The address in the request line may have a host too.
    let in_line = request.uri().authority().map(Authority::as_str);
    let is_foreign = |host: &&str| !is_own(host, local, &app.options.hosts);
    if let Some(host) = [Some(host), in_line].into_iter().flatten().find(is_foreign) {
        let message = match host {
            "" => "the name of the server in `Host` is empty".to_owned(),
            _ => format!("this server is not {host}; `--allow-host` adds a name"),
        };
        return refuse(StatusCode::MISDIRECTED_REQUEST, message);
    }
    let path = request.uri().path();
    let is_closed = path.starts_with("/api/") || path == "/metrics";
    let mut origins = request.headers().get_all(ORIGIN).iter();
    if is_closed && let Some(foreign) = origins.find(|origin| !may_ask(origin, host, app)) {
        let origin = foreign.to_str().unwrap_or("another site");
        let message =
            format!("pages of {origin} may not use this server; `--allow-origin` lets them");
        return refuse(StatusCode::FORBIDDEN, message);
    }
    None
}

/// Returns the size in bytes of the request line and the headers as HTTP/1.1 writes them.
fn head_size(request: &Request) -> usize {
    let line = request.method().as_str().len()
        + request.uri().path_and_query().map_or(1, |text| text.as_str().len())
        + " ".len()
        + " HTTP/1.1\r\n".len();
    let header = |(name, value): (&HeaderName, &HeaderValue)| {
        name.as_str().len() + value.len() + ": \r\n".len()
    };
    line + request.headers().iter().map(header).sum::<usize>() + "\r\n".len()
}

/// Returns whether pages of `origin` may use the API. The pages of this server may, whose name in the request is `host`,
/// and so may the sites in [`Options::origins`](crate::Options::origins).
fn may_ask(origin: &HeaderValue, host: &str, app: &App) -> bool {
    let Ok(origin) = origin.to_str() else { return false };
    let is_allowed = |allowed: &String| allowed == "*" || allowed == origin;
    // A proxy in front of the server may speak HTTPS.
    let own = ["http://", "https://"].iter().find_map(|scheme| origin.strip_prefix(scheme));
    own.is_some_and(|own| own.eq_ignore_ascii_case(host))
        || app.options.origins.iter().any(is_allowed)
}

/// Returns the host of a `Host` header without its port.
fn without_port(host: &str) -> &str {
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    };
    name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name)
}

/// Returns whether a request received at `address` may have this host: the address itself, `localhost` if the address
/// is a loopback address, or one of `names`.
///
/// A malicious site can make its domain name resolve to this machine, so that its page can read the answers of this
/// server as if they came from that site ("DNS rebinding"). Such a request has the other site as its host and is
/// rejected.
fn is_own(host: &str, address: IpAddr, names: &[String]) -> bool {
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

/// Target of a path.
enum Found {
    Call(&'static Call),
    List(&'static List),
    Description,
    Health,
    Metrics,
    Other,
}

fn find(path: &str) -> Found {
    match path {
        "/healthz" => Found::Health,
        "/metrics" => Found::Metrics,
        "/api/v1/openapi.json" => Found::Description,
        _ => path.strip_prefix("/api/v1/").map_or(Found::Other, |name| {
            let call = CALLS.iter().find(|call| call.name == name).map(Found::Call);
            let list = || LISTS.iter().find(|list| list.name == name).map(Found::List);
            call.or_else(list).unwrap_or(Found::Other)
        }),
    }
}

/// Returns the label with which requests for a path are counted.
fn name_of(path: &str) -> &'static str {
    match find(path) {
        Found::Call(call) => call.name,
        Found::List(list) => list.name,
        Found::Description => "openapi",
        Found::Health => "healthz",
        Found::Metrics => "metrics",
        Found::Other => "page",
    }
}

async fn answer(app: Arc<App>, request: Request) -> Result<Response, Infallible> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    let found = find(path);
    if matches!(found, Found::Other) && !site::has(path) {
        return Ok(faults::nothing(path));
    }
    let takes = if matches!(found, Found::Call(_)) { "POST" } else { "GET" };
    let is_read = parts.method == Method::GET || parts.method == Method::HEAD;
    if (takes == "POST" && parts.method != Method::POST) || (takes == "GET" && !is_read) {
        return Ok(not_allowed(&parts.method, path, takes));
    }
    Ok(match found {
        Found::Call(call) => match parts.extensions.get::<Peer>() {
            Some(peer) => calls::answer(&app, call, peer, &parts, body).await,
            None => faults::nothing(path),
        },
        Found::List(list) => faults::json(StatusCode::OK, Value::from((list.rows)()).to_string()),
        Found::Description => {
            ([(CONTENT_TYPE, "application/json")], app.description()).into_response()
        }
        Found::Health => "ok\n".into_response(),
        Found::Metrics => metrics(&app),
        Found::Other => {
            let embedders = &app.options.embedders;
            site::answer(&parts.uri, &parts.headers, embedders)
                .unwrap_or_else(|| faults::nothing(path))
        }
    })
}

fn not_allowed(method: &Method, path: &str, takes: &'static str) -> Response {
    let fault = Fault::malformed(format!("{path} takes {takes}, not {method}"));
    let mut answer = faults::answer(StatusCode::METHOD_NOT_ALLOWED, &fault);
    answer.headers_mut().insert(ALLOW, HeaderValue::from_static(takes));
    answer
}

fn metrics(app: &App) -> Response {
    const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(CONTENT_TYPE, TEXT)], app.metrics.text(app.queue.waiting())).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_own_names_only() {
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
    fn accepts_localhost_on_loopback_only() {
        assert!(is_own("localhost", "::1".parse().unwrap(), &[]));
        assert!(is_own("[::1]:8015", "::1".parse().unwrap(), &[]));
        assert!(is_own("10.0.0.1", "::ffff:10.0.0.1".parse().unwrap(), &[]));
        assert!(!is_own("localhost", "10.0.0.1".parse().unwrap(), &[]));
    }
}
