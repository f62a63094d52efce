import { buildEvent } from '../../../test/support/destination';
import { createAttemptTrace } from './attempt-trace';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const caused = (traceparent?: string) => {
  const event = buildEvent();
  const by = { type: 'system', id: 'service', name: 'service' } as const;
  const origin = traceparent === undefined ? { by } : { by, traceparent };
  return { ...event, metadata: { ...event.metadata, origin } };
};
const live = { destinationId: 'dest_1', attempt: 1, replayId: null };
const replayed = { ...live, replayId: 'rep_1' };

describe('the trace of an attempt', () => {
  it('continues the trace of the request, with a separate span for each attempt', () => {
    const event = caused(`00-${traceId}-b7ad6b7169203331-01`);
    const first = createAttemptTrace(event, live);
    expect(first).toMatchObject({ traceId, isSampled: true, linked: null });
    expect(first.parentId).toMatch(/^[0-9a-f]{16}$/);
    const spans = [
      first,
      createAttemptTrace(event, { ...live, attempt: 2 }),
      createAttemptTrace(event, { ...live, destinationId: 'dest_2' }),
    ];
    expect(new Set(spans.map(({ parentId }) => parentId)).size).toBe(3);
    expect(createAttemptTrace(event, live)).toEqual(first);
  });

  it('has an id derived from the event if no request caused it', () => {
    const trace = createAttemptTrace(caused(), live);
    expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(trace.isSampled).toBe(false);
    expect(createAttemptTrace(caused('nonsense'), live).traceId).toBe(trace.traceId);
    const other = { ...caused(), id: 'evt_2' };
    expect(createAttemptTrace(other, live).traceId).not.toBe(trace.traceId);
  });

  it('is new for a replay, linked to the original one and shared by the events of the replay', () => {
    const event = caused(`00-${traceId}-b7ad6b7169203331-01`);
    const trace = createAttemptTrace(event, replayed);
    expect(trace.traceId).not.toBe(traceId);
    expect(trace.linked).toMatchObject({ traceId, parentId: 'b7ad6b7169203331' });
    const other = createAttemptTrace({ ...event, id: 'evt_2' }, replayed);
    expect(other.traceId).toBe(trace.traceId);
    expect(other.parentId).not.toBe(trace.parentId);
  });
});
