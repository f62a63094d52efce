import fc from 'fast-check';
import { noon, scenario } from '../../../test/support/given';
import { fold } from '../../kernel/decider';
import { type Instant, plusDays, plusMs } from '../../kernel/time';
import {
  type Destination,
  destinationAggregate,
  disableDestination,
  enableDestination,
  isGone,
  type KnownDestination,
  registerDestination,
  deleteDestination,
  requireDestination,
  restoreDestination,
  rotateSecret,
  SECRET_OVERLAP_HOURS,
  getStatus,
  changeDestination,
  stateFailureWarning,
} from './destination.decider';
import type { DestinationFact } from './destination.events';

const HOUR_MS = 3_600_000;
const OVERLAP_MS = SECRET_OVERLAP_HOURS * HOUR_MS;
const head = { revision: 7, position: '700' };
const secret = (id: string, created_at: Instant = noon) => ({
  id,
  wrapped: `w-${id}`,
  created_at,
  expires_at: null,
});

const settings = {
  url: 'https://example.com/hook',
  mail: null,
  event_types: null,
  pii_mode: 'full' as const,
  schema_version: null,
  description: null,
  max_in_flight: 50,
  rate_limit_per_second: null,
  ordering: 'relaxed' as const,
};

const registered = {
  type: 'destination.registered' as const,
  data: {
    id: 'dest_1',
    tenant_id: 'tnt_a',
    environment: 'test' as const,
    type: 'https_webhook' as const,
    ...settings,
    secret: secret('k1'),
    start_revision: 0,
  },
};
const scoped = { destination_id: 'dest_1', tenant_id: 'tnt_a', environment: 'test' as const };
const disabled: DestinationFact = {
  type: 'destination.disabled',
  data: { ...scoped, reason: 'manual', since: null, last_status: null, head },
};
const deleted: DestinationFact = {
  type: 'destination.deleted',
  data: { recoverable_until: plusDays(noon, 30) },
};

const { given } = scenario(destinationAggregate);

/** Applies a decision that needs an existing destination. */
const known =
  (decide: (destination: KnownDestination) => DestinationFact[]) =>
  (destination: Destination): DestinationFact[] =>
    decide(requireDestination(destination, noon));

