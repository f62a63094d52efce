/** Lines of cells as a file for spreadsheets. */
export const createCsv = (lines: readonly (readonly string[])[]): string =>
  lines.map(createCsvLine).join('\r\n');

/** A leading apostrophe keeps spreadsheets from running a text that begins like a formula. */
const createCsvLine = (cells: readonly string[]): string =>
  cells
    .map((cell) => (/^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell))
    .map((cell) => `"${cell.replaceAll('"', '""')}"`)
    .join(',');
