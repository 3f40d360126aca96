//! The streams of the server, and messages that it accepts once.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::kv::Store;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, RetentionPolicy, Stream};
use async_nats::jetstream::{Context, kv};
use tokio::time::sleep;

/// Stream of jobs.
pub const JOBS: &str = "LOYD_JOBS";
/// Stream of results.
pub const RESULTS: &str = "LOYD_RESULTS";
/// Bucket of the values that workers share.
const RUNS: &str = "LOYD_RUNS";

/// Header of a result that replaces that of a job which cannot be done. It contains the reason.
pub const FAILED: &str = "Loyd-Failed";

/// Header of a job with the number of workers that it has ended before it was published again.
pub const TRIES: &str = "Loyd-Tries";

/// Time after which abandoned jobs and results are removed.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Maximum number of jobs that are being done at the same time.
const MOST_IN_WORK: i64 = 100_000;

/// Time between two attempts at a request.
pub const RETRY: Duration = Duration::from_millis(200);

/// The jobs of one batch: the name of the run, and the version of the program that has to do them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub(crate) version: String,
    pub(crate) name: String,
}

impl Run {
    /// Creates a run. The same `name`, letters and digits, stands for the same work, so that results which an earlier
    /// driver has not taken are used.
    ///
    /// # Panics
    /// If the name is not of letters and digits.
    pub fn new(version: &str, name: &str) -> Self {
        assert!(!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        Self { version: token(version), name: name.to_owned() }
    }

    pub(crate) fn job(&self, key: &str) -> String {
        format!("loyd.job.{}.{}.{key}", self.version, self.name)
    }

    pub(crate) fn result(&self, key: &str) -> String {
        format!("loyd.result.{}.{}.{key}", self.version, self.name)
    }

    /// Returns the run and the key of the subject of a job or a result.
    pub(crate) fn of_subject(subject: &str) -> Option<(Self, &str)> {
        let mut tokens = subject.split('.').skip(2);
        let (version, name, key) = (tokens.next()?, tokens.next()?, tokens.next()?);
        Some((Self { version: version.to_owned(), name: name.to_owned() }, key))
    }
}

/// Returns a version as one token of a subject.
pub fn token(version: &str) -> String {
    version.replace('.', "_")
}

/// Returns the stream of jobs, which is created if necessary.
pub async fn jobs(context: &Context) -> Result<Stream, async_nats::Error> {
    stream(context, JOBS, "loyd.job.>", RetentionPolicy::WorkQueue).await
}

/// Returns the stream of results, which is created if necessary.
pub async fn results(context: &Context) -> Result<Stream, async_nats::Error> {
    stream(context, RESULTS, "loyd.result.>", RetentionPolicy::Limits).await
}

async fn stream(
    context: &Context,
    name: &str,
    subject: &str,
    retention: RetentionPolicy,
) -> Result<Stream, async_nats::Error> {
    let (name, subjects) = (name.to_owned(), vec![subject.to_owned()]);
    let config = Config { name, subjects, retention, max_age: KEPT, ..Config::default() };
    Ok(context.get_or_create_stream(config).await?)
}

/// Returns the bucket of the values that the workers of a run share, which is created if necessary.
pub async fn shared(context: &Context) -> Result<Store, async_nats::Error> {
    let config = kv::Config { bucket: RUNS.to_owned(), max_age: KEPT, ..kv::Config::default() };
    match context.get_key_value(RUNS).await {
        Ok(store) => Ok(store),
        Err(_) => Ok(context.create_key_value(config).await?),
    }
}

/// Returns the name of the consumer that all workers of a version share.
pub fn consumer_name(version: &str) -> String {
    format!("work-{}", token(version))
}

/// Returns the consumer that all workers of a version share, which is created if necessary.
pub async fn consumer(
    context: &Context,
    version: &str,
    ack_wait: Duration,
) -> Result<Consumer<pull::Config>, async_nats::Error> {
    let name = consumer_name(version);
    let config = pull::Config {
        durable_name: Some(name.clone()),
        filter_subject: format!("loyd.job.{}.>", token(version)),
        ack_wait,
        max_ack_pending: MOST_IN_WORK,
        ..pull::Config::default()
    };
    Ok(jobs(context).await?.get_or_create_consumer(&name, config).await?)
}

/// Publishes a message, unless there is one with its subject; tries once. Returns whether there was none.
///
/// # Errors
/// Returns an error if the server cannot be reached or refuses the message for another reason.
pub async fn publish_once(
    context: &Context,
    subject: String,
    headers: HeaderMap,
    payload: Vec<u8>,
) -> Result<bool, PublishErrorKind> {
    let message = PublishMessage::build()
        .payload(payload.into())
        .headers(headers)
        .expected_last_subject_sequence(0);
    let published = async { context.send_publish(subject, message).await?.await };
    match published.await {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
        Err(error) => Err(error.kind()),
    }
}

/// Like [`publish_once`], but tries until the server answers.
///
/// # Errors
/// Returns an error if the message is too long.
pub async fn publish_surely(
    context: &Context,
    subject: &str,
    headers: &HeaderMap,
    payload: &[u8],
) -> Result<bool, PublishErrorKind> {
    loop {
        match publish_once(context, subject.to_owned(), headers.clone(), payload.to_vec()).await {
            Err(error @ PublishErrorKind::MaxPayloadExceeded) => return Err(error),
            // The stream may have been deleted with everything else.
            Err(PublishErrorKind::StreamNotFound) => _ = results(context).await,
            Err(_) => {}
            Ok(is_first) => return Ok(is_first),
        }
        sleep(RETRY).await;
    }
}

/// Shares a value with the workers of a run, if it is less than the one that they have. Errors are ignored: the value
/// saves work, and no result depends on it.
pub async fn offer(context: &Context, run: &str, value: u64) {
    let Ok(store) = shared(context).await else { return };
    while let Ok(entry) = store.entry(run).await {
        let text = value.to_string().into();
        let set = match entry {
            Some(entry) if number_in(&entry.value).is_some_and(|best| best <= value) => return,
            Some(entry) => store.update(run, text, entry.revision).await.is_ok(),
            None => store.create(run, text).await.is_ok(),
        };
        if set {
            return;
        }
        sleep(RETRY).await;
    }
}

/// Returns the number in a value that workers share.
pub fn number_in(text: &[u8]) -> Option<u64> {
    str::from_utf8(text).ok()?.parse().ok()
}
