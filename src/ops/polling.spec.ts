import { pollUntilStopped } from './polling';

/** Records the pauses between rounds and ends each of them at once. */
const recordWaits = () => {
  const waits: number[] = [];
  const wait = (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  };
  return { waits, wait };
};

describe('polling', () => {
  it('works until the signal aborts and pauses between the rounds', async () => {
    const stop = new AbortController();
    const { waits, wait } = recordWaits();
    let rounds = 0;
    const work = (): void => {
      rounds += 1;
      if (rounds === 3) stop.abort();
    };
    await pollUntilStopped(stop.signal, work, { everyMs: 7, wait, onFailure: fail });
    expect([rounds, waits]).toEqual([3, [7, 7, 7]]);
  });

  it('pauses as long as a round says, and not at all after 0', async () => {
    const stop = new AbortController();
    const { waits, wait } = recordWaits();
    const rests = [0, 40, 0];
    const work = (): number => {
      const rest = rests.shift() ?? 0;
      if (rests.length === 0) stop.abort();
      return rest;
    };
    await pollUntilStopped(stop.signal, work, { everyMs: 7, wait, onFailure: fail });
    expect(waits).toEqual([40]);
  });

  it('reports a failed round and tries again after the pause for failures', async () => {
    const stop = new AbortController();
    const { waits, wait } = recordWaits();
    const failures: string[] = [];
    const work = (): Promise<void> => {
      if (failures.length === 2) stop.abort();
      return Promise.reject(new Error(`failure ${failures.length}`));
    };
    const onFailure = (error: unknown): void => {
      failures.push(String(error));
    };
    await pollUntilStopped(stop.signal, work, {
      everyMs: 3_600_000,
      afterFailureMs: 1,
      wait,
      onFailure,
    });
    // The failure of the round that was stopped is not reported.
    expect(failures).toEqual(['Error: failure 0', 'Error: failure 1']);
    expect(waits).toEqual([]);
  });

  it('begins with a pause if firstAfterMs is given', async () => {
    const stop = new AbortController();
    const work = jest.fn();
    const options = { everyMs: 7, firstAfterMs: 3_600_000, onFailure: fail };
    const polling = pollUntilStopped(stop.signal, work, options);
    stop.abort();
    await polling;
    expect(work).not.toHaveBeenCalled();
  });

  it('does nothing if it is stopped before it begins', async () => {
    const work = jest.fn();
    await pollUntilStopped(AbortSignal.abort(), work, { everyMs: 7, onFailure: fail });
    expect(work).not.toHaveBeenCalled();
  });

  it('ends a pause when the signal aborts', async () => {
    const stop = new AbortController();
    const work = (): void => {
      setImmediate(() => {
        stop.abort();
      });
    };
    await pollUntilStopped(stop.signal, work, { everyMs: 3_600_000, onFailure: fail });
    expect(stop.signal.aborted).toBe(true);
  });
});

const fail = (error: unknown): void => {
  throw error;
};
