import type { KnownDestination } from '../../domain/destinations/destination.decider';
import { fromMillis } from '../../kernel/time';
import { viewDestination } from './destination.dto';

const OVERLAP_END = fromMillis(1_700_000_000_000);

/** A destination whose previous secret signs until OVERLAP_END. */
const rotated = {
  id: 'dest_1',
  target: {},
  scope: { tenantId: 'tnt_1', environment: 'test' },
  disabled: null,
  deleted: null,
  secrets: [{ expires_at: null }, { expires_at: OVERLAP_END }],
} as unknown as KnownDestination;

describe('the resource of a destination', () => {
  it.each([
    ['shows until when the previous secret signs too', -1, OVERLAP_END],
    ['shows nothing of a previous secret that has expired', 0, null],
  ])('%s', (_, afterEndMs, shown) => {
    const now = fromMillis(Date.parse(OVERLAP_END) + afterEndMs);
    const view = viewDestination(rotated, { currentSchema: 'v1', now });
    expect(view.previous_secret_expires_at).toBe(shown);
  });
});
