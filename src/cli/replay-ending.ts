import { formatNextCommand } from './next-command';

type Json = Record<string, unknown>;

/** Describes why a replay ended, with its numbers, and what to do next. */
export const describeEnd = (job: Json): string => {
  switch (job['status']) {
    case 'completed':
      return describeCompletion(job);
    case 'completed_with_errors':
      return describeErrors(job);
    case 'cancelled':
      return `Cancelled: ${describeSent(job)} ${RESTART_ADVICE}`;
    default:
      return describeFailure(job);
  }
};

const RESTART_ADVICE =
  'To send the others, start the replay again: it leaves out the events that were delivered.';

const describeSent = (job: Json): string => {
  const { delivered, failed, matched } = readCounts(job);
  const failures = failed === 0 ? '' : ` and ${failed} failed`;
  return `${delivered} of ${countEvents(matched)} ${delivered === 1 ? 'was' : 'were'} delivered${failures}.`;
};

const describeCompletion = (job: Json): string => {
  const { delivered, skipped, matched } = readCounts(job);
  if (matched === 0) return NOTHING_MATCHED;
  if (delivered === 0) return ALL_SKIPPED;
  const others = skipped === 0 ? '' : ` ${skipped} ${SKIPPED_TEXT}`;
  return `Completed: ${countEvents(delivered)} ${delivered === 1 ? 'was' : 'were'} delivered.${others}`;
};

const NOTHING_MATCHED =
  'Completed: no event matched. Check the window (--from, --to), --events, --subscribers and --cohorts, and the event types of the destination.';
const ALL_SKIPPED =
  'Completed: nothing was sent, because the destination has received all of these events before. To send them again, add --force.';
const SKIPPED_TEXT =
  'were left out, because the destination has received them before (--force sends all).';

const describeErrors = (job: Json): string => {
  const id = String(job['replay_id']);
  return [
    `Completed with errors: ${describeSent(job)}`,
    `  Which ones, and why:  ${formatNextCommand(`replay failures ${id}`)}`,
    `  Send them again:      ${formatNextCommand(`replay --retry-of ${id}`)}`,
  ].join('\n');
};

const describeFailure = (job: Json): string => {
  const reason = String(job['failure_reason']);
  const { why, what } = FAILURE_TEXTS[reason] ?? { why: reason, what: RESTART_ADVICE };
  return `Failed: ${why} ${describeSent(job)} ${what}`;
};

/** For each `failure_reason`: the reason why the replay failed, and what to do. */
const FAILURE_TEXTS: Readonly<Record<string, { readonly why: string; readonly what: string }>> = {
  destination_disabled: {
    why: 'the destination was disabled.',
    what: `Enable it ("destination enable"). ${RESTART_ADVICE}`,
  },
  destination_gone: {
    why: 'the destination answered 410 (Gone), which disables it.',
    what: `When it accepts webhooks again, enable it ("destination enable"). ${RESTART_ADVICE}`,
  },
  destination_deleted: {
    why: 'the destination was deleted.',
    what: `Within 30 days it can be restored ("destination restore"). ${RESTART_ADVICE}`,
  },
  internal_error: {
    why: 'the service could not continue it. The log of the service says why.',
    what: RESTART_ADVICE,
  },
};

const readCounts = (job: Json) => ({
  matched: Number(job['events_matched']),
  delivered: Number(job['events_delivered']),
  failed: Number(job['events_failed']),
  skipped: Number(job['events_skipped']),
});

const countEvents = (count: number): string => (count === 1 ? '1 event' : `${count} events`);
