/**
 * This file is loaded into a service before its program (`node -r`), and thereby into each of its
 * threads. At the signal SIGUSR2 every thread writes a snapshot of its heap into the directory
 * HEAP_SNAPSHOT_DIR. A file is renamed when it is complete, so that a test never reads half of one.
 */
const { renameSync } = require('node:fs');
const { join } = require('node:path');
const { writeHeapSnapshot } = require('node:v8');
const { BroadcastChannel, isMainThread, threadId } = require('node:worker_threads');

const asked = new BroadcastChannel('heap-snapshots');

const write = (round) => {
  const name = `${round}-thread-${threadId}.heapsnapshot`;
  const path = join(process.env.HEAP_SNAPSHOT_DIR, name);
  renameSync(writeHeapSnapshot(`${path}.part`), path);
};

if (isMainThread) {
  let rounds = 0;
  process.on('SIGUSR2', () => {
    rounds += 1;
    asked.postMessage(rounds);
    write(rounds);
  });
} else {
  asked.onmessage = ({ data }) => write(data);
}
asked.unref();
