import { setTimeout as delay } from 'node:timers/promises';
import { type Seeded, seedHistory } from '../support/seed';
import { Service, type TestTenant } from '../support/service';
import type { BenchOptions } from './main';
import { formatLatencies, openLoop, formatRate, computePercentile } from './support/load';
import { MemoryPeak } from './support/memory';
import { measureRawLoop } from './support/raw-loop';
import { BenchReceiver } from './support/receiver';

/**
 * Returns the number of subscribers of a history. The selective filter selects one of them, which
 * is 1 in 1,000 events if the history has at least 100,000.
 */
const countSubscribers = (size: number): number => Math.min(1_000, Math.max(50, size / 100));
const WAIT_LIMIT_MS = 30 * 60_000;
const DAY_MS = 24 * 3_600_000;
const MINUTES_FAR_BACK = 30;
const DELIVERED_MAX = 100_000;
const LIVE_RATE = 50;
/**
 * The number of stretches with and without a replay, which alternate, so that the p99 has many
 * samples and other load of the machine affects both.
 */
const STRETCHES = 16;
const STRETCH_MS = 8_000;
const LIVE_SECONDS = (STRETCHES * STRETCH_MS) / 1_000;
const LIVE_WARM_SECONDS = 20;
/**
 * The number of subscribers of live events. They are few enough to be cached after the warm-up,
 * because reading a history is not measured.
 */
const LIVE_SUBSCRIBERS = 50;

type Json = Record<string, unknown>;

/** Measures replays from a log of `size` events whose `created_at` cover the last 300 days. */
export const run = async ({ size = 30_000 }: BenchOptions): Promise<void> => {
  const receiver = await BenchReceiver.start();
  const service = await Service.start();
  try {
    const tenant = await service.tenant();
    const settings = { max_destinations: 100 };
    (await service.operator.patch(`/operator/v1/tenants/${tenant.id}`, { settings })).expect(200);
    const toMs = Date.now() - DAY_MS;
    const fromMs = toMs - 300 * DAY_MS;
    const history = await seedHistory(service, tenant, {
      subscribers: countSubscribers(size),
      events: size,
      fromMs,
      toMs,
    });
    const bench = new Bench({ service, tenant, receiver, history, fromMs, toMs });
    await bench.waitUntilIndexed();
    await bench.measureFirstEvent();
    const baseline = await measureRawLoop(receiver, Math.min(size, 10_000));
    const rate = await bench.measureDelivered();
    console.log(`ratio replayed / baseline: ${(rate / baseline).toFixed(2)} (target 0.35)`);
    await bench.measureScanned();
    await bench.measureBesideLive();
  } finally {
    await service.dispose();
    receiver.close();
  }
};

interface Stage {
  readonly service: Service;
  readonly tenant: TestTenant;
  readonly receiver: BenchReceiver;
  readonly history: Seeded;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Ended {
  readonly matched: number;
  readonly seconds: number;
}

class Bench {
  constructor(private readonly stage: Stage) {}

  /**
   * Waits until the read models have followed the log, because events cannot be selected before.
   */
  async waitUntilIndexed(): Promise<void> {
    const { history } = this.stage;
    const destination = await this.addDestination();
    const startedAt = performance.now();
    for (;;) {
      const answer = await this.post({
        ...this.buildWindow(),
        destination_id: destination,
        dry_run: true,
      });
      if (answer['events_matched'] === history.events.length) break;
      if (performance.now() - startedAt > WAIT_LIMIT_MS) throw new Error('void: never indexed');
      await delay(500);
    }
    await this.discard(destination);
    console.log(`a log of ${history.events.length.toLocaleString('en')} events, indexed`);
  }

  /**
   * Measures the time from the request to the first arrival, for windows that begin anywhere in the
   * log.
   */
  async measureFirstEvent(): Promise<void> {
    const { receiver, fromMs, toMs } = this.stage;
    for (const [name, share] of [
      ['at the beginning', 0],
      ['in the middle', 0.5],
      ['at the end', 0.98],
    ] as const) {
      const from = fromMs + share * (toMs - fromMs);
      const samplesMs: number[] = [];
      for (let i = 0; i < 5; i += 1) {
        const destination_id = await this.addDestination();
        receiver.reset();
        const begunMs = Date.now();
        const job = await this.post({
          destination_id,
          from: new Date(from).toISOString(),
          to: new Date(from + MINUTES_FAR_BACK * 60_000 * 40).toISOString(),
        });
        while ((await receiver.count()) === 0) await delay(1);
        const { firstMs } = await receiver.report();
        samplesMs.push(Math.min(...Object.values(firstMs)) - begunMs);
        await this.waitForEnd(job['replay_id'] as string);
        await this.discard(destination_id);
      }
      console.log(
        `first replayed event, window ${name} of the log: ${formatLatencies(samplesMs)} (target 300 ms)`,
      );
    }
  }

