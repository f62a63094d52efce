/** Formats rows of cells as lines of a CSV file. */
export const createCsv = (lines: readonly (readonly string[])[]): string =>
  lines.map((cells) => `${createCsvLine(cells)}\r\n`).join('');

/**
 * A spreadsheet would run a text that begins like a formula. An apostrophe in front prevents this.
 */
const createCsvLine = (cells: readonly string[]): string =>
  cells
    .map((cell) => (/^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell))
    .map((cell) => `"${cell.replaceAll('"', '""')}"`)
    .join(',');
