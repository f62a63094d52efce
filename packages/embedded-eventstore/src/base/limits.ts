/**
 * All limits of the embedded server, each with its unit. Where EventStoreDB has the same limit, the
 * value is the default of v24.10. So a call that fails on a real server fails here too.
 */

/**
 * EventStoreDB's `MaxAppendSize`: the largest append in bytes, as services/append-validation.ts
 * counts them. It is the default of a server's option.
 */
export const APPEND_BYTES_MAX = 1_048_576;

/** The largest gRPC message in bytes. EventStoreDB's gRPC layer refuses larger ones. */
export const MESSAGE_BYTES_MAX = 17 * 1024 * 1024;

/** The largest record in bytes that EventStoreDB can store (`MaxLogRecordSize`). */
export const EVENT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * EventStoreDB's `WriteTimeoutMs`: no append waits longer, even if its client gives a later
 * deadline.
 */
export const WRITE_TIMEOUT_MS = 2_000;

/**
 * EventStoreDB's `CommitTimeoutMs`: an append that waits longer for its commit is answered with a
 * time-out.
 */
export const COMMIT_TIMEOUT_MS = 2_000;

/**
 * The interval at which waiting appends are checked for their time-out. EventStoreDB uses one
 * second.
 */
export const COMMIT_TIMEOUT_CHECK_MS = 250;

/**
 * The number of open calls that one connection may have. It is the default of Kestrel,
 * EventStoreDB's HTTP server. Further calls wait until an open one ends.
 */
export const STREAMS_PER_CONNECTION_MAX = 100;

/**
 * The longest stream name in bytes. A key of LMDB has at most 1978 bytes, and the name of the
 * metadata stream adds two (`$$`).
 */
export const STREAM_NAME_BYTES_MAX = 1_024;

/**
 * The longest name in bytes of a stream that the server itself creates for a persistent
 * subscription or for links.
 */
export const SYSTEM_STREAM_NAME_BYTES_MAX = 1_900;

export const EVENT_TYPE_BYTES_MAX = 4_096;

/**
 * The number of records that are read from storage at once. Between two such pages, other work can
 * run.
 */
export const READ_PAGE_RECORDS = 200;

/**
 * The number of events in a page of EventStoreDB's own reads. Clients notice the page size because
 * some responses come at the end of a page: checkpoints of filtered subscriptions, and the first
 * revision of a stream.
 */
export const SUBSCRIPTION_PAGE_EVENTS = 32;

/** The number of bytes after which a page ends, so that large events do not make large pages. */
export const READ_PAGE_BYTES = 1024 * 1024;

/**
 * The number of live events that may wait for a slow subscriber. A subscriber that is further
 * behind reads pages from storage again.
 */
export const LIVE_BUFFER_EVENTS_MAX = 32;

/**
 * EventStoreDB's `CommitedEventsMemCacheLimit`: the bytes of memory for recently seen event ids, by
 * which a repeated append without a revision is recognised.
 */
export const RECENT_EVENT_IDS_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The number of streams whose state is kept in memory. The state of the others is read from
 * storage.
 */
export const STREAMS_CACHED_MAX = 20_000;

/**
 * The number of bytes that may wait for their commit. While more wait, new appends are refused as
 * busy.
 */
export const STAGED_BYTES_MAX = 128 * 1024 * 1024;

/**
 * The free space in bytes below which the server refuses writes. LMDB never makes its file smaller.
 */
export const DISK_FREE_BYTES_MIN = 64 * 1024 * 1024;

/**
 * The number of bytes that the data file keeps free in addition to what the next commit may need.
 * It is enough for one commit of the scavenger (SCAVENGE_RECORDS_MAX).
 */
export const RESERVE_BYTES_MIN = 4 * 1024 * 1024;

/**
 * The number of bytes by which the data file grows in addition, so that not every commit makes it
 * longer.
 */
export const RESERVE_STEP_BYTES = 1024 * 1024;

/**
 * The number of bytes that one entry may change in addition to its own: two pages of its table and
 * their branches.
 */
export const RESERVE_BYTES_PER_ENTRY = 4 * 4096;

/** The interval at which events that were truncated or have expired are removed. */
export const SCAVENGE_INTERVAL_MS = 10_000;

/**
 * The number of events that one commit removes. It is small, because appends share the commit and
 * wait for it.
 */
export const SCAVENGE_RECORDS_MAX = 200;

/** The number of streams that a scavenge checks before other work can run. */
export const SCAVENGE_STREAMS_MAX = 200;

/** The number of bytes that a copy writes in one commit, before other work can run. */
export const COMPACTION_PAGE_BYTES = 1024 * 1024;

/** A compaction fails if more bytes than this are written while it runs. */
export const COMPACTION_BACKLOG_BYTES_MAX = 256 * 1024 * 1024;