  /**
   * Returns the events per second from start to end of one job, to a receiver that answers at once.
   */
  async measureDelivered(): Promise<number> {
    const { service, receiver, history, fromMs, toMs } = this.stage;
    const share = Math.min(1, DELIVERED_MAX / history.events.length);
    const destination_id = await this.addDestination();
    receiver.reset();
    const memory = watchMemory(service);
    const cpuBefore = service.cpuSeconds;
    const job = await this.post({
      destination_id,
      from: new Date(fromMs).toISOString(),
      to: new Date(fromMs + share * (toMs - fromMs)).toISOString(),
    });
    const { matched, seconds } = await this.waitForEnd(job['replay_id'] as string);
    const cpuMs = ((service.cpuSeconds - cpuBefore) / matched) * 1e3;
    const { total, firstMs } = await receiver.report();
    await this.discard(destination_id);
    if (Object.keys(firstMs).length !== matched) throw new Error('void: not everything arrived');
    console.log(
      `replayed ${matched.toLocaleString('en')} events: ${formatRate(matched, seconds)}, ` +
        `CPU ${cpuMs.toFixed(2)} ms per event, ${total - matched} more than once, ${memory()}`,
    );
    return matched / seconds;
  }

  /** Measures the scanned events per second when the filter selects one in a thousand. */
  async measureScanned(): Promise<void> {
    const { history, service } = this.stage;
    const destination_id = await this.addDestination();
    const subscriber_ids = history.subscriberIds.slice(7, 8);
    const memory = watchMemory(service);
    const cpuBefore = service.cpuSeconds;
    const job = await this.post({ ...this.buildWindow(), destination_id, subscriber_ids });
    const { matched, seconds } = await this.waitForEnd(job['replay_id'] as string);
    await this.discard(destination_id);
    const cpuUs = ((service.cpuSeconds - cpuBefore) / history.events.length) * 1e6;
    console.log(
      `scanned ${history.events.length.toLocaleString('en')} events for ${matched}: ` +
        `${formatRate(history.events.length, seconds)} (target 20,000/s), CPU ${cpuUs.toFixed(0)} µs each, ${memory()}`,
    );
  }

  /**
   * Measures live deliveries that never pause, with a replay to the same destination in every other
   * stretch.
   */
  async measureBesideLive(): Promise<void> {
    const destination_id = await this.addDestination();
    const startMs = Date.now() + LIVE_WARM_SECONDS * 1_000;
    const replaying = this.replayInEveryOtherStretch(destination_id, startMs);
    const inTurn: number[][] = [[], [], [], []];
    for (const { begunMs, tookMs } of await this.sendLive(LIVE_WARM_SECONDS + LIVE_SECONDS)) {
      const stretch = Math.floor((begunMs - startMs) / STRETCH_MS);
      if (stretch >= 0) inTurn[stretch % inTurn.length]!.push(tookMs);
    }
    const replayed = await replaying;
    const [first, , second] = inTurn as [number[], number[], number[]];
    const alone = [...first, ...second];
    const beside = [...inTurn[1]!, ...inTurn[3]!];
    console.log(
      `live at ${LIVE_RATE}/s, accepted to received: alone ${formatLatencies(alone)}, ` +
        `beside a replay ${formatLatencies(beside)} (target p99 +10 %: ` +
        `${describeIncrease(alone, beside)}; alone against itself, which is noise: ${describeIncrease(first, second)}), ` +
        `${formatRate(replayed, LIVE_SECONDS / 2)} replayed meanwhile`,
    );
  }

  /** Runs a replay in every second interval. Returns the number of replayed events. */
  private async replayInEveryOtherStretch(
    destination_id: string,
    startMs: number,
  ): Promise<number> {
    let replayed = 0;
    for (let stretch = 1; stretch < STRETCHES; stretch += 2) {
      await delay(startMs + stretch * STRETCH_MS - Date.now());
      const wanted = { ...this.buildWindow(), destination_id, dedupe_strategy: 'force_redeliver' };
      const id = (await this.post(wanted))['replay_id'] as string;
      await delay(startMs + (stretch + 1) * STRETCH_MS - Date.now());
      await this.stage.tenant.api.delete(`/v1/replay/${id}`);
      replayed += Number((await this.get(id))['events_delivered']);
    }
    return replayed;
  }

