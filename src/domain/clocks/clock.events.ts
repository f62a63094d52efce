import { Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import { Moment, nullable } from '../schema/fields';

const clock = { id: Type.String(), scope: Type.String() };

/** The type strings and field names are a storage format: add, never rename. */
export const clockEvents = {
  'clock.created': Type.Object({
    ...clock,
    name: nullable(Type.String()),
    frozen_time: Moment,
    deletes_after: Moment,
  }),
  'clock.advance_started': Type.Object({ ...clock, target: Moment }),
  'clock.advanced': Type.Object({ ...clock, frozen_time: Moment }),
  'clock.advance_failed': Type.Object(clock),
  'clock.deleted': Type.Object(clock),
};

export type ClockFact = FactOf<typeof clockEvents>;
