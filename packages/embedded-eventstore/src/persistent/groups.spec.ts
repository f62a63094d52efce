import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Faults } from '../faults/faults';
import { appendEvents, appendSystemEvent } from '../storage/appends';
import { EventLog } from '../storage/event-log';
import { readEventId } from '../storage/record';
import { CONFIGURATION_STREAM } from '../storage/stream-metadata';
import { Hub } from '../subscriptions/hub';
import { nameCheckpointStream } from './group-streams';
import { Groups } from './groups';
import type { GroupSettings } from './settings';

const SETTINGS: GroupSettings = {
  resolveLinks: false,
  startFrom: 0,
  extraStatistics: false,
  messageTimeoutMs: 30_000,
  maxRetryCount: 10,
  checkpointAfterMs: 2_000,
  minCheckpointCount: 1,
  maxCheckpointCount: 1,
  maxSubscriberCount: 0,
  liveBufferSize: 500,
  readBatchSize: 20,
  historyBufferSize: 500,
  strategy: 'RoundRobin',
};

describe('groups after a restart', () => {
  const key = { source: 's-1', group: 'g' };
  let dir: string;
  let log: EventLog;
  let groups: Groups;

  const open = (): void => {
    const hub = new Hub();
    log = new EventLog({ dir });
    log.onCommitted = (events) => {
      hub.publish(events);
    };
    groups = new Groups({ log, hub, faults: new Faults() });
  };

  const close = async (): Promise<void> => {
    groups.close();
    await log.close();
  };

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'groups-'));
    open();
    await groups.create({ key, settings: SETTINGS, filter: undefined });
    const event = () => ({
      id: randomUUID(),
      type: 'happened',
      json: false,
      customMetadata: Buffer.alloc(0),
      data: Buffer.from('data'),
    });
    await new Promise((resolve) => {
      const events = [event(), event(), event()];
      appendEvents(log, { streamName: key.source, expected: 'any', events }, resolve);
    });
  });

  afterEach(async () => {
    await close();
    rmSync(dir, { recursive: true, force: true });
  });

  const connect = (slots: number): void => {
    groups.get(key).connect({
      from: '',
      user: '',
      connectionName: '',
      slots,
      send: () => undefined,
      drop: () => undefined,
    });
  };

  /** Returns the positions of the events that a consumer with room for all of them receives. */
  const delivered = (): number[] => {
    connect(10);
    return groups.get(key).state.inFlight.map(({ delivery }) => delivery.payload.entry.position);
  };

  const ackFirst = (): void => {
    connect(1);
    const [first] = groups.get(key).state.inFlight;
    groups.get(key).ack([readEventId(first!.delivery.payload.entry.record)]);
    expect(groups.get(key).state.checkpoint.position).toBe(0);
  };

  it('continue from a checkpoint that is not on disk yet, if only the subsystem restarts', () => {
    ackFirst();
    groups.restart();
    expect(delivered()).toHaveLength(2);
  });

  it('continue from a checkpoint that is not on disk yet, if their settings change', async () => {
    ackFirst();
    const updated = groups.update(key, { ...SETTINGS, maxRetryCount: 1 });
    expect(delivered()).toHaveLength(2);
    await updated;
  });

  it('start from the beginning if they were deleted and created again', async () => {
    ackFirst();
    const deleted = groups.delete(key);
    const created = groups.create({ key, settings: SETTINGS, filter: undefined });
    expect(delivered()).toHaveLength(3);
    await Promise.all([deleted, created]);
  });

  it('continue from their checkpoints although a client wrote invalid events to the streams of the groups', async () => {
    ackFirst();
    await log.waitUntilFlushed();
    for (const stream of [CONFIGURATION_STREAM, nameCheckpointStream(key)]) {
      appendSystemEvent(log, stream, { type: 'x', json: true, data: Buffer.from('{"not":') });
    }
    await log.waitUntilFlushed();
    await close();
    open();
    expect(delivered()).toHaveLength(2);
  });
});
