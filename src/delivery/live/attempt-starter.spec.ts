import { SystemClock } from '../../ops/system-clock';
import type { Work } from '../journal/work';
import { Gates } from '../schedule/gates';
import { Lanes } from '../schedule/lanes';
import { buildPending, destination } from '../../../test/support/consumer-stage';
import { AttemptStarter } from './attempt-starter';
import type { Destinations } from '../model/destination';
import { ManualRetries } from './manual-retries';
import { Outage } from './outage';
import { PreparationFailures } from './preparation-failures';

/** A clock whose every reading is a little later, as on a machine that is busy. */
class SlowlyReadClock extends SystemClock {
  private readings = 0;

  constructor(private readonly stepMs: number) {
    super();
  }

  override monotonicMs(): number {
    this.readings += 1;
    return performance.now() + this.readings * this.stepMs;
  }
}

const createStarter = (stepMs: number, ratePerSecond: number | null) => {
  const clock = new SlowlyReadClock(stepMs);
  const lanes = new Lanes<Work>('relaxed');
  const outage = new Outage(destination.id, {} as Destinations);
  const gate = new Gates(clock).gateFor({ ...destination, ratePerSecond });
  const manual = new ManualRetries({
    findLatest: () => Promise.resolve(null),
    attempt: () => Promise.reject(new Error('no manual retry was asked for')),
    journalAndAck: () => Promise.resolve(),
  });
  const started: string[] = [];
  const starter = new AttemptStarter(
    { lanes, manual, outage, preparationFailures: new PreparationFailures(), gate, clock },
    {
      prepareStart: () => true,
      deliver: ({ eventId }) => {
        started.push(eventId);
        lanes.finish(eventId);
        return Promise.resolve();
      },
    },
  );
  gate.onLiveRoom = () => {
    starter.startDueAttempts();
  };
  const add = (eventId: string): void => {
    lanes.add({ ...buildPending(eventId), notBeforeMs: 0, event: null, journalled: false });
  };
  return { clock, lanes, outage, starter, started, add };
};

/** The waits end between any two readings of the clock, for one of these steps. */
const STEPS_MS = Array.from({ length: 400 }, (_, i) => (i + 1) * 0.013);

describe('the starter of attempts', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('sends every delivery under a rate limit, whenever the wait for the limit ends', async () => {
    for (const stepMs of STEPS_MS) {
      const { starter, started, add } = createStarter(stepMs, 20);
      for (let i = 0; i < 10; i += 1) add(`evt_${i}`);
      starter.startDueAttempts();
      await jest.advanceTimersByTimeAsync(2_000);
      expect([stepMs, started.length]).toEqual([stepMs, 10]);
      starter.stop();
    }
  });

  it('sends a probe after every pause, whenever the pause ends', async () => {
    for (const stepMs of STEPS_MS) {
      const { clock, outage, starter, started, add } = createStarter(stepMs, null);
      for (let i = 0; i < 10; i += 1)
        outage.recordFailure(`failed_${i}`, clock.monotonicMs(), { at: clock.now() });
      add('evt_probe');
      starter.startDueAttempts();
      await jest.advanceTimersByTimeAsync(10_000);
      expect([stepMs, started]).toEqual([stepMs, ['evt_probe']]);
      starter.stop();
    }
  });
});
