import type { DestinationHealth } from '@subscription-event-service/sdk';
import { formatFirstTryRate } from '../src/pages/home/first-try-rate';

type Day = DestinationHealth['last_24_hours'];

const createHealth = (waiting: number, day: Partial<Day>): DestinationHealth =>
  ({
    waiting,
    last_24_hours: { delivered: 0, failed: 0, pending: 0, first_try_rate: null, ...day },
  }) as DestinationHealth;

describe('the share of events that were delivered at the first try', () => {
  const perfect = createHealth(0, { delivered: 100, first_try_rate: 1 });

  it('is that of the service while nothing waits', () => {
    expect(formatFirstTryRate([perfect])).toBe('100 %');
    expect(
      formatFirstTryRate([createHealth(0, { delivered: 3, failed: 1, first_try_rate: 0.5 })]),
    ).toBe('50.0 %');
  });

  it('counts what waits for a destination that is down, also what was not tried or is older', () => {
    const down = createHealth(300, { pending: 3, first_try_rate: 0 });
    expect(formatFirstTryRate([down])).toBe('0 %');
    expect(formatFirstTryRate([perfect, down])).toBe('25.0 %');
    expect(formatFirstTryRate([perfect, createHealth(100, {})])).toBe('50.0 %');
  });

  it('is left out if there are no events', () => {
    expect(formatFirstTryRate([createHealth(0, {})])).toBe('–');
  });
});
