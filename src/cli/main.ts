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

// Nobody reads the messages. The work and its exit code stay the same.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// The options may be what is wrong, so they are not parsed to find this one.
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
