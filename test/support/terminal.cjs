// Loaded before a program: its standard error stream claims to be a terminal.
Object.defineProperty(process.stderr, 'isTTY', { value: true });
