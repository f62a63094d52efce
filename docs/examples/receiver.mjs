// A webhook receiver with nothing but Node. Start it with the signing secret of the destination:
//   SIGNING_SECRET=whsec_… PORT=4000 node docs/examples/receiver-plain.mjs
import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.SIGNING_SECRET ?? '';
// Without the secret everybody could sign: an empty key is a key that everybody knows.
if (!/^whsec_[\w+/=-]{20,}$/.test(secret)) {
  console.error('Set SIGNING_SECRET to the signing secret of the destination (whsec_…).');
  process.exit(1);
}
/** Older deliveries are refused: somebody may have recorded them. Seconds. */
const TOLERANCE = 300;
/** Longer bodies than this service sends are not read. */
const BODY_BYTES_MAX = 1024 * 1024;

/** Compares in constant time. The lengths that count are those of the bytes. */
const same = (given, expected) => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Standard Webhooks: one of the space-separated signatures must be ours, and the time must be now. */
export const verify = (headers, body) => {
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${timestamp}.${body}`)
    .digest('base64');
  return (headers['webhook-signature'] ?? '')
    .split(' ')
    .some((signature) => same(signature, `v1,${expected}`));
};

/** The stable signature: the same for every retry and replay of an event, however late. */
export const verifyStable = (headers, body) => {
  const parts = (headers['x-service-signature'] ?? '').split(',');
  const t = parts[0]?.replace('t=', '');
  const expected = createHmac('sha256', secret)
    .update(`${headers['x-service-event-id']}.${t}.${body}`)
    .digest('hex');
  return parts.slice(1).some((part) => same(part, `v1=${expected}`));
};

/** Events by id: the same event may come again. A real receiver keeps this in its database. */
const seen = new Set();

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
    // The bytes as they came: parsing and printing JSON again would change them.
    const body = Buffer.concat(chunks).toString('utf8');
    if (!verify(request.headers, body) || !verifyStable(request.headers, body)) {
      response.writeHead(401).end('signature');
      return;
    }
    const event = JSON.parse(body);
    const repeated = seen.has(event.id);
    seen.add(event.id);
    console.log(`${event.type} ${event.id}${repeated ? ' (again)' : ''}`);
    // Answer fast, work later: after 15 seconds the attempt counts as failed.
    response.writeHead(204).end();
  });
});

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
