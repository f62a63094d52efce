import type { Answer, Api } from './api';
import { until } from './until';

type Json = Record<string, unknown>;

/** A test clock with one subscriber, whose time the test advances. */
export class ClockedSubscriber {
  private constructor(
    private readonly api: Api,
    readonly clockId: string,
    readonly subscriberId: string,
  ) {}

  static async create(api: Api, frozenTime: string): Promise<ClockedSubscriber> {
    const clock = await api.post('/v1/test_helpers/clocks', { frozen_time: frozenTime });
    const clockId = clock.created['id'] as string;
    const subscriber = await api.post('/v1/subscribers', {
      email: 'ada@example.com',
      test_clock: clockId,
    });
    return new ClockedSubscriber(api, clockId, subscriber.created['id'] as string);
  }

  subscribe(request: Json): Promise<Answer> {
    return this.api.post('/v1/subscriptions', { subscriber_id: this.subscriberId, ...request });
  }

  /** Moves the clock and waits until all timers that are due have fired. */
  async advance(to: string): Promise<void> {
    const path = `/v1/test_helpers/clocks/${this.clockId}`;
    (await this.api.post(`${path}/advance`, { frozen_time: to })).expect(200);
    await until(`the clock at ${to}`, async () => {
      const { status } = (await this.api.get(path)).ok;
      if (status === 'internal_failure') throw new Error('the clock failed');
      return status === 'ready';
    });
  }

  /** Returns `[minute, type]` of all events, oldest first. */
  async listEventTimes(): Promise<string[]> {
    const events = await this.listEvents();
    return events.map(
      ({ created_at, type }) => `${String(created_at).slice(0, 16)} ${String(type)}`,
    );
  }

  async listEvents(): Promise<Json[]> {
    const path = `/v1/events?subscriber_id=${this.subscriberId}&order=asc&limit=100`;
    const events = (await this.api.get(path)).data;
    // Under a test clock several events have the same instant, so they are ordered by sequence.
    return events.sort((a, b) => Number(a['sequence']) - Number(b['sequence']));
  }
}
