import { Registry } from 'prom-client';
import { setTimeout as delay } from 'node:timers/promises';
import { EventLoopLag } from './event-loop-lag';

const readLag = async (registry: Registry, name: string): Promise<number> => {
  const [value] = (await registry.getSingleMetric(`nodejs_eventloop_lag_${name}_seconds`)!.get())
    .values;
  return value?.value ?? NaN;
};

const blockLoop = (ms: number): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

describe('the delay of the event loop', () => {
  it('shows a block of the loop', async () => {
    const registry = new Registry();
    new EventLoopLag().show(registry);
    await delay(10);
    blockLoop(300);
    await delay(20);
    expect(await readLag(registry, 'max')).toBeGreaterThan(0.15);
    expect(await readLag(registry, 'max')).toBeLessThan(1);
    expect(await readLag(registry, 'p99')).toBeGreaterThan(0.15);
  });

  it('is measured often only while the loop is busy', async () => {
    const timeout = jest.spyOn(globalThis, 'setTimeout');
    const intervals = (): unknown[] => timeout.mock.calls.map(([, ms]) => ms);
    const registry = new Registry();
    new EventLoopLag().show(registry);
    blockLoop(150);
    await delay(20);
    expect(intervals()).toEqual(expect.arrayContaining([100, 10]));
    timeout.mockRestore();
  });
});
