import fc from 'fast-check';
import { noon } from '../../../test/support/given';
import { type Dated, fold } from '../../kernel/decider';
import { ReplayTally } from './replay-tally';
import { type Replay, replayAggregate, requireReplay } from '../../domain/replays/replay.decider';
import type {
  FailedEvent,
  ReplayFact,
  ReplayRequest,
  WaitingEvent,
} from '../../domain/replays/replay.events';

const EVENTS = 30;
const WINDOW = 6;

const waiting = (revision: number): WaitingEvent => ({
  revision,
  event_id: `evt_${revision}`,
  event_type: 'ticket.submitted',
  subscriber_id: 'subscriber_1',
  sequence: revision,
  created_at: noon,
  attempts: 1,
  next_attempt_at: noon,
});

const failure = (revision: number): FailedEvent => ({
  event_id: `evt_${revision}`,
  event_type: 'ticket.submitted',
  created_at: noon,
  attempts: 3,
  last_status_code: 500,
  last_error: null,
  last_attempt_at: noon,
});

const requested = {
  type: 'replay.requested',
  data: { scope: 's', id: 'rep_1', events_matched: EVENTS } as ReplayRequest,
  at: noon,
} as Dated<ReplayFact>;

const progressed = (tally: ReplayTally): Dated<ReplayFact>[] => {
  const data = tally.takeUnwritten();
  if (data === null) return [];
  return [
    {
      type: 'replay.progressed',
      data: { scope: 's', id: 'rep_1', run: 'a', ...data },
      at: noon,
    },
  ];
};

/** Performs one of the actions of a runner, chosen by a number. */
const step = (tally: ReplayTally, choice: number, waitingRevisions: Set<number>): void => {
  const handedOut = [...waitingRevisions];
  const one = handedOut[choice % Math.max(1, handedOut.length)];
  switch (choice % 5) {
    case 0:
    case 1:
      if (tally.nextRevision >= EVENTS || waitingRevisions.size >= WINDOW) return;
      if (tally.isDone(tally.nextRevision)) {
        tally.markScannedTo(tally.nextRevision + 1);
        return;
      }
      if (choice % 7 === 0) tally.markSkipped(tally.nextRevision);
      else {
        waitingRevisions.add(tally.nextRevision);
        tally.markOpen(tally.nextRevision);
      }
      tally.markScannedTo(tally.nextRevision + 1);
      return;
    case 2:
      if (one !== undefined) tally.markWaiting(waiting(one));
      return;
    case 3:
      if (one !== undefined) tally.markDelivered(one);
      break;
    default:
      if (one !== undefined) tally.markFailed(one, failure(one));
  }
  if (one !== undefined) waitingRevisions.delete(one);
};

const resume = (state: Replay): { tally: ReplayTally; waitingRevisions: Set<number> } => {
  const tally = new ReplayTally(requireReplay(state));
  return { tally, waitingRevisions: new Set(tally.listWaiting().map(({ revision }) => revision)) };
};

