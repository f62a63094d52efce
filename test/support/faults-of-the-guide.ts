import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const GUIDE = join(__dirname, '../../docs/operating.md');

/** Returns the alerts that the table of faults in the operating guide names for a fault. */
export const listAlerts = (fault: string): string[] => {
  const row = readRows().find(([name]) => name === fault);
  if (row === undefined) throw new Error(`docs/operating.md does not explain "${fault}"`);
  return [...(row[1] ?? '').matchAll(/\[(\w+)\]\(#(\w+)\)/g)].map(([, alert = '']) => alert);
};

/** The faults of the table, in its order. */
export const listExplainedFaults = (): string[] => readRows().map(([name = '']) => name);

const readRows = (): string[][] => {
  const [, section = ''] = readFileSync(GUIDE, 'utf8').split('\n# Faults\n');
  return section
    .split('\n# ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Fault|-+) /.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
};
