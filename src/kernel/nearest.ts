/** Returns the candidate with the fewest changed letters; undefined if there is no candidate. */
export const findNearest = (text: string, candidates: readonly string[]): string | undefined => {
  const measured = candidates.map((name) => ({ name, distance: countChanges(text, name) }));
  return measured.sort((a, b) => a.distance - b.distance)[0]?.name;
};

/** A message lists at most this many names, unless it may list more. */
const NAMES_LISTED_MAX = 12;

interface Naming {
  /** The kind of the named things, in the singular, such as `metric`. */
  readonly kind?: string;
  /** The path of the object that has the names, such as `items[0].`. */
  readonly parent?: string;
  /** The largest number of names that the message lists. */
  readonly namesMax?: number;
}

/**
 * Returns the end of the message about an unknown name: the name that was probably meant, or all
 * known names if they are few.
 */
export const suggestNames = (
  name: string,
  known: readonly string[],
  { kind = 'field', parent = '', namesMax = NAMES_LISTED_MAX }: Naming = {},
): string => {
  const meant = findMeant(name, known);
  if (meant !== undefined) return ` Did you mean ${parent}${meant}?`;
  if (known.length === 0 || known.length > namesMax) return '';
  const where = parent === '' ? '' : ` of ${parent.replace(/\.$/, '')}`;
  return known.length === 1
    ? ` The only ${kind}${where} is ${known.join()}.`
    : ` The ${kind}s${where} are ${known.join(', ')}.`;
};

/** More changed letters than this make another word and not a misspelling. */
const MISSPELLING_CHANGES_MAX = 2;

/**
 * Returns the candidate that a wrong name probably means: the same name in another style
 * (`externalId` for `external_id`), a misspelt one, the only one that has one word more or less at
 * its end (`plan_id` for `plan`, or `plan` for `plan_id`), the only one that has one word more at
 * its beginning (`to_plan` for `plan`, `event_types` for `type`), or the only one that begins with
 * it (`event_types` for `events`). Returns undefined if the name resembles none.
 */
export const findMeant = (name: string, candidates: readonly string[]): string | undefined => {
  const text = toSnakeCase(name);
  return (
    findMisspelled(text, candidates) ??
    findOnly(
      candidates,
      (candidate) => removeLastWord(candidate) === text || removeLastWord(text) === candidate,
    ) ??
    findOnly(
      candidates,
      (candidate) => /^[^_]+_(.+?)s?$/.exec(candidate)?.[1] === text.replace(/s$/, ''),
    ) ??
    findWithStem(text, candidates)
  );
};

/** Writes a name in camelCase, in kebab-case or with spaces as the API writes names. */
const toSnakeCase = (name: string): string =>
  name
    .replace(/[a-z\d](?=[A-Z])/g, '$&_')
    .replace(/[- ]/g, '_')
    .toLowerCase();

/**
 * Returns the candidate that the text misspells; undefined if it resembles none. At least half of
 * the candidate's letters must be right.
 */
const findMisspelled = (text: string, candidates: readonly string[]): string | undefined => {
  const similar = candidates.filter(
    (name) => Math.abs(name.length - text.length) <= MISSPELLING_CHANGES_MAX,
  );
  const nearest = findNearest(text, similar);
  if (nearest === undefined) return undefined;
  const changes = countChanges(text, nearest);
  return changes <= Math.min(MISSPELLING_CHANGES_MAX, nearest.length / 2) ? nearest : undefined;
};

/** Returns the candidate that fulfils a condition; undefined if none does, or several. */
const findOnly = (
  candidates: readonly string[],
  condition: (candidate: string) => boolean,
): string | undefined => {
  const found = candidates.filter(condition);
  return found.length === 1 ? found[0] : undefined;
};

/** A shorter text begins too many names. */
const STEM_LETTERS_MIN = 4;

/**
 * Returns the only candidate whose first word is the text, in the singular or the plural
 * (`event_types` for `events`).
 */
const findWithStem = (text: string, candidates: readonly string[]): string | undefined => {
  const stem = text.replace(/s$/, '');
  return stem.length < STEM_LETTERS_MIN
    ? undefined
    : findOnly(candidates, (candidate) => /^(.+?)s?(?:_|$)/.exec(candidate)?.[1] === stem);
};

const removeLastWord = (name: string): string => name.replace(/_[^_]*$/, '');

/** Counts the letters to insert, remove or replace (Levenshtein distance). */
const countChanges = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
};
