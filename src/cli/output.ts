import { bold, dim, green, red, yellow } from './colour';

/** Columns are not cut to fewer characters than this. */
const COLUMN_CHARS_MIN = 8;
const COLUMN_GAP = '  ';
const INDENT = '  ';

interface TableOptions {
  /** Largest number of characters in a line. Without it, no cell is cut. */
  readonly width?: number;
  /** True for a column that is never cut. */
  readonly isWhole?: (column: number) => boolean;
  /** Colours a padded cell. The header is row 0. */
  readonly paint?: (cell: string, at: { readonly row: number; readonly column: number }) => string;
}

/**
 * Formats rows as lines with aligned columns. Cells of the widest columns are cut so that lines
 * fit.
 */
export const formatTable = (
  rows: readonly (readonly string[])[],
  { width = Infinity, isWhole = () => false, paint = (cell) => cell }: TableOptions = {},
): string => {
  const widths = fitColumns(measureColumns(rows), width, isWhole);
  const formatRow = (cells: readonly string[], row: number): string =>
    cells
      .map((cell, column) => {
        const shown = cut(cell, widths[column] ?? 0);
        const isLast = column === cells.length - 1;
        return paint(isLast ? shown : pad(shown, widths[column] ?? 0), { row, column });
      })
      .join(COLUMN_GAP)
      .trimEnd();
  return rows.map(formatRow).join('\n');
};

const measureColumns = (rows: readonly (readonly string[])[]): number[] =>
  rows.reduce<number[]>(
    (widest, row) =>
      row.map((cell, column) => Math.max(widest[column] ?? 0, splitCharacters(cell).length)),
    [],
  );

/** Reduces the widest column that may be cut by one character at a time until the line fits. */
const fitColumns = (
  widths: readonly number[],
  width: number,
  isWhole: (column: number) => boolean,
): number[] => {
  const fitted = [...widths];
  let excess = measureLine(fitted) - width;
  while (excess > 0) {
    const widest = Math.max(...fitted.filter((_, column) => !isWhole(column)));
    if (widest <= COLUMN_CHARS_MIN) break;
    fitted[fitted.findIndex((each, column) => each === widest && !isWhole(column))] = widest - 1;
    excess -= 1;
  }
  return fitted;
};

const measureLine = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each, 0) + COLUMN_GAP.length * Math.max(0, widths.length - 1);

const graphemes = new Intl.Segmenter();

/** Splits a text into characters as people count them: an emoji of several code points is one. */
const splitCharacters = (text: string): string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment);

const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - splitCharacters(text).length));

const cut = (cell: string, width: number): string => {
  const characters = splitCharacters(cell);
  return characters.length <= width ? cell : `${characters.slice(0, width - 1).join('')}…`;
};

/** Returns the width of the terminal; undefined if the output goes to a file or a pipe. */
const getTerminalWidth = (): number | undefined =>
  process.stdout.isTTY ? process.stdout.columns : undefined;

/**
 * Formats the fields of one object, a line each. A field without a value is omitted. The fields of
 * an object inside it follow below its name, indented. Long texts continue on the next line.
 */
export const formatFields = (
  body: Readonly<Record<string, unknown>>,
  names: readonly string[],
  width = getTerminalWidth() ?? Infinity,
): string => {
  const lines = listLines(names.map((name) => [name, body[name]]));
  const nameWidth = Math.max(0, ...lines.map(([name]) => name.length));
  const room = width - nameWidth - COLUMN_GAP.length;
  const rows = lines.flatMap(([name, text]) =>
    fillLines(text.split(' '), room).map((part, index) => [index === 0 ? name : '', part]),
  );
  return formatTable(rows, {
    paint: (cell, { column }) => (column === 0 ? dim(cell) : paintWord(cell)),
  });
};

type Field = readonly [name: string, value: unknown];
type Line = readonly [name: string, text: string];

