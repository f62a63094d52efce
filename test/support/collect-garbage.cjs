// Collects garbage at SIGUSR2, so that a test can see how much of the heap is in use. It is loaded
// with --require, beside --expose-gc.
const { isMainThread } = require('node:worker_threads');

if (isMainThread) process.on('SIGUSR2', () => globalThis.gc());
