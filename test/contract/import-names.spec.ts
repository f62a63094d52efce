import { Aggregates } from '../../src/event-store/aggregates';
import { deliverableEvents } from '../../src/domain/subscriber-stream/subscriber.aggregate';
import { EventCatalogue } from '../../src/event-store/catalogue';
import { Claims } from '../../src/event-store/claims';
import { EventStoreConnection } from '../../src/event-store/connection';
import { MasterKey } from '../../src/event-store/master-key';
import { streams } from '../../src/event-store/streams';
import { Vault } from '../../src/event-store/vault';
import { HistoryImport } from '../../src/services/importing/history';
import type { ImportLine, SubscriptionLine } from '../../src/services/importing/import.lines';
import type { ImportContext } from '../../src/services/importing/line.decisions';
import { planAggregate, type PlanDraft, savePlan } from '../../src/domain/plans/plan.decider';
import { createEntropy } from '../../src/event-store/entropy';
import type { Currency } from '../../src/kernel/money';
import { scopeName } from '../../src/kernel/scope';
import type { Instant } from '../../src/kernel/time';
import { noon } from '../support/given';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';

const SCOPE = { tenantId: 'tnt_0000000000000000', environment: 'live' } as const;
const LATER = '2026-03-11T12:00:00.000Z' as Instant;

describe('the names of imported subscriptions', () => {
  let store: StoreServer;
  let names = 0;
  const connections: EventStoreConnection[] = [];

  beforeAll(async () => {
    store = await StoreServer.start();
    const { aggregates } = createProcess();
    const gold: PlanDraft = {
      id: 'gold',
      name: 'Gold',
      amount: 500,
      currency: 'USD' as Currency,
      interval: 'month',
      intervalCount: 1,
      trialDays: 0,
      externalId: null,
    };
    const context = { ...createContext(noon), commandId: 'plan', resumed: false };
    await aggregates.run(planAggregate, streams.plan(SCOPE, 'gold'), context, ({ state }) =>
      savePlan(scopeName(SCOPE), gold, noon)(state),
    );
  });

  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await store.dispose();
  });

  const createProcess = () => {
    const connection = new EventStoreConnection(store.connectionString);
    connections.push(connection);
    const masterKey = new MasterKey(Buffer.alloc(32));
    const vault = new Vault(connection, masterKey);
    const aggregates = new Aggregates(connection, vault, new EventCatalogue([deliverableEvents]));
    const claims = new Claims(aggregates, masterKey);
    return { aggregates, history: new HistoryImport({ aggregates, vault, claims, masterKey }) };
  };

  const createContext = (now: Instant): ImportContext => ({
    now,
    actor: 'system',
    entropy: createEntropy('import'),
    wrote: () => undefined,
    scope: SCOPE,
    tenant: { id: SCOPE.tenantId, name: 'Acme' },
  });

  const buildSubscriberLine = (name: string): ImportLine => ({
    kind: 'subscriber',
    external_id: name,
    email: `${name}@example.com`,
  });

  const good = { start: '2026-03-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' };
  const backwards = { start: good.end, end: good.start };

  const buildSubscriptionLine = (
    name: string,
    of: string,
    { start, end } = good,
  ): SubscriptionLine => ({
    kind: 'subscription',
    external_id: name,
    subscriber_external_id: of,
    plan: 'gold',
    status: 'active',
    current_period_start: start,
    current_period_end: end,
  });

  /** Imports the lines in a new process. Returns the reasons of refused lines by number. */
  const takeOver = async (
    lines: readonly ImportLine[],
    now = noon,
  ): Promise<Record<number, string>> => {
    const { history } = createProcess();
    const numbered = lines.map((value, i) => ({ line: i + 1, value }));
    const refused = await history.importLines(createContext(now), numbered);
    return Object.fromEntries(refused.map(({ line, error }) => [line, error.code]));
  };

  const createNames = () => {
    names += 1;
    return { name: `name-${names}`, ada: `ada-${names}`, ben: `ben-${names}` };
  };

  it('are free again when their line was refused', async () => {
    const { name, ada, ben } = createNames();
    const people = [buildSubscriberLine(ada), buildSubscriberLine(ben)];
    const wrong = buildSubscriptionLine(name, ada, backwards);
    expect(await takeOver([...people, wrong])).toEqual({ 3: 'parameter_invalid' });
    expect(await takeOver([buildSubscriptionLine(name, ben)])).toEqual({});
    expect(await takeOver([buildSubscriptionLine(name, ada)])).toEqual({ 1: 'external_id_in_use' });
  });

  it('stay reserved for existing subscriptions', async () => {
    const { name, ada, ben } = createNames();
    const people = [buildSubscriberLine(ada), buildSubscriberLine(ben)];
    expect(await takeOver([...people, buildSubscriptionLine(name, ada)])).toEqual({});
    // The line is refused because it describes another object of that name, so the name is not
    // released.
    const other = { ...buildSubscriptionLine(name, ada), status: 'paused' } as const;
    expect(await takeOver([other], LATER)).toEqual({ 1: 'external_id_in_use' });
    expect(await takeOver([buildSubscriptionLine(name, ben)], LATER)).toEqual({
      1: 'external_id_in_use',
    });
    expect(await takeOver([buildSubscriptionLine(name, ada)], LATER)).toEqual({});
  });

  it('are reserved again by the line that was refused, once it is valid', async () => {
    const { name, ada, ben } = createNames();
    const early = buildSubscriptionLine(name, ada, {
      start: '2026-03-10T18:00:00.000Z',
      end: '2026-04-10T18:00:00.000Z',
    });
    expect(await takeOver([buildSubscriberLine(ada), buildSubscriberLine(ben), early])).toEqual({
      3: 'parameter_invalid',
    });
    expect(await takeOver([early], LATER)).toEqual({});
    expect(await takeOver([buildSubscriptionLine(name, ben)], LATER)).toEqual({
      1: 'external_id_in_use',
    });
  });
});
