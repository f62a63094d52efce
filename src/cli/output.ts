import { bold, dim, green, red, yellow } from './colour';

/** Columns are not cut to fewer characters than this. */
const COLUMN_CHARS_MIN = 8;
const GAP = '  ';

interface TableOptions {
  /** Largest number of characters in a line. Without it, no cell is cut. */
  readonly width?: number;
  /** Colours a padded cell. The header is row 0. */
  readonly paint?: (cell: string, at: { readonly row: number; readonly column: number }) => string;
}

/**
 * Formats rows as lines with aligned columns. Cells of the widest columns are cut so that lines
 * fit.
 */
export const formatTable = (
  rows: readonly (readonly string[])[],
  { width = Infinity, paint = (cell) => cell }: TableOptions = {},
): string => {
  const widths = fitColumns(measureColumns(rows), width);
  const formatRow = (cells: readonly string[], row: number): string =>
    cells
      .map((cell, column) => {
        const shown = cut(cell, widths[column] ?? 0);
        const isLast = column === cells.length - 1;
        return paint(isLast ? shown : pad(shown, widths[column] ?? 0), { row, column });
      })
      .join(GAP)
      .trimEnd();
  return rows.map(formatRow).join('\n');
};

const measureColumns = (rows: readonly (readonly string[])[]): number[] =>
  rows.reduce<number[]>(
    (widest, row) =>
      row.map((cell, column) => Math.max(widest[column] ?? 0, splitCharacters(cell).length)),
    [],
  );

/** Reduces the widest column by one character at a time until the line fits. */
const fitColumns = (widths: readonly number[], width: number): number[] => {
  const fitted = [...widths];
  const room = width - GAP.length * (fitted.length - 1);
  let total = fitted.reduce((sum, each) => sum + each, 0);
  while (total > room) {
    const widest = Math.max(...fitted);
    if (widest <= COLUMN_CHARS_MIN) break;
    fitted[fitted.indexOf(widest)] = widest - 1;
    total -= 1;
  }
  return fitted;
};

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

const readTableOptions = (): Pick<TableOptions, 'width'> => {
  const width = getTerminalWidth();
  return width === undefined ? {} : { width };
};

/** Formats the fields of one object, a line each. A field without a value is omitted. */
export const formatFields = (
  body: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string => {
  const rows = names
    .map((name) => [name, formatCell(body[name])])
    .filter(([, value]) => value !== '');
  return formatTable(rows, {
    paint: (cell, { column }) => (column === 0 ? dim(cell) : paintWord(cell)),
  });
};

/** Formats a list, one line for each item, below the names of its fields. */
export const listTable = (
  items: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[],
): string =>
  formatTable([[...names], ...items.map((item) => names.map((name) => formatCell(item[name])))], {
    ...readTableOptions(),
    paint: (cell, { row }) => (row === 0 ? bold(cell) : paintWord(cell)),
  });

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

const GOOD = new Set(['active', 'delivered', 'completed', 'succeeded', 'healthy']);
const BAD = new Set(['failed', 'disabled', 'deleted', 'lapsed', 'completed_with_errors']);
const BETWEEN = new Set(['pending', 'queued', 'in_progress', 'trialing', 'paused', 'past_due']);

/** Colours a status: green for good, red for bad, yellow for states in between. */
const paintWord = (cell: string): string => {
  const word = cell.trim();
  if (GOOD.has(word)) return green(cell);
  if (BAD.has(word)) return red(cell);
  return BETWEEN.has(word) ? yellow(cell) : cell;
};

export const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
