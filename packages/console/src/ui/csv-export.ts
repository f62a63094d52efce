import { useEffect, useRef, useState } from 'preact/hooks';
import { createCsv } from './csv';
import { download } from './download';
import { formatNumber } from './format';
import { showToast } from './toast';

/** Adds rows to a file. The names of the columns become its first line. */
type WriteRows = (names: readonly string[], rows: readonly (readonly string[])[]) => void;

export interface CsvExport {
  /** The number of rows that were read so far; null if no file is being made. */
  readonly rows: number | null;
  /** Makes a file from the rows that `read` writes, and downloads it when `read` has ended. */
  readonly save: (
    file: string,
    read: (write: WriteRows, signal: AbortSignal) => Promise<void>,
  ) => Promise<void>;
  readonly stop: () => void;
}

/**
 * Makes a CSV file of a list that has many pages. The number of rows is not limited: each page
 * becomes a Blob, which the browser may keep on the disk. Leaving the page stops the reading.
 */
export const useCsvExport = (): CsvExport => {
  const [rows, setRows] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const stop = (): void => {
    running.current?.abort();
  };
  useEffect(() => stop, []);
  const save: CsvExport['save'] = async (file, read) => {
    const { signal } = (running.current = new AbortController());
    const parts: Blob[] = [];
    let count = 0;
    setRows(count);
    try {
      await read((names, lines) => {
        parts.push(new Blob([createCsv(parts.length === 0 ? [names, ...lines] : lines)]));
        count += lines.length;
        setRows(count);
      }, signal);
      if (count > 0) download(file, 'text/csv', new Blob(parts, { type: 'text/csv' }));
      showToast(count > 0 ? `Saved ${formatNumber(count)} rows.` : 'There are no rows.');
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      setRows(null);
    }
  };
  return { rows, save, stop };
};
