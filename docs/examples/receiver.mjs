// A webhook receiver in Node, without packages. Start it with the signing secret of the destination:
//   SIGNING_SECRET=whsec_… PORT=4000 node docs/examples/receiver.mjs
import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

// During a rotation there may be two secrets: SIGNING_SECRET=whsec_new,whsec_old
const secrets = (process.env.SIGNING_SECRET ?? '').split(',');
// An empty secret is one that everybody knows: the receiver does not start with it.
if (!secrets.every((secret) => /^whsec_[A-Za-z0-9+/]{20,}={0,2}$/.test(secret))) {
  console.error('Set SIGNING_SECRET to the signing secret of the destination (whsec_…).');
  process.exit(1);
}

/** Refuse older deliveries: somebody may have recorded them. */
const TOLERANCE_SECONDS = 300;
/** The service never sends a longer body. */
const BODY_BYTES_MAX = 1024 * 1024;

/** Returns null if the body comes from the service, unchanged, and was sent just now; else the fault. */
export const findFault = (headers, body) => {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const signatures = headers['webhook-signature'] ?? '';
  if (id === '' || signatures === '' || !/^\d{1,12}$/.test(timestamp)) {
    return 'the header webhook-id, webhook-timestamp or webhook-signature is missing or malformed. Is the sender the service?';
  }
  const ageSeconds = Date.now() / 1000 - Number(timestamp);
  if (ageSeconds > TOLERANCE_SECONDS) {
    return 'the request is older than 5 minutes. Is the clock of this machine right?';
  }
  if (ageSeconds < -TOLERANCE_SECONDS) {
    return 'the request is more than 5 minutes in the future. Is the clock of this machine right?';
  }
  // One signature for each valid secret, separated by spaces. One that matches is enough.
  const given = signatures.split(' ');
  const isGenuine = secrets.some((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    const expected = `v1,${mac.digest('base64')}`;
    return given.some((signature) => same(signature, expected));
  });
  return isGenuine ? null : 'wrong signature. Is SIGNING_SECRET the secret of this destination?';
};

/** Compares in constant time. `timingSafeEqual` throws if the lengths differ. */
const same = (given, expected) => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Ids of the events that were handled: an event may come again. Keep them in your database. */
const handled = new Set();

/** Answer within 15 seconds: put slow work into a queue. */
const handle = (event) => {
  if (handled.has(event.id)) return console.log(`${event.type} ${event.id} again`);
  handled.add(event.id);
  console.log(`${event.type} ${event.id}`);
};

const server = createServer((request, response) => {
  const chunks = [];
  let bytes = 0;
  request.on('error', () => response.destroy());
  request.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) request.destroy();
    else chunks.push(chunk);
  });
  request.on('end', () => {
    // Verify the bytes as they came. JSON that is parsed and written again has other bytes.
    const body = Buffer.concat(chunks);
    const fault = findFault(request.headers, body);
    if (fault !== null) {
      console.log(`refused: ${fault}`);
      return response.writeHead(401).end('refused');
    }
    handle(JSON.parse(body.toString('utf8')));
    response.writeHead(204).end();
  });
});

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
