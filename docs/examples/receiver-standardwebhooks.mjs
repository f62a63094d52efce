// A webhook receiver with the package `standardwebhooks`. The package `svix` works in the same way.
//   SIGNING_SECRET=whsec_… PORT=4000 node docs/examples/receiver-standardwebhooks.mjs
import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

// During a rotation there may be two secrets: SIGNING_SECRET=whsec_new,whsec_old
const secrets = (process.env.SIGNING_SECRET ?? '').split(',');
// An empty secret is one that everybody knows: the receiver does not start with it.
if (!secrets.every((secret) => /^whsec_[A-Za-z0-9+/]{20,}={0,2}$/.test(secret))) {
  console.error('Set SIGNING_SECRET to the signing secret of the destination (whsec_…).');
  process.exit(1);
}
const webhooks = secrets.map((secret) => new Webhook(secret));

/** The service never sends a longer body. */
const BODY_BYTES_MAX = 1024 * 1024;

/** What the messages of the package mean. */
const FAULTS = {
  'Missing required headers':
    'the header webhook-id, webhook-timestamp or webhook-signature is missing or malformed. Is the sender the service?',
  'Invalid Signature Headers':
    'the header webhook-id, webhook-timestamp or webhook-signature is missing or malformed. Is the sender the service?',
  'Message timestamp too old':
    'the request is older than 5 minutes. Is the clock of this machine right?',
  'Message timestamp too new':
    'the request is more than 5 minutes in the future. Is the clock of this machine right?',
};

/** The event, if the body comes from the service, unchanged, and was sent just now; else the fault. */
const verify = (body, headers) => {
  let fault = '';
  for (const webhook of webhooks) {
    try {
      return { event: webhook.verify(body, headers) };
    } catch (error) {
      // With another message, it is signed with the other secret, or not genuine.
      fault =
        FAULTS[error.message] ??
        'wrong signature. Is SIGNING_SECRET the secret of this destination?';
    }
  }
  return { fault };
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
    const { event, fault } = verify(Buffer.concat(chunks).toString('utf8'), request.headers);
    if (fault !== undefined) {
      console.log(`refused: ${fault}`);
      return response.writeHead(401).end('refused');
    }
    console.log(`${event.type} ${event.id}`);
    response.writeHead(204).end();
  });
});

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
