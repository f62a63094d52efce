'use strict';
// This file is loaded before the service (`node --require`), in the main thread and in each worker
// thread, and counts the cost of an event there. On SIGUSR2 the main thread writes the counts of
// all threads to the file that PROBE_FILE names.
const { Buffer } = require('node:buffer');
const fs = require('node:fs');
const http2 = require('node:http2');
const net = require('node:net');
const { performance } = require('node:perf_hooks');
const { setTimeout } = require('node:timers');
const { BroadcastChannel, isMainThread, MessagePort } = require('node:worker_threads');

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
    before.call(this, args);
    return original.apply(this, args);
  };
};

/**
 * Counts round trips to SQL where they leave the process, so that the count holds for every build,
 * bundled or not. In PostgreSQL's protocol a round trip ends with Sync (`S`) or is a simple Query
 * (`Q`); Bind (`B`) names the statement, and Parse (`P`) brings its text.
 */
const countSql = (socket, chunk) => {
  const texts = (socket.probeTexts ??= new Map());
  let names = (socket.probeNames ??= []);
  const end = (at) => chunk.indexOf(0, at);
  for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
    const kind = String.fromCharCode(chunk[at]);
    if (kind === 'P') {
      const name = chunk.toString('utf8', at + 5, end(at + 5));
      const from = end(at + 5) + 1;
      texts.set(name, name || shorten(chunk.toString('utf8', from, end(from))));
    } else if (kind === 'B') {
      const from = end(at + 5) + 1;
      const name = chunk.toString('utf8', from, end(from));
      names.push(texts.get(name) ?? name);
    } else if (kind === 'Q') {
      count(`sql ${shorten(chunk.toString('utf8', at + 5, end(at + 5)))}`);
    } else if (kind === 'S') {
      count(`sql ${names.length > 1 ? 'several together' : (names[0] ?? 'sync')}`);
      names = socket.probeNames = [];
    }
  }
};

const shorten = (text) => text.trim().replaceAll(/\s+/g, ' ').slice(0, 60);

/** True if the connection is to a PostgreSQL: it began with a start-up message of protocol 3.0. */
const speaksSql = (socket, chunk) => {
  socket.probeSpeaksSql ??= chunk.length > 8 && chunk.readUInt32BE(4) === 0x0003_0000;
  return socket.probeSpeaksSql;
};

const watchSql = () => {
  wrap(net.Socket.prototype, 'write', function ([chunk]) {
    if (!Buffer.isBuffer(chunk)) return;
    const isFirst = this.probeSpeaksSql === undefined;
    if (speaksSql(this, chunk) && !isFirst) countSql(this, chunk);
  });
};

/** Counts what is written to the event store: appends, and acknowledgements of a group's events. */
const watchStore = () => {
  const { connect } = http2;
  http2.connect = (...args) => {
    const session = connect(...args);
    const { request } = session;
    session.request = (headers, ...rest) => {
      const stream = request.call(session, headers, ...rest);
      const path = String(headers[':path']);
      let isFirst = true;
      wrap(stream, 'write', () => {
        if (path.endsWith('Append')) count('store append');
        if (path.endsWith('PersistentSubscriptions/Read') && !isFirst) count('store ack');
        isFirst = false;
      });
      return stream;
    };
    return session;
  };
};

/** Counts the same where the event store is a thread: see `packet.ts` for the parts of a packet. */
const watchThreadStore = () => {
  const [OPEN, MESSAGE] = [0, 1];
  const paths = new Map();
  const started = new Set();
  wrap(MessagePort.prototype, 'postMessage', ([packet]) => {
    if (!(packet instanceof ArrayBuffer)) return;
    const bytes = Buffer.from(packet);
    for (let at = 0; at < bytes.length; at += 9 + bytes.readUInt32BE(at + 5)) {
      const call = bytes.readUInt32BE(at);
      const kind = bytes[at + 4];
      if (kind === OPEN) {
        const content = bytes.toString('utf8', at + 9, at + 9 + bytes.readUInt32BE(at + 5));
        paths.set(call, JSON.parse(content)[':path']);
      }
      if (kind !== MESSAGE) continue;
      const path = paths.get(call) ?? '';
      if (path.endsWith('Append')) count('store append');
      else if (!path.endsWith('PersistentSubscriptions/Read')) paths.delete(call);
      else if (started.has(call)) count('store ack');
      else started.add(call);
    }
  });
};

if (isMainThread) {
  watchSql();
  watchStore();
  watchThreadStore();
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
