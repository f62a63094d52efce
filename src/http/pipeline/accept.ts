/** One media range of an `Accept` header, such as `text/*;q=0.5`, in lower case. */
interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

/** A range names a type, all types of a kind such as `text/*`, or all types. */
const RANGE = /^(\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/;
/** A quality is 0 to 1 with at most three decimal places. */
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Chooses the media type of a response by the `Accept` header (RFC 9110, section 12.5.1). The
 * highest quality wins, then the more specific range, then the range that is named first, then the
 * type that is offered first. Without an acceptable type, the first one is chosen: a response in
 * another form is better than none.
 */
export const chooseMediaType = <Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type => {
  const ranges = (accept ?? '').split(',').flatMap((text) => parseRange(text) ?? []);
  const [best] = offered
    .map((type) => ({ type, ...findMatch(ranges, type) }))
    .filter(({ quality }) => quality > 0)
    .sort(
      (a, b) => b.quality - a.quality || b.specificity - a.specificity || a.position - b.position,
    );
  return best?.type ?? offered[0];
};

/** Parses a range; null if it is malformed. Parameters other than the quality are ignored. */
const parseRange = (text: string): MediaRange | null => {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  if (!RANGE.test(type)) return null;
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return { type, quality: 1 };
  const [, value] = QUALITY.exec(quality) ?? [];
  return value === undefined ? null : { type, quality: Number(value) };
};

interface Match {
  readonly quality: number;
  readonly specificity: number;
  readonly position: number;
}

const NO_MATCH: Match = { quality: 0, specificity: 0, position: 0 };

/** Returns the most specific range that contains a type. It overrules the others. */
const findMatch = (ranges: readonly MediaRange[], type: string): Match => {
  const names = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'];
  for (const [index, name] of names.entries()) {
    const position = ranges.findIndex((range) => range.type === name);
    const quality = ranges[position]?.quality;
    if (quality !== undefined) return { quality, specificity: names.length - index, position };
  }
  return NO_MATCH;
};
