import type { Command } from 'commander';
import { noteClosedOutput } from './closed-output';
import { requireDashes } from './npm-options';
import { printLine } from './output';
import { buildProgram } from './program';
import { formatTextAsJson, reportError } from './report-error';

// A program that reads the output, such as "head", may close the pipe early. That is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  noteClosedOutput();
});

// If nobody reads the messages, the command continues and its exit code stays the same.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Finds `--json` without parsing the options, because a wrong option may be the error to report.
const asJson = process.argv.slice(2).includes('--json');
let running: Command | undefined;
/** The help or the version, which become JSON with `--json`. */
let text = '';

const run = async (): Promise<void> => {
  const program = buildProgram({
    isQuiet: asJson,
    ...(asJson ? { onText: (part: string) => (text += part) } : {}),
    onRun: (command) => {
      running = command;
    },
  });
  requireDashes(program, process.env);
  await program.parseAsync();
};

run().catch((error: unknown) => {
  if (text !== '') printLine(formatTextAsJson(text, error));
  process.exitCode = reportError(error, {
    command: running,
    asJson,
    write: (text) => process.stderr.write(text),
  });
});