const listLines = (fields: readonly Field[], indent = ''): readonly Line[] =>
  fields.flatMap(([name, value]): readonly Line[] => {
    const text = formatCell(value);
    if (text === '') return [];
    if (!hasObject(value)) return [[`${indent}${name}`, text]];
    return Array.isArray(value)
      ? listLines(
          value.map((item: unknown, index) => [`${name}[${index}]`, item]),
          indent,
        )
      : [[`${indent}${name}`, ''], ...listLines(Object.entries(value), `${indent}${INDENT}`)];
  });

/** True for an object, and for a list in which there is one. */
const hasObject = (value: unknown): value is object =>
  Array.isArray(value) ? value.some(hasObject) : typeof value === 'object' && value !== null;

/** Joins words with spaces into lines of at most so many characters. Longer words stay whole. */
export const fillLines = (words: readonly string[], charsMax: number): string[] => {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const joined = `${last ?? ''} ${word}`;
    if (last === undefined || splitCharacters(joined).length > charsMax) lines.push(word);
    else lines[lines.length - 1] = joined;
  }
  return lines;
};

type Item = Readonly<Record<string, unknown>>;

/** Formats a list for the terminal, or without a limit of the width for a file or a pipe. */
export const listTable = (items: readonly Item[], names: readonly string[]): string =>
  formatList(items, names, getTerminalWidth());

/**
 * Formats a list, one line for each item, below the names of its fields. Ids, states, names and
 * addresses are never cut, because people paste them into the next command, nor are formulas. If a line is too long, columns without any value
 * are left out; if it still is, each item becomes a block of lines.
 */
export const formatList = (
  items: readonly Item[],
  names: readonly string[],
  width = Infinity,
): string => {
  const columns = names.map((name) => ({ name, cells: items.map((i) => formatCell(i[name])) }));
  const fits = measureLine(columns.map(measureColumn)) <= width;
  const shown = fits ? columns : columns.filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (measureLine(shown.map(measureNarrowest)) > width) {
    return items.map((item) => formatFields(item, names, width)).join('\n\n');
  }
  const rows = items.map((_, row) => shown.map(({ cells }) => cells[row] ?? ''));
  return formatTable([shown.map(({ name }) => name), ...rows], {
    width,
    isWhole: (column) => isWholeColumn(shown[column]),
    paint: (cell, { row }) => (row === 0 ? bold(cell) : paintWord(cell)),
  });
};

interface ListColumn {
  readonly name: string;
  readonly cells: readonly string[];
}

const measureColumn = ({ name, cells }: ListColumn): number =>
  Math.max(...[name, ...cells].map((cell) => splitCharacters(cell).length));

const measureNarrowest = (column: ListColumn): number =>
  isWholeColumn(column) ? measureColumn(column) : Math.min(measureColumn(column), COLUMN_CHARS_MIN);

/** True for the columns whose cells say nothing, or the same as others, if they are cut. */
const isWholeColumn = (column: ListColumn | undefined): boolean =>
  column !== undefined && /(^|_)(id|status)$|^(url|metric|formula)$/.test(column.name);

/** Formats a value for people: null is empty, and an object is shown without its empty fields. */
export const formatCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(formatCell).join(', ');
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, inner]) => [name, formatNestedCell(inner)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ');
};

const formatNestedCell = (value: unknown): string => {
  const text = formatCell(value);
  if (text === '' || typeof value !== 'object') return text;
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
};

const GOOD_STATUSES = new Set(['active', 'delivered', 'completed', 'succeeded', 'healthy']);
const BAD_STATUSES = new Set(['failed', 'disabled', 'deleted', 'lapsed', 'completed_with_errors']);
const INTERMEDIATE_STATUSES = new Set([
  'pending',
  'queued',
  'in_progress',
  'trialing',
  'paused',
  'past_due',
]);

/** Colours a status: green for good, red for bad, yellow for states in between. */
const paintWord = (cell: string): string => {
  const word = cell.trim();
  if (GOOD_STATUSES.has(word)) return green(cell);
  if (BAD_STATUSES.has(word)) return red(cell);
  return INTERMEDIATE_STATUSES.has(word) ? yellow(cell) : cell;
};

export const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
