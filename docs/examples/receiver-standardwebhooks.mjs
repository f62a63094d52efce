// The same with the `standardwebhooks` package (svix works just so):
//   SIGNING_SECRET=whsec_… PORT=4000 node docs/examples/receiver-standardwebhooks.mjs
import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const secret = process.env.SIGNING_SECRET ?? '';
// Without the secret everybody could sign: an empty key is a key that everybody knows.
if (!/^whsec_[\w+/=-]{20,}$/.test(secret)) {
  console.error('Set SIGNING_SECRET to the signing secret of the destination (whsec_…).');
  process.exit(1);
}
const webhook = new Webhook(secret);
/** Longer bodies than this service sends are not read. */
const BODY_BYTES_MAX = 1024 * 1024;

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
    try {
      const event = webhook.verify(Buffer.concat(chunks).toString('utf8'), request.headers);
      console.log(`${event.type} ${event.id}`);
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end('signature');
    }
  });
});

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
