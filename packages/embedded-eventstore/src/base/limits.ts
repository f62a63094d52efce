/**
 * Every limit of the embedded server in one place, with its unit. Values that EventStoreDB has are
 * EventStoreDB's defaults (v24.10), so that what fails on a real server fails here.
 */

/**
 * `MaxAppendSize`: the bytes of one append (services/append-validation.ts), unless configured
 * otherwise.
 */
export const APPEND_BYTES_MAX = 1_048_576;

/** The largest gRPC message; EventStoreDB's gRPC layer refuses larger ones. */
export const MESSAGE_BYTES_MAX = 17 * 1024 * 1024;

/** The largest single record EventStoreDB can hold (`MaxLogRecordSize`). */
export const EVENT_BYTES_MAX = 16 * 1024 * 1024;

/** `WriteTimeoutMs`: the longest an append may wait, whatever deadline the client gives. */
export const WRITE_TIMEOUT_MS = 2_000;

/** `CommitTimeoutMs`: an append that waits longer for its commit is answered as timed out. */
export const COMMIT_TIMEOUT_MS = 2_000;

/**
 * Interval at which waiting appends are checked for their time-out. EventStoreDB checks once a
 * second.
 */
export const COMMIT_TIMEOUT_CHECK_MS = 250;

/** Kestrel's default. The 101st open call of a connection waits until another one ends. */
export const STREAMS_PER_CONNECTION_MAX = 100;

/** LMDB keys have at most 1978 bytes, and the name of a metadata stream is two bytes longer. */
export const STREAM_NAME_BYTES_MAX = 1_024;

/** The longest name of a stream that the server itself creates, for a group or for links. */
export const SYSTEM_STREAM_NAME_BYTES_MAX = 1_900;

export const EVENT_TYPE_BYTES_MAX = 4_096;

/** Records read from storage at a time; other work gets its turn between two pages. */
export const READ_PAGE_RECORDS = 200;

/**
 * Events of a page in which EventStoreDB reads for a client. Clients see it where positions are told at
 * the ends of pages: checkpoints of filtered subscriptions, and the first revision of a stream.
 */
export const SUBSCRIPTION_PAGE_EVENTS = 32;

/** A page also ends here, so that large events do not make large pages. */
export const READ_PAGE_BYTES = 1024 * 1024;

/**
 * Live events that may wait for a slow subscriber; beyond that it reads pages from storage again.
 */
export const LIVE_BUFFER_EVENTS_MAX = 32;

/** `ESConsts.CommitedEventsMemCacheLimit`: event ids remembered for appends without a revision. */
export const RECENT_EVENT_IDS_BYTES_MAX = 8 * 1024 * 1024;

/** Streams whose state is kept in memory; the state of others is read from storage. */
export const STREAMS_CACHED_MAX = 20_000;

/** Bytes that may wait for their commit; above it new appends are refused as busy. */
export const STAGED_BYTES_MAX = 128 * 1024 * 1024;

/** Writes stop while the disk has less than this left (LMDB cannot shrink what it has grown). */
export const DISK_FREE_BYTES_MIN = 64 * 1024 * 1024;

/**
 * The data file is kept longer than its used pages by this and by what the next commit may need. It is
 * enough for what a commit of the scavenger changes (SCAVENGE_RECORDS_MAX).
 */
export const RESERVE_BYTES_MIN = 4 * 1024 * 1024;

/** The data file grows by this more, so that not every commit extends it. */
export const RESERVE_STEP_BYTES = 1024 * 1024;

/** What an entry may change beside its own bytes: two pages of its table and their branches. */
export const RESERVE_BYTES_PER_ENTRY = 4 * 4096;

/** Interval at which streams with truncated or expired events are scavenged. */
export const SCAVENGE_INTERVAL_MS = 10_000;

/** Events removed in one commit, so that the appends which share it do not wait long. */
export const SCAVENGE_RECORDS_MAX = 200;

/** Streams looked at before the event loop gets its turn. */
export const SCAVENGE_STREAMS_MAX = 200;

/** Copied in one commit of a compaction, before the event loop gets its turn. */
export const COMPACTION_PAGE_BYTES = 1024 * 1024;

/** A compaction gives up when more is written beside it than this. */
export const COMPACTION_BACKLOG_BYTES_MAX = 256 * 1024 * 1024;
