import type { Command } from 'commander';
import { noteClosedOutput } from './closed-output';
import { requireDashes } from './npm-options';
import { buildProgram } from './program';
import { reportError } from './report-error';

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

const run = async (): Promise<void> => {
  const program = buildProgram({
    isQuiet: asJson,
    onRun: (command) => {
      running = command;
    },
  });
  requireDashes(program, process.env);
  await program.parseAsync();
};

run().catch((error: unknown) => {
  process.exitCode = reportError(error, {
    command: running,
    asJson,
    write: (text) => process.stderr.write(text),
  });
});
