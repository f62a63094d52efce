// Loaded before a program: both of its output streams claim to be terminals.
for (const stream of [process.stdout, process.stderr])
  Object.defineProperty(stream, 'isTTY', { value: true });
