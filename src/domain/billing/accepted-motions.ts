import { type Instant, plusDays } from '../../kernel/time';

/** What billing needs to know about a run of a motion; the runs themselves belong to motions. */
export interface AcceptedMotion {
  readonly motion_id: string;
  /** Null while the offer is not accepted. */
  readonly accepted_at: Instant | null;
}

/** The runs of a subscriber by their ids. */
export type AcceptedMotions = Readonly<Record<string, AcceptedMotion>>;

/** The run whose offer was accepted last within the days before an instant; null when there is none. */
export const lastAccepted = (
  motions: AcceptedMotions,
  { days, before }: { readonly days: number; readonly before: Instant },
): AcceptedMotion | null =>
  Object.values(motions)
    .filter(({ accepted_at: at }) => at !== null && at <= before && at >= plusDays(before, -days))
    .reduce<AcceptedMotion | null>(
      (last, run) => ((run.accepted_at ?? '') > (last?.accepted_at ?? '') ? run : last),
      null,
    );
