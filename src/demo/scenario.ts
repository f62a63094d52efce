import { setTimeout as delay } from 'node:timers/promises';
import { Service } from '@subscription-event-service/sdk';
import { Client } from '../cli/client';
import { DAY_MS } from '../kernel/time';
import { type Arrival, DemoReceiver, isAccepted } from './receiver';

const PRO = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' } as const;
const TRIAL_DAYS = 14;
const LONGEST_MONTH_DAYS = 31;
/** The demo begins this many days before now. */
const STORY_DAYS = 60;
const CLOCK_POLL_MS = 50;

type Print = (line: string) => void;

export interface DemoResult {
  readonly ok: boolean;
  readonly tenantId: string;
  readonly key: string;
}

/**
 * Plays the demo with the SDK over real HTTP: a tenant, a receiver and two months of one
 * subscriber. It prints a line for each step. `ok` is true only if everything arrived and was verified, the one failure was
 * retried, and the replay brought the same bytes again.
 */
export const playDemo = async (
  { url, operatorToken }: { url: string; operatorToken: string },
  print: Print,
): Promise<DemoResult> => {
  const receiver = await DemoReceiver.start();
  try {
    const operator = new Client(url, operatorToken);
    const setUp = await prepare(operator, receiver, print);
    const { destinationId, ...tenant } = setUp;
    const service = new Service({ baseUrl: url, apiKey: setUp.key });
    const story = new DemoStory(service, receiver, destinationId, print);
    await story.play();
    return { ok: summarise(receiver, print), ...tenant };
  } finally {
    receiver.close();
  }
};

const prepare = async (
  operator: Client,
  receiver: DemoReceiver,
  print: Print,
): Promise<{ tenantId: string; key: string; destinationId: string }> => {
  print('Setting up');
  const { id: tenantId } = await operator.change('post', '/operator/v1/tenants', {
    name: 'Acme Magazine',
  });
  const path = `/operator/v1/tenants/${String(tenantId)}`;
  const issued = await operator.change('post', `${path}/api-keys`, {
    environment: 'test',
    name: 'demo',
  });
  const destination = await operator.change('post', `${path}/destinations`, {
    type: 'https_webhook',
    environment: 'test',
    url: receiver.url,
    description: 'demo receiver',
  });
  receiver.verifyWith(String(destination['signing_secret']));
  print(`  tenant       ${String(tenantId)}  Acme Magazine`);
  print(`  test key     ${String(issued['key']).slice(0, 17)}…`);
  print(`  destination  ${String(destination['id'])}  ${receiver.url}`);
  return {
    tenantId: String(tenantId),
    key: String(issued['key']),
    destinationId: String(destination['id']),
  };
};

/**
 * Plays the demo step by step. Each step makes a call and waits for the events that it must cause.
 */
class DemoStory {
  private seenCount = 0;

  constructor(
    private readonly service: Service,
    private readonly receiver: DemoReceiver,
    private readonly destinationId: string,
    private readonly print: Print,
  ) {}

  async play(): Promise<void> {
    const { testClocks, plans, subscribers, subscriptions, tickets } = this.service;
    await plans.save('pro', PRO);
    // With a test clock, two months pass in seconds. They end before now, so that all events can be
    // replayed.
    const begunMs = Date.now() - STORY_DAYS * DAY_MS;
    const clock = await testClocks.create({ frozen_time: addDays(begunMs, 0) });
    const ada = await this.step('A subscriber registers', 'service.subscribers.create', {
      send: () => subscribers.create({ email: 'ada@example.com', test_clock: clock.id }),
      expect: ['subscriber.created'],
    });
    await this.step('and begins a trial', 'service.subscriptions.create', {
      send: () =>
        subscriptions.create({
          subscriber_id: ada.id,
          plan: 'pro',
          trial_days: TRIAL_DAYS,
          payment_method: 'pm_test_ok',
        }),
      expect: ['subscription.trial_started'],
    });
    const advance = (days: number) => () => this.advance(clock.id, addDays(begunMs, days));
    await this.step('Two weeks pass: the trial converts', 'service.testClocks.advance', {
      send: advance(TRIAL_DAYS),
      expect: ['subscription.trial_will_end', 'payment.succeeded', 'subscription.activated'],
    });
    await this.step('A month passes: the renewal', 'service.testClocks.advance', {
      send: advance(TRIAL_DAYS + LONGEST_MONTH_DAYS),
      expect: ['subscription.renewal_upcoming', 'payment.succeeded', 'subscription.renewed'],
    });
    this.receiver.failNext('ticket.submitted');
    await this.step('A ticket; the receiver fails once', 'service.tickets.create', {
      send: () =>
        tickets.create({
          subscriber_id: ada.id,
          topic: 'billing_question',
          subject: 'Is this month paid?',
        }),
      expect: ['ticket.submitted'],
    });
    await this.replay(begunMs);
  }

