'use strict';
// This file is loaded before the service (`node --require`), in the main thread and in each worker
// thread, and counts the cost of an event there. On SIGUSR2 the main thread writes the counts of
// all threads to the file that PROBE_FILE names.
const fs = require('node:fs');
const Module = require('node:module');
const { performance } = require('node:perf_hooks');
const { setTimeout } = require('node:timers');
const { BroadcastChannel, isMainThread } = require('node:worker_threads');

const ANSWERS_WITHIN_MS = 100;
const channel = new BroadcastChannel('bench-probe');
channel.unref();

/** The number of calls by name. */
const calls = {};
const count = (name) => {
  calls[name] = (calls[name] ?? 0) + 1;
};

const wrap = (target, method, before) => {
  const original = target[method];
  target[method] = function (...args) {
    before(args);
    return original.apply(this, args);
  };
};

const nameOf = (query) => {
  if (typeof query === 'string') return query.trim().slice(0, 60);
  if (typeof query.submit === 'function' && query.text === undefined) return 'several together';
  return query.name ?? String(query.text).trim().replaceAll(/\s+/g, ' ').slice(0, 60);
};

const instrument = {
  pg: ({ Client }) => {
    wrap(Client.prototype, 'query', ([query]) => {
      count(`sql ${nameOf(query)}`);
    });
  },
  '@eventstore/db-client': ({ EventStoreDBClient }, from) => {
    const { prototype } = EventStoreDBClient;
    const { BatchAppendReq } = from.require('@eventstore/db-client/generated/streams_pb');
    wrap(BatchAppendReq.prototype, 'serializeBinary', () => count('store append'));
    const subscribe = prototype.subscribeToPersistentSubscriptionToStream;
    prototype.subscribeToPersistentSubscriptionToStream = function (...args) {
      const subscription = subscribe.apply(this, args);
      wrap(subscription, 'ack', () => count('store ack'));
      return subscription;
    };
  },
};

if (isMainThread) {
  const load = Module._load;
  const seen = new Set();
  Module._load = function (request, from, ...rest) {
    const loaded = load.call(this, request, from, ...rest);
    if (request in instrument && !seen.has(request)) {
      seen.add(request);
      instrument[request](loaded, from);
    }
    return loaded;
  };
} else {
  for (const method of ['writeSync', 'writevSync', 'write', 'writev']) {
    wrap(fs, method, () => count('file write'));
  }
}

const role = () => {
  if (isMainThread) return 'main';
  const script = process.argv[1] ?? '';
  if (script.includes('embedded-sql')) return 'sql';
  return /embedded-(event)?store/.test(script) ? 'store' : 'other';
};

const facts = () => ({
  role: role(),
  threadId: Number(fs.readlinkSync('/proc/thread-self').split('/').at(-1)),
  loopTurns: performance.nodeTiming.uvMetricsInfo.loopCount,
  calls,
});

if (isMainThread) {
  let answers = [];
  channel.onmessage = ({ data }) => {
    if (data !== 'ask') answers.push(data);
  };
  process.on('SIGUSR2', () => {
    answers = [JSON.parse(JSON.stringify(facts()))];
    channel.postMessage('ask');
    setTimeout(() => {
      const file = process.env.PROBE_FILE;
      fs.writeFileSync(`${file}.part`, JSON.stringify(answers));
      fs.renameSync(`${file}.part`, file);
    }, ANSWERS_WITHIN_MS);
  });
} else {
  channel.onmessage = ({ data }) => {
    if (data === 'ask') channel.postMessage(facts());
  };
}
