import { CommanderError } from 'commander';
import { CallFailed, EXIT } from './client';
import { buildProgram } from './program';

// A program that reads the output, such as "head", may close the pipe early. That is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

buildProgram()
  .parseAsync()
  .catch((error: unknown) => {
    // The library commander has already printed its own message or the help.
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
      return;
    }
    process.stderr.write(`${error instanceof CallFailed ? error.message : String(error)}\n`);
    process.exitCode = error instanceof CallFailed ? error.exitCode : EXIT.failed;
  });
