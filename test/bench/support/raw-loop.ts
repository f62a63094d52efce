import { AddressGuard } from '../../../src/delivery/webhook/address-guard';
import { Sender } from '../../../src/delivery/webhook/sender';
import { runClosedLoop, formatRate } from './load';
import type { BenchReceiver } from './receiver';

/** The number of uncounted requests. The first thousands are slow on every machine. */
const WARM_UP = 5_000;
const CONCURRENCY = 64;

/** A body of the size of an envelope. */
const BYTES = JSON.stringify({ id: 'evt_baseline', data: { text: 'x'.repeat(700) } });

/** Returns the deliveries per second of the bare HTTP client, the baseline of an engine. */
export const measureRawLoop = async (receiver: BenchReceiver, count: number): Promise<number> => {
  const sender = new Sender({
    timeoutMs: 15_000,
    connectTimeoutMs: 5_000,
    guard: new AddressGuard(true),
  });
  const deliver = (i: number) =>
    sender.send({
      url: receiver.url,
      headers: { 'content-type': 'application/json', 'webhook-id': `baseline_${i}` },
      body: BYTES,
    });
  await runClosedLoop(WARM_UP, CONCURRENCY, deliver);
  const cpuBefore = process.cpuUsage();
  const { seconds } = await runClosedLoop(count, CONCURRENCY, (i) => deliver(WARM_UP + i));
  await sender.close();
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMs = (user + system) / 1e3 / count;
  console.log(
    `baseline: ${formatRate(count, seconds)} bare deliveries, CPU ${cpuMs.toFixed(2)} ms each`,
  );
  return count / seconds;
};
