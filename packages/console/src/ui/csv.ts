/** Lines of cells as a file for spreadsheets. */
export const csvOf = (lines: readonly (readonly string[])[]): string =>
  lines.map(csvLine).join('\r\n');

/** A leading apostrophe keeps spreadsheets from running a text that begins like a formula. */
const csvLine = (cells: readonly string[]): string =>
  cells
    .map((cell) => (/^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell))
    .map((cell) => `"${cell.replaceAll('"', '""')}"`)
    .join(',');