  /**
   * Advances the clock and waits. The clock is `ready` when everything that was due has happened.
   */
  private async advance(clockId: string, frozen_time: string): Promise<void> {
    await this.service.testClocks.advance(clockId, { frozen_time });
    for (;;) {
      const { status } = await this.service.testClocks.get(clockId);
      if (status === 'ready') return;
      if (status !== 'advancing') throw new Error('the test clock failed to advance');
      await delay(CLOCK_POLL_MS);
    }
  }

  /** Replays all events. They must arrive as they did the first time. */
  private async replay(begunMs: number): Promise<void> {
    const types = this.receiver.arrivals.filter(isAccepted).map(({ type }) => type);
    await this.step(`The last ${STORY_DAYS} days, replayed`, 'service.replays.create', {
      send: () =>
        this.service.replays.create({
          destination_id: this.destinationId,
          from: addDays(begunMs, 0),
          to: addDays(begunMs, STORY_DAYS + 1),
          dedupe_strategy: 'force_redeliver',
        }),
      expect: types,
    });
  }

  private async step<Answer>(
    title: string,
    call: string,
    { send, expect }: { send: () => Promise<Answer>; expect: readonly string[] },
  ): Promise<Answer> {
    this.print('');
    this.print(`${title}   (${call})`);
    const answer = await send();
    await this.receiver.waitUntilAccepted(this.seenCount, expect);
    for (const arrival of this.receiver.arrivals.slice(this.seenCount))
      this.print(describe(arrival));
    this.seenCount = this.receiver.arrivals.length;
    return answer;
  }
}

const addDays = (ms: number, days: number): string => new Date(ms + days * DAY_MS).toISOString();

const describeOutcome = ({ status, attempt, replayId }: Arrival): string => {
  if (status >= 300) return `answered ${status}, will be retried`;
  if (replayId !== null) return 'replayed, accepted';
  return attempt > 1 ? 'the retry, accepted' : 'accepted';
};

const describe = (arrival: Arrival): string => {
  const { type, sequence, attempt, verified } = arrival;
  const outcome = describeOutcome(arrival);
  const signature = verified ? 'signature verified' : 'SIGNATURE NOT VERIFIED';
  return `  ← ${type.padEnd(30)} #${sequence}  attempt ${attempt}  ${signature}  ${outcome}`;
};

const summarise = ({ arrivals }: DemoReceiver, print: Print): boolean => {
  const verified = arrivals.filter((arrival) => arrival.verified).length;
  const failed = arrivals.filter((arrival) => !isAccepted(arrival));
  const accepted = arrivals.filter(isAccepted);
  const live = accepted.filter(({ replayId }) => replayId === null);
  const replayed = accepted.filter(({ replayId }) => replayId !== null);
  const retried = failed.filter(({ id }) => live.some((other) => other.id === id));
  const same = live.filter((first) => replayed.some((again) => isSame(first, again)));
  print('');
  print(
    `${arrivals.length} deliveries arrived, ${verified} verified by the SDK and by standardwebhooks.`,
  );
  print(`${failed.length} failed, ${retried.length} of them accepted on a retry.`);
  print(`${replayed.length} of ${live.length} events were replayed, ${same.length} byte for byte.`);
  return (
    verified === arrivals.length &&
    failed.length === 1 &&
    retried.length === 1 &&
    replayed.length === live.length &&
    same.length === live.length
  );
};

const isSame = (first: Arrival, again: Arrival): boolean =>
  first.id === again.id && first.body === again.body && first.signature === again.signature;
