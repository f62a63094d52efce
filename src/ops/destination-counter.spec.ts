import { Counter, Registry } from 'prom-client';
import { DESTINATIONS_SHOWN_MAX, DestinationCounter } from './destination-counter';

describe('a counter by destination', () => {
  it('counts those beyond the limit together, and goes on counting those it shows', async () => {
    const labelNames = ['tenant', 'environment', 'destination', 'outcome'];
    const counter = new Counter({ name: 'x', help: 'x', labelNames, registers: [new Registry()] });
    const counted = new DestinationCounter(counter);
    const scope = { tenantId: 'tnt_a', environment: 'live' } as const;
    for (let n = 0; n < DESTINATIONS_SHOWN_MAX + 5; n += 1) {
      counted.count(scope, `dest_${n}`, 'delivered');
    }
    counted.count(scope, 'dest_0', 'delivered');
    const { values } = await counter.get();
    const valueOf = (destination: string): number | undefined =>
      values.find(({ labels }) => labels['destination'] === destination)?.value;
    expect(values).toHaveLength(DESTINATIONS_SHOWN_MAX + 1);
    expect(valueOf('other')).toBe(5);
    expect(valueOf('dest_0')).toBe(2);
    expect(valueOf(`dest_${DESTINATIONS_SHOWN_MAX}`)).toBeUndefined();
  });
});
