// Measures the delay of the event loop of a process every 10 ms, and at each SIGUSR2 writes the
// longest one since the last time, in ms, to the file LOOP_DELAY_FILE. It is loaded with --require.
const { renameSync, writeFileSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  process.on('SIGUSR2', () => {
    const file = process.env.LOOP_DELAY_FILE;
    writeFileSync(`${file}.part`, String(histogram.max / 1e6));
    renameSync(`${file}.part`, file);
    histogram.reset();
  });
}
