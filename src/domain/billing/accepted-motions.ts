import { type Instant, plusDays } from '../../kernel/time';

/** The part of a motion run that billing needs. The runs themselves belong to motions. */
export interface AcceptedMotion {
  readonly motion_id: string;
  /** Null while the offer is not accepted. */
  readonly accepted_at: Instant | null;
}

/** The runs of a subscriber by id. */
export type AcceptedMotions = Readonly<Record<string, AcceptedMotion>>;

/** Returns the run that was accepted last within so many days before an instant, or null. */
export const findLastAccepted = (
  motions: AcceptedMotions,
  { days, before }: { readonly days: number; readonly before: Instant },
): AcceptedMotion | null =>
  Object.values(motions)
    .filter(({ accepted_at: at }) => at !== null && at <= before && at >= plusDays(before, -days))
    .reduce<AcceptedMotion | null>(
      (last, run) => ((run.accepted_at ?? '') > (last?.accepted_at ?? '') ? run : last),
      null,
    );