  private async sendLive(
    seconds: number,
  ): Promise<{ readonly begunMs: number; readonly tookMs: number }[]> {
    const { tenant, receiver, history } = this.stage;
    receiver.reset();
    const tickets = new Map<string, number>();
    await openLoop(LIVE_RATE * seconds, LIVE_RATE, async (i) => {
      const begunMs = Date.now();
      const subscriber_id = history.subscriberIds[i % LIVE_SUBSCRIBERS];
      const body = { subscriber_id, topic: 'other', subject: 'live' };
      const { created } = await tenant.api.post('/v1/tickets', body);
      tickets.set(created['id'] as string, begunMs);
    });
    const sample = await this.listEventsOfTickets(tickets);
    const giveUpAt = Date.now() + 30_000;
    for (;;) {
      const { firstMs } = await receiver.report();
      if (sample.every(({ id }) => firstMs[id] !== undefined)) {
        return sample.map(({ id, begunMs }) => ({ begunMs, tookMs: firstMs[id]! - begunMs }));
      }
      if (Date.now() > giveUpAt) throw new Error('void: not everything arrived live');
      await delay(50);
    }
  }

  /** Returns the live events of the tickets, newest first as in the list. */
  private async listEventsOfTickets(
    tickets: ReadonlyMap<string, number>,
  ): Promise<{ readonly id: string; readonly begunMs: number }[]> {
    const found: { id: string; begunMs: number }[] = [];
    for (let cursor = ''; found.length < tickets.size;) {
      const { ok } = await this.stage.tenant.api.get(
        `/v1/events?event_types=ticket.submitted&limit=100${cursor}`,
      );
      const { data, next_cursor } = ok as { data: Json[]; next_cursor: string | null };
      for (const { id, data: shown } of data) {
        const begunMs = tickets.get((shown as { ticket: { id: string } }).ticket.id);
        if (begunMs !== undefined) found.push({ id: id as string, begunMs });
      }
      if (next_cursor === null) throw new Error('void: a ticket has no event');
      cursor = `&starting_after=${next_cursor}`;
    }
    return found;
  }

  private buildWindow(): Json {
    const { fromMs, toMs } = this.stage;
    return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
  }

  private async addDestination(): Promise<string> {
    const { service, tenant, receiver } = this.stage;
    const body = {
      type: 'https_webhook',
      url: receiver.url,
      environment: 'test',
      max_in_flight: 100,
    };
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    return (await service.operator.post(path, body)).created['id'] as string;
  }

  /** Deletes a destination, because it would also receive live events. */
  private async discard(id: string): Promise<void> {
    (await this.stage.tenant.api.delete(`/v1/destinations/${id}?force=true`)).expect(204);
  }

  private async post(body: Json): Promise<Json> {
    for (;;) {
      const answer = await this.stage.tenant.api.post('/v1/replay', body);
      if (answer.status === 200 || answer.status === 202) return answer.body;
      if (answer.status !== 503) throw new Error(JSON.stringify(answer.body));
      await delay(500);
    }
  }

  private async get(id: string): Promise<Json> {
    return (await this.stage.tenant.api.get(`/v1/replay/${id}`)).ok;
  }

  private async waitForEnd(id: string): Promise<Ended> {
    const giveUpAt = Date.now() + WAIT_LIMIT_MS;
    while (Date.now() < giveUpAt) {
      const job = await this.get(id);
      const { started_at, finished_at, status, events_matched } = job as Record<string, string>;
      if (finished_at == null) {
        await delay(100);
        continue;
      }
      if (status !== 'completed') throw new Error(`void: the replay is ${String(status)}`);
      const seconds = (Date.parse(finished_at) - Date.parse(started_at ?? '')) / 1_000;
      return { matched: Number(events_matched), seconds };
    }
    throw new Error('void: the replay did not end');
  }
}

/** Returns the increase of the 99th percentile. */
const describeIncrease = (than: readonly number[], these: readonly number[]): string =>
  `${((computePercentile(these, 99) / computePercentile(than, 99) - 1) * 100).toFixed(0)} %`;

/** Samples the memory until the returned function is called, which reports the result. */
const watchMemory = (service: Service): (() => string) => {
  const memory = new MemoryPeak(service);
  const timer = setInterval(() => {
    memory.recordMemory();
  }, 100);
  return () => {
    clearInterval(timer);
    return `memory ${memory.describePeak()}`;
  };
};
