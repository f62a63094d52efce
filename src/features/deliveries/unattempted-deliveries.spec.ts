import type {
  StoredDeliverable,
  StoredDeliverables,
} from '../../delivery/model/stored-deliverables';
import type { DestinationDirectory } from '../../directories/destination.directory';
import type { KnownDestination } from '../../domain/destinations/destination.decider';
import type { Clock, Instant } from '../../kernel/time';
import { UnattemptedDeliveries } from './unattempted-deliveries';

const NOW = '2026-11-27T12:00:00.000Z' as Instant;
const RECENT = '2026-11-01T12:00:00.000Z' as Instant;
const OLD = '2026-10-01T12:00:00.000Z' as Instant;

const createDestination = (disabledAt: Instant | null): KnownDestination =>
  ({
    id: 'dest_1',
    event_types: null,
    gaps: [],
    deleted: null,
    disabled: disabledAt === null ? null : { at: disabledAt },
  }) as unknown as KnownDestination;

const createEvent = (at: Instant): StoredDeliverable =>
  ({ type: 'ticket.submitted', position: 1n, metadata: { at } }) as unknown as StoredDeliverable;

const findStatus = (at: Instant, disabledAt: Instant | null = null): string =>
  new UnattemptedDeliveries(
    {} as StoredDeliverables,
    { findForDelivery: () => null } as unknown as DestinationDirectory,
    { now: () => NOW } as Clock,
  ).getStatus(createDestination(disabledAt), createEvent(at));

describe('the status of a delivery without a row in the delivery log', () => {
  it.each([
    ['of this month', RECENT, null, 'pending'],
    ['of this month, to a disabled destination', RECENT, RECENT, 'destination_disabled'],
    ['older than the log', OLD, null, 'log_expired'],
    ['older than the log, before the destination was disabled', OLD, RECENT, 'log_expired'],
    ['older than the log, after it was disabled', OLD, OLD, 'destination_disabled'],
  ] as const)('of an event %s', (_, at, disabledAt, status) => {
    expect(findStatus(at, disabledAt)).toBe(status);
  });
});
