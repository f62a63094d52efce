/**
 * Every limit of the embedded server in one place, with its unit. Values that EventStoreDB has are
 * EventStoreDB's defaults (v24.10), so that what fails on a real server fails here.
 */

/** `MaxAppendSize`: sum of the data bytes of one append, unless configured otherwise. */
export const APPEND_BYTES_MAX = 1_048_576;

/** A message that does not fit is refused by the real server's gRPC layer. */
export const MESSAGE_BYTES_MAX = 17 * 1024 * 1024;

/** The largest single record EventStoreDB can hold (`MaxLogRecordSize`). */
export const EVENT_BYTES_MAX = 16 * 1024 * 1024;

/** `WriteTimeoutMs`: the longest an append may wait, whatever deadline the client gives. */
export const WRITE_TIMEOUT_MS = 2_000;

/** `CommitTimeoutMs`: whoever waits longer for a commit is told that its outcome is unknown. */
export const COMMIT_TIMEOUT_MS = 2_000;

/** How often waiting is looked at; EventStoreDB does it once a second. A commit that is faster never times out. */
export const COMMIT_TIMEOUT_CHECK_MS = 250;

/** Kestrel's default. The 101st open call of a connection waits until another one ends. */
export const STREAMS_PER_CONNECTION_MAX = 100;

/** LMDB keys end at 1978 bytes; a name also has to fit into one with its metastream's prefix. */
export const STREAM_NAME_BYTES_MAX = 1_024;

/** The same for the longer names the server makes itself: of groups' streams and of links. */
export const SYSTEM_STREAM_NAME_BYTES_MAX = 1_900;

export const EVENT_TYPE_BYTES_MAX = 4_096;

/** Records read from storage in one go, before the event loop gets its turn. */
export const READ_PAGE_RECORDS = 200;

/** A page also ends here, so that large events do not make large pages. */
export const READ_PAGE_BYTES = 1024 * 1024;

/** Live events waiting for a slow subscriber before it is put back to reading pages. */
export const LIVE_BUFFER_EVENTS_MAX = 32;

/** `ESConsts.CommitedEventsMemCacheLimit`: event ids remembered for appends without a revision. */
export const RECENT_EVENT_IDS_BYTES_MAX = 8 * 1024 * 1024;

/** Streams whose head is kept in memory; the others are looked up again. */
export const STREAMS_CACHED_MAX = 20_000;

/** Bytes staged for commits that have not happened yet; above it appends are refused as busy. */
export const STAGED_BYTES_MAX = 128 * 1024 * 1024;

/** Writes stop while the disk has less than this left (LMDB cannot shrink what it has grown). */
export const DISK_FREE_BYTES_MIN = 64 * 1024 * 1024;

export const DISK_CHECK_INTERVAL_MS = 1_000;
