import { DomainError } from '../../kernel/errors';
import { CONTROL_CHARACTERS } from '../../kernel/text';

/**
 * Subjects of e-mails (D-43): text with `{{ dotted.path }}` and no logic. A path that leads nowhere
 * is empty. Characters that would break a header are removed after rendering.
 */

export const DEFAULT_SUBJECT = '[{{data.topic}}] {{data.subject}}';
const SUBJECT_CHARS_MAX = 200;

/** The top-level fields of an envelope. */
const TOP_LEVEL_FIELDS = new Set([
  'id',
  'type',
  'created_at',
  'schema_version',
  'environment',
  'sequence',
  'tenant',
  'subscriber',
  'subscription',
  'data',
]);
/** A message shows at most this many characters of a placeholder. */
const SHOWN_CHARS_MAX = 60;
const PATH_PATTERN = /^[\w-]+(\.[\w-]+)*$/;
const CONTROL_PATTERN = new RegExp(`[${CONTROL_CHARACTERS}]+`, 'g');

type Part = string | { readonly path: readonly string[] };

/** Parses a template; throws `template_invalid` if it is wrong. */
export const parseTemplate = (template: string): readonly Part[] => {
  const pieces = template.split('{{');
  const [first = '', ...rest] = pieces;
  if (first.includes('}}')) throw unbalancedError();
  return rest.reduce<Part[]>(
    (parts, piece) => {
      const [inside, after, ...more] = piece.split('}}');
      if (inside === undefined || after === undefined || more.length > 0) {
        throw unbalancedError();
      }
      return [...parts, { path: readPath(inside.trim()) }, after];
    },
    [first],
  );
};

const readPath = (text: string): readonly string[] => {
  const path = text.split('.');
  const shown = `{{${text.slice(0, SHOWN_CHARS_MAX)}}}`;
  if (!PATH_PATTERN.test(text)) {
    throw createTemplateError(
      `${shown} is not the path of a field, such as {{data.subject}} or {{subscriber.id}}.`,
    );
  }
  if (!TOP_LEVEL_FIELDS.has(path[0] ?? '')) {
    const allowed = [...TOP_LEVEL_FIELDS].join(', ');
    throw createTemplateError(
      `${shown} begins with an unknown field. A placeholder begins with one of ${allowed}.`,
    );
  }
  return path;
};

const unbalancedError = (): DomainError =>
  createTemplateError(
    'The braces are not balanced: each placeholder begins with {{ and ends with }}.',
  );

const createTemplateError = (reason: string): DomainError =>
  new DomainError('template_invalid', reason, { param: 'subject_template' });

type Values = Readonly<Record<string, unknown>>;

/**
 * Renders the subject of an envelope: one line of at most 200 characters for all values. Control
 * characters are removed (D-43).
 */
export const renderSubject = (template: string, envelope: Values): string => {
  const text = parseTemplate(template)
    .map((part) => (typeof part === 'string' ? part : readValue(envelope, part.path)))
    .join('');
  return toOneLine(text.replace(CONTROL_PATTERN, ''));
};

/** Makes a text safe for a header: no control characters and a limited length. */
export const toOneLine = (text: string): string => {
  const clean = text.replace(CONTROL_PATTERN, ' ').trim();
  return Array.from(clean).slice(0, SUBJECT_CHARS_MAX).join('');
};

/**
 * Reads the value at a path. The path `data.x` of a ticket event is also looked up in
 * `data.ticket`.
 */
const readValue = (envelope: Values, path: readonly string[]): string => {
  const direct = lookUp(envelope, path);
  if (direct !== undefined || path[0] !== 'data') return direct ?? '';
  return lookUp(envelope, ['data', 'ticket', ...path.slice(1)]) ?? '';
};

const lookUp = (values: unknown, [head, ...rest]: readonly string[]): string | undefined => {
  if (head === undefined) return toText(values);
  if (typeof values !== 'object' || values === null || !Object.hasOwn(values, head)) {
    return undefined;
  }
  return lookUp((values as Values)[head], rest);
};

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
