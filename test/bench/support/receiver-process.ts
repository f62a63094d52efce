import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const delayMs = Number(process.argv[2] ?? 0);
let firstMs = new Map<string, number>();
let total = 0;

const server = createServer((request, response) => {
  const id = request.headers['webhook-id'];
  request.resume();
  request.on('end', () => {
    total += 1;
    if (typeof id === 'string' && !firstMs.has(id)) firstMs.set(id, Date.now());
    if (delayMs === 0) response.end();
    else setTimeout(() => response.end(), delayMs);
  });
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on('message', (message) => {
  if (message === 'report') process.send?.({ firstMs: Object.fromEntries(firstMs), total });
  if (message === 'count') process.send?.(firstMs.size);
  if (message === 'total') process.send?.(total);
  if (message === 'reset') {
    firstMs = new Map();
    total = 0;
  }
});
