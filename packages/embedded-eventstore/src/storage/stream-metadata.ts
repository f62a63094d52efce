/**
 * Stream metadata as far as reads and writes depend on it. It is the last event (`$metadata`, JSON)
 * of the metastream `$$<name>`; everything else in it ($acl, custom keys) is stored, not evaluated.
 */
export interface StreamMetadata {
  /** `$tb`: revisions below it are gone. */
  readonly truncateBefore: number;
  /** `$maxCount` */
  readonly countMax: number;
  /** `$maxAge`, seconds */
  readonly ageMaxSeconds: number;
}

export const METADATA_TYPE = '$metadata';
export const METASTREAM_PREFIX = '$$';

/**
 * `$tb` of a soft-deleted stream is 2^63-1, which no JavaScript number holds: whatever is beyond the
 * safe integers means deleted.
 */
export const DELETED = Number.MAX_SAFE_INTEGER;
export const SOFT_DELETE_JSON = '{"$tb":9223372036854775807}';

export const NO_METADATA: StreamMetadata = {
  truncateBefore: 0,
  countMax: Infinity,
  ageMaxSeconds: Infinity,
};

const KEEPS_ONE: StreamMetadata = { ...NO_METADATA, countMax: 1 };
const KEEPS_TWO: StreamMetadata = { ...NO_METADATA, countMax: 2 };

export const CONFIGURATION_STREAM = '$persistentSubscriptionConfig';

export const isMetastream = (name: string): boolean => name.startsWith(METASTREAM_PREFIX);
export const getMetastreamName = (name: string): string => METASTREAM_PREFIX + name;
export const getStreamOfMetastream = (name: string): string => name.slice(METASTREAM_PREFIX.length);

/**
 * Streams that are rewritten over and over: a group's checkpoint and the groups' configuration.
 * EventStoreDB gives them `$maxCount 2` and reclaims the rest by scavenging. Here older events are
 * removed in the very commit that writes new ones: so many would be much work for the scavenger.
 */
export const isTrimmedAsWritten = (name: string): boolean =>
  name === CONFIGURATION_STREAM ||
  (name.startsWith('$persistentsubscription-') && name.endsWith('-checkpoint'));

/** The metadata of a stream before any is written. Metastreams keep only their last event. */
export const getInitialMetadata = (name: string): StreamMetadata => {
  if (isMetastream(name)) return KEEPS_ONE;
  return isTrimmedAsWritten(name) ? KEEPS_TWO : NO_METADATA;
};

export const isSoftDeleted = (metadata: StreamMetadata): boolean =>
  metadata.truncateBefore >= DELETED;

/** Metadata that is no JSON object has no effect, as on a real server. */
export const parseMetadata = (data: Buffer): StreamMetadata => {
  const fields = parseObject(data);
  const readNumber = (key: string, otherwise: number): number => {
    const value = fields[key];
    return typeof value === 'number' && value >= 0 ? value : otherwise;
  };
  return {
    truncateBefore: Math.min(readNumber('$tb', 0), DELETED),
    countMax: readNumber('$maxCount', Infinity) || Infinity,
    ageMaxSeconds: readNumber('$maxAge', Infinity) || Infinity,
  };
};

const parseObject = (data: Buffer): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(data.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** The same metadata text with `$tb` set: how a soft-deleted stream comes back. */
export const setTruncateBefore = (data: Buffer, truncateBefore: number): Buffer =>
  Buffer.from(JSON.stringify({ ...parseObject(data), $tb: truncateBefore }));
