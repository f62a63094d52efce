// The same with the `standardwebhooks` package (svix works just so):
//   SIGNING_SECRET=whsec_… PORT=4000 node docs/examples/receiver-standardwebhooks.mjs
import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SIGNING_SECRET ?? '');

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
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