describe('a destination', () => {
  it('is registered once', () => {
    const { url, mail: _, ...common } = settings;
    const registration = {
      ...common,
      id: 'dest_1',
      scope: { tenantId: 'tnt_a', environment: 'test' },
      target: { type: 'https_webhook', url },
      secret: secret('k1'),
      start_revision: 0,
    } as const;
    given().when(registerDestination(registration)).then([registered]);
    given(registered).when(registerDestination(registration)).then([]);
  });

  it('changes the named settings, and states nothing if none differs', () => {
    given(registered)
      .when(known(changeDestination({ pii_mode: 'minimal' })))
      .then([
        {
          type: 'destination.updated',
          data: { ...settings, pii_mode: 'minimal', trace_headers: 'on' },
        },
      ]);
    given(registered)
      .when(known(changeDestination({ pii_mode: 'full' })))
      .then([]);
    given(registered, deleted)
      .when(known(changeDestination({})))
      .thenRefused('destination_deleted');
  });

  it('keeps the history of its rendering settings', () => {
    const later = plusMs(noon, HOUR_MS);
    const changed: DestinationFact = {
      type: 'destination.updated',
      data: { ...settings, pii_mode: 'minimal', schema_version: 'v1' },
      at: later,
    };
    const { renderings } = requireDestination(given(registered, changed).state, noon);
    expect(renderings).toEqual([
      { from: later, pii_mode: 'minimal', schema_version: 'v1' },
      { from: noon, pii_mode: 'full', schema_version: null },
    ]);
  });

  it('is disabled once, and continues where it stopped or at the end of the log', () => {
    given(registered)
      .when(known(disableDestination({ reason: 'manual', head })))
      .then([disabled]);
    given(registered, disabled)
      .when(known(disableDestination({ reason: 'gone', head })))
      .then([]);
    given(registered)
      .when(known(enableDestination(null)))
      .then([]);
    const now = { revision: 9, position: '900' };
    const enabled: DestinationFact = {
      type: 'destination.enabled',
      data: { ...scoped, resumed_at: now },
    };
    given(registered, disabled)
      .when(known(enableDestination(now)))
      .then([enabled]);
    const state = requireDestination(given(registered, disabled, enabled).state, noon);
    expect(state.gaps).toEqual([{ from: head, to: now }]);
    const { data } = enabled;
    const resumed = given(registered, disabled, {
      type: 'destination.enabled',
      data: { ...data, resumed_at: null },
    });
    expect(requireDestination(resumed.state, noon).gaps).toEqual([]);
  });

  it('counts as active since it was last enabled or restored', () => {
    const at = (fact: DestinationFact, days: number) => ({ ...fact, at: plusDays(noon, days) });
    const disabling = at(
      {
        type: 'destination.disabled',
        data: { ...scoped, reason: 'failing', since: noon, last_status: 500, head },
      },
      6,
    );
    const enabling = at({ type: 'destination.enabled', data: { ...scoped, resumed_at: null } }, 7);
    const deleting = at(
      { type: 'destination.deleted', data: { recoverable_until: plusDays(noon, 38) } },
      8,
    );
    const restoring = at({ type: 'destination.restored', data: {} }, 9);
    const history = [at(registered, 0), disabling, enabling, deleting, restoring];
    const since = (count: number): Instant =>
      (
        fold(
          destinationAggregate,
          destinationAggregate.initialState(),
          history.slice(0, count),
        ) as KnownDestination
      ).active_since;
    expect([1, 2, 3, 4, 5].map(since)).toEqual([0, 0, 7, 7, 9].map((days) => plusDays(noon, days)));
  });

  it('states each warning of an outage once', () => {
    const facts = { since: noon, lastStatus: 500, lastError: null };
    const failing = (hours: number): DestinationFact => ({
      type: 'destination.failing',
      data: { ...scoped, since: noon, hours, last_status: 500, last_error: null },
    });
    given(registered)
      .when(known(stateFailureWarning({ ...facts, hours: 24 })))
      .then([failing(24)]);
    given(registered, failing(24))
      .when(known(stateFailureWarning({ ...facts, hours: 24 })))
      .then([]);
    given(registered, failing(24))
      .when(known(stateFailureWarning({ ...facts, hours: 72 })))
      .then([failing(72)]);
    given(registered, failing(72))
      .when(known(stateFailureWarning({ ...facts, hours: 24 })))
      .then([]);
    given(registered, disabled)
      .when(known(stateFailureWarning({ ...facts, hours: 24 })))
      .then([]);
    const since = plusMs(noon, 1);
    given(registered, failing(24))
      .when(known(stateFailureWarning({ ...facts, since, hours: 24 })))
      .thenLike([{ data: { since, hours: 24 } }]);
  });

  it('can be restored after a soft deletion, and is gone after a forced deletion or 30 days', () => {
    const softly = known(deleteDestination({ force: false, now: noon }));
    given(registered).when(softly).then([deleted]);
    given(registered, deleted).when(softly).then([]);
    given(registered, deleted)
      .when(known(restoreDestination()))
      .then([{ type: 'destination.restored', data: {} }]);
    given(registered).when(known(restoreDestination())).then([]);
    const forced: DestinationFact = {
      type: 'destination.deleted',
      data: { recoverable_until: null },
    };
    given(registered, deleted)
      .when(known(deleteDestination({ force: true, now: noon })))
      .then([forced]);
    given(registered, forced).when(known(restoreDestination())).thenRefused('resource_not_found');
    const { state } = given(registered, deleted);
    expect(isGone(state, plusMs(plusDays(noon, 30), -1))).toBe(false);
    expect(isGone(state, plusDays(noon, 30))).toBe(true);
    const was = given(registered, disabled, deleted, {
      type: 'destination.restored' as const,
      data: {},
    });
    expect(getStatus(requireDestination(was.state, noon))).toBe('disabled');
  });

  it('has at most two valid secrets, newest first, after any number of rotations', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 30 * HOUR_MS }), { maxLength: 8 }),
        (pauses) => {
          let now: Instant = noon;
          let state = fold(destinationAggregate, destinationAggregate.initialState(), [
            { ...registered, at: noon },
          ]);
          for (const [i, pauseMs] of pauses.entries()) {
            now = plusMs(now, pauseMs);
            const facts = rotateSecret(
              secret(`k${i + 2}`, now),
              plusMs(now, OVERLAP_MS),
            )(requireDestination(state, noon));
            state = fold(
              destinationAggregate,
              state,
              facts.map((fact) => ({ ...fact, at: now })),
            );
          }
          const { secrets } = requireDestination(state, noon);
          const valid = secrets.filter(({ expires_at }) => expires_at === null || expires_at > now);
          expect(valid.length).toBeLessThanOrEqual(2);
          expect(valid[0]?.id).toBe(`k${pauses.length + 1}`);
          expect(secrets).toHaveLength(pauses.length + 1);
          const [, previous] = valid;
          if (previous !== undefined) {
            expect(previous.id).toBe(`k${pauses.length}`);
            expect(previous.expires_at).toBe(plusMs(now, OVERLAP_MS));
          }
        },
      ),
    );
  });
});
