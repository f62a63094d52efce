import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { buildDestination, buildEvent, createSecret } from '../../../test/support/destination';
import { noon } from '../../../test/support/given';
import { EventCatalogue } from '../../event-store/catalogue';
import type { JsonObject } from '../../kernel/json';
import type { Personal, Vault } from '../../event-store/vault';
import { deliverableEvents } from '../../domain/subscriber-stream/subscriber.aggregate';
import { Clock, fromMillis, type Instant, plusMs } from '../../kernel/time';
import type { DeliveryDestination } from '../model/destination';
import { prepareAttempt, type TracedAttemptRequest } from './prepare';
import { Renderer } from '../model/render';
import { SchemaVersions } from '../model/schema-versions';
import { signStable, signStandard } from '../webhook/sign';
import { createRequest } from '../webhook/webhook-channel';

const HOUR = 3_600_000;
const now = fromMillis(Date.now());
const sentAt = plusMs(noon, HOUR);

/** The values that the subscriber's data key opens; null after the erasure. */
let personal: Personal | null;
const vault = { open: () => Promise.resolve(personal) } as unknown as Vault;
const versions = new SchemaVersions([{ name: 'v1' }]);
const rendererWith = (some: SchemaVersions): Renderer =>
  new Renderer(new EventCatalogue([deliverableEvents]), vault, some);

class FixedClock extends Clock {
  now(): Instant {
    return now;
  }
}

const trace = { traceId: 'a'.repeat(32), parentId: 'b'.repeat(16), isSampled: true };

const make = async (
  destination: DeliveryDestination,
  more: Partial<TracedAttemptRequest> = {},
  some = versions,
) => {
  const prepared = await prepareAttempt(rendererWith(some), new FixedClock(), {
    event: buildEvent(),
    destination,
    attempt: 1,
    firstSentAt: null,
    trace,
    ...more,
  });
  if (destination.target.type !== 'https_webhook') throw new Error('no webhook');
  const request = createRequest(prepared, destination.target);
  return { ...request, envelope: JSON.parse(request.body) as JsonObject };
};

beforeEach(() => {
  personal = {
    email: 'ada@example.com',
    fields: [[['ticket', 'subject'], 'Hello']],
  };
});

