import type { DeliveryDestination } from '../../src/delivery/model/destination';
import type { Deliverable } from '../../src/delivery/model/render';
import { EVERY_TYPE } from '../../src/kernel/event-filter';
import type { Instant } from '../../src/kernel/time';
import { noon } from './given';

export const scope = { tenantId: 'tnt_a', environment: 'test' } as const;

/** Builds a webhook destination that was registered at noon, as the delivery engine reads it. */
export const buildDestination = ({
  secrets = [{ value: createSecret(1), createdAt: noon, expiresAt: null }],
  ...more
}: Partial<DeliveryDestination> = {}): DeliveryDestination => ({
  id: 'dest_1',
  scope,
  target: { type: 'https_webhook', url: 'https://example.com/hook' },
  secrets,
  filter: EVERY_TYPE,
  renderings: [{ from: noon, piiMode: 'full', schemaVersion: null }],
  maxInFlight: 50,
  ratePerSecond: null,
  ordering: 'relaxed',
  sendsTraceHeaders: true,
  startRevision: 0,
  registeredAtPosition: 0n,
  activeSince: noon,
  skipped: [],
  ...more,
});

export const createSecret = (n: number): string =>
  `whsec_${Buffer.alloc(32, n).toString('base64')}`;

/** Builds a stored event. `email` and `fields` are the values in its vault. */
export const buildEvent = (more: Partial<Deliverable> = {}): Deliverable => ({
  id: 'evt_1',
  type: 'ticket.submitted',
  owner: { scope, scopeName: 'tnt_a.test', subscriberId: 'subscriber_1' },
  revision: 4,
  data: { ticket: { id: 'tkt_1', topic: 'other', subject: null } },
  metadata: {
    schema: 'v1',
    at: '2026-03-10T13:00:00.000Z' as Instant,
    command: 'c',
    tenant: { id: 'tnt_a', name: 'Acme' },
    subscriber: { id: 'subscriber_1', created_at: noon },
    subscription: { id: 'sub_1', status: 'active', plan: 'pro' },
    sealed: 'sealed',
  },
  ...more,
});
