/**
 * The part of a stream's metadata that affects reads and writes. Metadata is the last event
 * (`$metadata`, JSON) of the metadata stream `$$<name>`. Other fields ($acl, custom keys) are
 * stored and not evaluated.
 */
export interface StreamMetadata {
  /** `$tb`: the first revision that is visible. */
  readonly truncateBefore: number;
  /** `$maxCount`: the number of visible events. */
  readonly countMax: number;
  /** `$maxAge`: the age in seconds after which an event is hidden. */
  readonly ageMaxSeconds: number;
}

export const METADATA_TYPE = '$metadata';
export const METASTREAM_PREFIX = '$$';

/**
 * The `$tb` of a soft-deleted stream is 2^63 - 1, which a JavaScript number cannot represent. So
 * any number above the safe integers means "deleted".
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
 * True for the streams that the server itself writes again and again: the checkpoint of a group and
 * the configuration of all groups. EventStoreDB gives them `$maxCount 2` and removes older events
 * by scavenging. Here the commit that writes a new event removes the older ones, because there are
 * too many for the scavenger.
 */
export const isTrimmedAsWritten = (name: string): boolean =>
  name === CONFIGURATION_STREAM ||
  (name.startsWith('$persistentsubscription-') && name.endsWith('-checkpoint'));

/** The metadata of a stream that has none. A metadata stream keeps only its last event. */
export const getInitialMetadata = (name: string): StreamMetadata => {
  if (isMetastream(name)) return KEEPS_ONE;
  return isTrimmedAsWritten(name) ? KEEPS_TWO : NO_METADATA;
};

export const isSoftDeleted = (metadata: StreamMetadata): boolean =>
  metadata.truncateBefore >= DELETED;

/** Reads metadata. If it is not a JSON object, it has no effect, as on a real server. */
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

/** Returns the metadata with `$tb` set, which makes a soft-deleted stream visible again. */
export const setTruncateBefore = (data: Buffer, truncateBefore: number): Buffer =>
  Buffer.from(JSON.stringify({ ...parseObject(data), $tb: truncateBefore }));
