import { type Static, Type } from '@sinclair/typebox';
import { ListQuery } from '../../http/lists/list-query';
import { Line, Moment as MomentField } from '../../http/fields/fields';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import type { KnownClock } from '../../domain/clocks/clock.decider';

export class CreateClockBody {
  @MomentField({
    description: 'The first time of the clock, in the years 1970 to 8999.',
    example: '2026-01-31T00:00:00Z',
  })
  readonly frozen_time!: string;

  @Line({ optional: true, nullable: true, max: 200, example: 'A year of renewals' })
  readonly name?: string | null;
}

export class AdvanceClockBody {
  @MomentField({
    description:
      'The new time: later than the current time of the clock, by at most two billing intervals of its shortest running subscription, or by 730 days if there is none.',
  })
  readonly frozen_time!: string;
}

export class ListClocksQuery extends ListQuery {}

export const ClockResource = Type.Object(
  {
    id: Type.String(),
    name: nullable(Type.String()),
    /** The time of the clock. While the clock advances, this is the old time. */
    frozen_time: Moment,
    status: oneOf(['ready', 'advancing', 'internal_failure', 'deleted']),
    deletes_after: Moment,
    created_at: Moment,
  },
  { title: 'TestClock' },
);
export type ClockResource = Static<typeof ClockResource>;

export const viewClock = (clock: KnownClock): ClockResource => ({
  id: clock.id,
  name: clock.name,
  frozen_time: clock.frozenTime,
  status: clock.status,
  deletes_after: clock.deletesAfter,
  created_at: clock.createdAt,
});