describe('the tally of a replay run', () => {
  it('counts each event once, however often a run is interrupted', () => {
    const choices = fc.array(fc.nat({ max: 999 }), { maxLength: 200 });
    fc.assert(
      fc.property(choices, fc.nat({ max: 20 }), (numbers, cutEvery) => {
        let state = replayAggregate.evolve(replayAggregate.initialState(), requested);
        let run = resume(state);
        run.tally.markScannedTo(0);
        numbers.forEach((choice, i) => {
          step(run.tally, choice, run.waitingRevisions);
          if (choice % 3 === 0) state = fold(replayAggregate, state, progressed(run.tally));
          // The process dies. Everything that was not written is lost and done again.
          if (cutEvery > 0 && i % cutEvery === cutEvery - 1) {
            run = resume(state);
            run.tally.markScannedTo(0);
          }
        });
        const { tally, waitingRevisions } = run;
        while (tally.nextRevision < EVENTS || waitingRevisions.size > 0) {
          if (tally.nextRevision < EVENTS) {
            if (!tally.isDone(tally.nextRevision)) {
              waitingRevisions.add(tally.nextRevision);
              tally.markOpen(tally.nextRevision);
            }
            tally.markScannedTo(tally.nextRevision + 1);
          }
          for (const revision of [...waitingRevisions]) {
            tally.markDelivered(revision);
            waitingRevisions.delete(revision);
          }
        }
        state = fold(replayAggregate, state, progressed(tally));
        const { progress, waiting: left } = requireReplay(state);
        const { events_delivered, events_failed, events_skipped, scanned_to, done } = progress;
        expect(events_delivered + events_failed + events_skipped).toBe(EVENTS);
        expect([scanned_to, done, left.size, tally.unfinished]).toEqual([EVENTS, [], 0, 0]);
      }),
    );
  });

  it('has nothing to write if nothing has changed', () => {
    const tally = new ReplayTally(requireReplay(resumed()));
    expect(tally.takeUnwritten()).toBeNull();
    tally.markScannedTo(3);
    expect(tally.takeUnwritten()).toMatchObject({ scanned_to: 3, done: [] });
    expect(tally.takeUnwritten()).toBeNull();
  });

  it('continues from the first open event without the finished ones', () => {
    const { tally } = resume(resumed());
    for (const revision of [10, 20, 30, 40, 50, 60]) tally.markOpen(revision);
    tally.markScannedTo(99);
    for (const revision of [10, 30, 40]) tally.markDelivered(revision);
    tally.markWaiting(waiting(60));
    expect(tally.takeUnwritten()).toMatchObject({
      scanned_to: 20,
      open: [],
      done: [
        [30, 41],
        [60, 61],
      ],
    });
    tally.markDelivered(50);
    expect(tally.takeUnwritten()).toMatchObject({ scanned_to: 20, done: [[30, 61]] });
    tally.markDelivered(20);
    expect(tally.takeUnwritten()).toMatchObject({ scanned_to: 99, done: [] });
  });

  it('reads progress that earlier versions wrote', () => {
    const written = { scanned_to: 9, open: [2, 3, 6], events_delivered: 6 };
    const known = requireReplay(resumed());
    const tally = new ReplayTally({ ...known, progress: { ...known.progress, ...written } });
    expect(tally.nextRevision).toBe(2);
    const again = Array.from({ length: 10 }, (_, i) => i + 2).filter((i) => !tally.isDone(i));
    expect(again).toEqual([2, 3, 6, 9, 10, 11]);
    for (const revision of [2, 3, 6]) tally.markOpen(revision);
    tally.markDelivered(2);
    expect(tally.takeUnwritten()).toMatchObject({
      scanned_to: 3,
      done: [
        [4, 6],
        [7, 9],
      ],
    });
  });

  it('writes little if many events far apart are open', () => {
    const { tally } = resume(resumed());
    for (let i = 0; i < 1_000; i += 1) tally.markOpen(1_000_000 + 300 * i);
    for (let i = 1; i < 1_000; i += 20) tally.markDelivered(1_000_000 + 300 * i);
    expect(JSON.stringify(tally.takeUnwritten()).length).toBeLessThan(1_500);
  });

  it('counts found, unfinished, waiting and attempted events', () => {
    const { tally } = resume(resumed());
    tally.markScannedTo(0);
    tally.markOpen(0);
    tally.markOpen(1);
    tally.markSkipped(2);
    tally.markWaiting(waiting(0));
    tally.markDelivered(1);
    tally.markScannedTo(3);
    expect([tally.seen, tally.unfinished, tally.waiting, tally.attempted]).toEqual([3, 1, 1, 1]);
    tally.markFailed(0, failure(0));
    expect([tally.seen, tally.unfinished]).toEqual([3, 0]);
  });
});

const resumed = (): Replay => replayAggregate.evolve(replayAggregate.initialState(), requested);