describe('signatures', () => {
  it('match the published test vector of Standard Webhooks', () => {
    const signed = { eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
    const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
    expect(signStandard(signed, { secrets, timestamp: 1614265330 })).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('are accepted by standardwebhooks and svix with each valid secret', async () => {
    const secrets = [
      { value: createSecret(2), createdAt: sentAt, expiresAt: null },
      { value: createSecret(1), createdAt: noon, expiresAt: plusMs(now, HOUR) },
      { value: createSecret(0), createdAt: noon, expiresAt: sentAt },
    ];
    const { headers, body } = await make(buildDestination({ secrets }));
    for (const secret of [createSecret(1), createSecret(2)]) {
      new StandardWebhook(secret).verify(body, headers);
      new SvixWebhook(secret).verify(body, headers);
    }
    expect(() => new StandardWebhook(createSecret(0)).verify(body, headers)).toThrow();
  });

  it('have a stable form that depends only on event, body and secrets', async () => {
    const destination = buildDestination();
    const first = await make(destination);
    const retry = await make(destination, { attempt: 2, firstSentAt: sentAt });
    expect(retry.body).toBe(first.body);
    expect(retry.headers['x-service-signature']).toBe(first.headers['x-service-signature']);
    const t = Date.parse('2026-03-10T13:00:00.000Z') / 1000;
    const v1 = createHmac('sha256', createSecret(1))
      .update(`evt_1.${t}.${first.body}`)
      .digest('hex');
    expect(first.headers['x-service-signature']).toBe(`t=${t},v1=${v1}`);
    expect(retry.headers['x-service-attempt']).toBe('2');
  });

  it('of a replay include the original and the current one, long after a rotation', async () => {
    const secrets = [
      { value: createSecret(2), createdAt: plusMs(sentAt, HOUR), expiresAt: null },
      { value: createSecret(1), createdAt: noon, expiresAt: plusMs(sentAt, 25 * HOUR) },
    ];
    const destination = buildDestination({ secrets });
    const replay = { replayId: 'rep_1', dedupeStrategy: 'force_redeliver' };
    const { headers, body } = await make(destination, { firstSentAt: sentAt, replay });
    const timestamp = Date.parse('2026-03-10T13:00:00.000Z') / 1000;
    const expected = { secrets: [createSecret(2), createSecret(1)], timestamp };
    expect(headers['x-service-signature']).toBe(signStable({ eventId: 'evt_1', body }, expected));
    expect(headers).toMatchObject({
      'x-service-replay-id': 'rep_1',
      'x-service-replay-attempt': '1',
      'x-service-replay-dedupe': 'force_redeliver',
    });
    new StandardWebhook(createSecret(2)).verify(body, headers);
    const retry = await make(destination, { firstSentAt: sentAt });
    expect(retry.headers['x-service-signature']).toBe(
      signStable({ eventId: 'evt_1', body }, { ...expected, secrets: [createSecret(2)] }),
    );
  });
});

describe('a replayed event', () => {
  const modes = (then: 'full' | 'hashed_only' | 'minimal', today: typeof then) =>
    buildDestination({
      secrets: [
        { value: createSecret(2), createdAt: plusMs(sentAt, HOUR), expiresAt: null },
        { value: createSecret(1), createdAt: noon, expiresAt: plusMs(sentAt, 25 * HOUR) },
      ],
      renderings: [
        { from: plusMs(sentAt, 1), piiMode: today, schemaVersion: null },
        { from: noon, piiMode: then, schemaVersion: null },
      ],
    });
  const replay = { replayId: 'rep_1', dedupeStrategy: 'force_redeliver' };

  it.each([
    ['full', 'hashed_only'],
    ['full', 'minimal'],
    ['hashed_only', 'minimal'],
  ] as const)('is shown less when %s became %s, and signed anew', async (then, today) => {
    const again = await make(modes(then, today), { firstSentAt: sentAt, replay });
    const fresh = await make(modes(today, today));
    expect(again.body).toBe(fresh.body);
    expect(again.headers['x-service-redacted']).toBe('true');
    expect(again.headers['x-service-signature']).toBe(fresh.headers['x-service-signature']);
  });

  it('shows no more than at first after the PII mode was loosened', async () => {
    const again = await make(modes('hashed_only', 'full'), { firstSentAt: sentAt, replay });
    expect(again.envelope['subscriber']).not.toHaveProperty('email');
    expect(again.headers).not.toHaveProperty('x-service-redacted');
    const first = await make(modes('hashed_only', 'hashed_only'), { firstSentAt: sentAt, replay });
    expect(again.body).toBe(first.body);
    expect(again.headers['x-service-signature']).toBe(first.headers['x-service-signature']);
  });

  it('shows no personal data after the person was erased', async () => {
    personal = null;
    const again = await make(modes('full', 'full'), { firstSentAt: sentAt, replay });
    expect(again.envelope['subscriber']).toMatchObject({
      email: null,
      email_hashed: `sha256:${'0'.repeat(64)}`,
    });
    expect(again.headers['x-service-redacted']).toBe('true');
  });
});

describe('schema versions', () => {
  /**
   * A v2 that exists only in this test. It renames a field of every event and can be converted
   * down.
   */
  const two = new SchemaVersions([
    { name: 'v1' },
    {
      name: 'v2',
      down: ({ number, ...envelope }) => ({ ...envelope, sequence: number ?? null }),
    },
  ]);
  const stored = buildEvent();
  const v2 = { ...stored, metadata: { ...stored.metadata, schema: 'v2' } };
  const pinned = (schemaVersion: string | null) =>
    buildDestination({ renderings: [{ from: noon, piiMode: 'full', schemaVersion }] });

  it('render events of a pinned destination in its version', async () => {
    const current = await make(pinned(null), { event: v2 }, two);
    expect(current.envelope['schema_version']).toBe('v2');
    expect(current.headers['x-service-schema-version']).toBe('v2');
    const kept = await make(pinned('v1'), { event: v2 }, two);
    expect(kept.envelope).toHaveProperty('sequence');
    expect(kept.envelope['schema_version']).toBe('v1');
    expect(kept.headers['x-service-schema-version']).toBe('v1');
  });

  it('never convert an event to a later version than it was stored in', async () => {
    const old = await make(pinned('v2'), {}, two);
    expect(old.envelope['schema_version']).toBe('v1');
    expect(old.body).toBe((await make(pinned(null))).body);
  });

  it('of the first delivery are used by a replay', async () => {
    const destination = buildDestination({
      renderings: [
        { from: plusMs(sentAt, 1), piiMode: 'full', schemaVersion: null },
        { from: noon, piiMode: 'full', schemaVersion: 'v1' },
      ],
    });
    const again = await make(destination, { event: v2, firstSentAt: sentAt }, two);
    expect(again.envelope['schema_version']).toBe('v1');
  });
});

describe('the trace context', () => {
  it('is sent unless the destination refuses it; the rest stays the same', async () => {
    const { headers, body } = await make(buildDestination());
    expect(headers['traceparent']).toBe(`00-${trace.traceId}-${trace.parentId}-01`);
    const without = await make(buildDestination({ sendsTraceHeaders: false }));
    const { traceparent: _, ...others } = headers;
    expect(Object.keys(without.headers).sort()).toEqual(Object.keys(others).sort());
    expect(without.body).toBe(body);
  });
});
