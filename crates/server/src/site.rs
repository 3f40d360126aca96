//! Files of the page, embedded in the program.

use std::borrow::Cow;

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "page"]
#[include = "*.html"]
#[include = "*.js"]
#[include = "*.css"]
#[include = "*.svg"]
#[include = "*.wasm"]
#[exclude = "tests/*"]
#[exclude = "e2e/*"]
struct Site;

/// Returns the paths and contents of the page's files.
pub fn files() -> impl Iterator<Item = (Cow<'static, str>, Cow<'static, [u8]>)> {
    Site::iter().filter_map(|path| Site::get(&path).map(|file| (path, file.data)))
}

/// Content security policy: what a page may load and run.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/// The page for frames of other sites.
const EMBEDDED: &str = "embed.html";

/// Returns the name of the file at a path.
fn name(path: &str) -> Option<&str> {
    match path.strip_prefix('/')? {
        "" => Some("index.html"),
        "embed" => Some(EMBEDDED),
        name => Some(name),
    }
}

/// Returns whether there is a file at this path.
pub fn has(path: &str) -> bool {
    name(path).and_then(Site::get).is_some()
}

/// Responds with a file of the page, or returns `None` if there is no such file. `embedders` are the sites that may show
/// `/embed` in a frame.
pub fn answer(uri: &Uri, headers: &HeaderMap, embedders: &[String]) -> Option<Response> {
    let path = name(uri.path())?;
    let file = Site::get(path)?;
    let tag = tag(&file);
    // All other sites may frame the solver of a given scramble.
    let is_slot = uri.query().is_some_and(|query| {
        query.split('&').any(|pair| pair.split('=').next() == Some("scramble"))
    });
    let policy = if path == EMBEDDED && !embedders.is_empty() {
        format!("{POLICY}; frame-ancestors {}", embedders.join(" "))
    } else if is_slot && path != EMBEDDED {
        POLICY.to_owned()
    } else {
        format!("{POLICY}; frame-ancestors 'none'")
    };
    let about = [
        (CONTENT_TYPE, content_type(path).to_owned()),
        (CONTENT_SECURITY_POLICY, policy),
        (CACHE_CONTROL, "no-cache".to_owned()),
        (ETAG, tag.clone()),
    ];
    let is_known =
        headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    Some(match is_known {
        true => (StatusCode::NOT_MODIFIED, about).into_response(),
        false => (about, file.data).into_response(),
    })
}

/// Returns the entity tag with which a browser checks its cached copy. It is weak because the file may be sent
/// compressed.
fn tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let digits: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("W/\"{digits}\"")
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embeds_the_page_without_its_tests() {
        let paths: Vec<_> = files().map(|(path, _)| path).collect();
        for path in
            ["index.html", "embed.html", "app.js", "style/tokens.css", "views/play.js", "icon.svg"]
        {
            assert!(paths.iter().any(|known| known == path), "{path}");
        }
        let foreign = |path: &str| {
            path.starts_with("tests/")
                || path.starts_with("e2e/")
                || content_type(path).ends_with("stream")
        };
        assert!(!paths.iter().any(|path| foreign(path)), "{paths:?}");
    }

    #[test]
    fn only_scramble_pages_may_be_framed() {
        assert_eq!(policy("/?scramble=1_2_3_0", &[]), POLICY);
        for uri in ["/", "/index.html", "/?r=1&noscramble=2", "/?x=scramble"] {
            assert!(policy(uri, &[]).ends_with("; frame-ancestors 'none'"), "{uri}");
        }
    }

    #[test]
    fn allowed_sites_may_frame_the_embedded_page_only() {
        let sites = ["https://a.example", "https://b.example:8443"];
        for uri in ["/embed", "/embed.html", "/embed?scramble=1_2_3_0"] {
            assert!(policy(uri, &[]).ends_with("; frame-ancestors 'none'"), "{uri}");
            let list = "; frame-ancestors https://a.example https://b.example:8443";
            assert!(policy(uri, &sites).ends_with(list), "{uri}");
            assert!(policy(uri, &["*"]).ends_with("; frame-ancestors *"), "{uri}");
        }
        for uri in ["/", "/index.html", "/app.js", "/?x=embed"] {
            assert!(policy(uri, &["*"]).ends_with("; frame-ancestors 'none'"), "{uri}");
        }
    }

    fn policy(uri: &str, embedders: &[&str]) -> String {
        let embedders: Vec<_> = embedders.iter().map(|&site| site.to_owned()).collect();
        let answer = answer(&uri.parse().unwrap(), &HeaderMap::new(), &embedders).unwrap();
        answer.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
    }
}
