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

/** The event, if the body comes from the service, unchanged, and was sent just now. */
const verified = (body, headers) => {
  for (const webhook of webhooks) {
    try {
      return webhook.verify(body, headers);
    } catch {
      // Signed with the other secret, or not genuine.
    }
  }
  return null;
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
    const event = verified(Buffer.concat(chunks).toString('utf8'), request.headers);
    if (event === null) {
      console.log('refused: wrong signature. Is SIGNING_SECRET the secret of this destination?');
      return response.writeHead(401).end('wrong signature');
    }
    console.log(`${event.type} ${event.id}`);
    response.writeHead(204).end();
  });
});

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
