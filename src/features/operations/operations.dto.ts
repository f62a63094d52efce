import { type Static, Type } from '@sinclair/typebox';
import { Moment, nullable } from '../../domain/schema/fields';
import { Id, Moment as MomentField } from '../../http/fields/fields';
import { ListQuery, PageParameters } from '../../http/lists/list-query';

const count = (description: string) => Type.Integer({ description });

export const Overview = Type.Object(
  {
    checks: Type.Record(Type.String(), Type.String(), {
      description: 'The checks of `/health/ready`: each is `ok` or a word that says what is wrong.',
    }),
    projector: Type.Object(
      {
        process: nullable(Type.String({ description: 'The process that writes the read models.' })),
        projected_to: nullable(
          Type.String({
            description: 'The position in the log that the read models have reached.',
          }),
        ),
        log_end: nullable(Type.String({ description: 'The position of the newest event.' })),
      },
      { description: 'The progress of the read models.' },
    ),
    processes: Type.Array(
      Type.Object({
        id: Type.String(),
        runs: Type.Array(Type.String(), {
          description:
            'What the process runs, such as `projector`, `dispatcher` or the id of a replay.',
        }),
      }),
      { description: 'The processes that reported within the last seconds.' },
    ),
    tenants: count('How many tenants there are.'),
    tenants_suspended: count('How many of them are suspended.'),
    destinations: count('How many destinations there are, without deleted ones.'),
    destinations_failing: count('How many of them fail, or were disabled because of failures.'),
    replays_running: count('Replays that are queued or in progress.'),
    imports_running: count('Imports that are queued or in progress.'),
    rebuilds_running: count('Rebuilds that are queued or in progress.'),
    unprojected_events: count('How many events are missing in the read models.'),
    problem_tenants: Type.Array(
      Type.Object({
        tenant_id: Type.String(),
        name: Type.String(),
        destinations_failing: count('How many of its destinations fail.'),
      }),
      {
        description:
          'At most 20 tenants whose destinations fail; the tenant with the most comes first.',
      },
    ),
  },
  { title: 'Overview' },
);
export type Overview = Static<typeof Overview>;

export const UnprojectedEvent = Type.Object(
  {
    id: Type.String(),
    created_at: Moment,
    type: Type.String(),
    stream: Type.String({ description: 'The stream of the event store that has the event.' }),
    position: Type.String({ description: 'The position of the event in the log.' }),
    error: Type.String({ description: 'The SQLSTATE or the name of the error.' }),
    seen_at: Type.Unsafe<Static<typeof Moment>>({
      ...Moment,
      description: 'When writing the event to SQL last failed.',
    }),
  },
  { title: 'UnprojectedEvent' },
);
export type UnprojectedEvent = Static<typeof UnprojectedEvent>;

export class ListUnprojectedQuery extends ListQuery {}

export class ListUsageQuery extends PageParameters {
  @MomentField({ optional: true, description: 'Inclusive. Default: the beginning of this month.' })
  readonly from?: string;

  @MomentField({ optional: true, description: 'Exclusive. Default: now.' })
  readonly to?: string;

  @Id({ optional: true, description: 'Only this tenant.' })
  readonly tenant_id?: string;
}

const createUsageSchema = (environment: string) =>
  Type.Object(
    {
      subscribers: count('How many subscribers there are now, without erased ones.'),
      active_subscriptions: count('How many subscriptions are active now.'),
      events: count('Events created in the window.'),
      deliveries: count(
        'Deliveries of events of the window, as far as the delivery log has them (30 days).',
      ),
      destinations: count('How many destinations there are now.'),
    },
    { description: `The usage of the ${environment} environment.` },
  );

export const Usage = Type.Object(
  {
    tenant_id: Type.String(),
    name: Type.String(),
    from: Moment,
    to: Moment,
    live: createUsageSchema('live'),
    test: createUsageSchema('test'),
  },
  { title: 'Usage' },
);
export type Usage = Static<typeof Usage>;
