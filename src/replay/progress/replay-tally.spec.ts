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

const progressed = (book: ReplayTally): Dated<ReplayFact>[] => {
  const data = book.takeUnwritten();
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
const step = (book: ReplayTally, choice: number, held: Set<number>): void => {
  const handedOut = [...held];
  const one = handedOut[choice % Math.max(1, handedOut.length)];
  switch (choice % 5) {
    case 0:
    case 1:
      if (book.nextRevision >= EVENTS || held.size >= WINDOW) return;
      if (book.isDone(book.nextRevision)) {
        book.markScannedTo(book.nextRevision + 1);
        return;
      }
      if (choice % 7 === 0) book.markSkipped(book.nextRevision);
      else {
        held.add(book.nextRevision);
        book.markOpen(book.nextRevision);
      }
      book.markScannedTo(book.nextRevision + 1);
      return;
    case 2:
      if (one !== undefined) book.markWaiting(waiting(one));
      return;
    case 3:
      if (one !== undefined) book.markDelivered(one);
      break;
    default:
      if (one !== undefined) book.markFailed(one, failure(one));
  }
  if (one !== undefined) held.delete(one);
};

const resume = (state: Replay): { book: ReplayTally; held: Set<number> } => {
  const book = new ReplayTally(requireReplay(state));
  return { book, held: new Set(book.listWaiting().map(({ revision }) => revision)) };
};

describe('the tally of a replay run', () => {
  it('counts each event once, however often a run is interrupted', () => {
    const choices = fc.array(fc.nat({ max: 999 }), { maxLength: 200 });
    fc.assert(
      fc.property(choices, fc.nat({ max: 20 }), (numbers, cutEvery) => {
        let state = replayAggregate.evolve(replayAggregate.initialState(), requested);
        let run = resume(state);
        run.book.markScannedTo(0);
        numbers.forEach((choice, i) => {
          step(run.book, choice, run.held);
          if (choice % 3 === 0) state = fold(replayAggregate, state, progressed(run.book));
          // The process dies. Everything that was not written is lost and done again.
          if (cutEvery > 0 && i % cutEvery === cutEvery - 1) {
            run = resume(state);
            run.book.markScannedTo(0);
          }
        });
        const { book, held } = run;
        while (book.nextRevision < EVENTS || held.size > 0) {
          if (book.nextRevision < EVENTS) {
            if (!book.isDone(book.nextRevision)) {
              held.add(book.nextRevision);
              book.markOpen(book.nextRevision);
            }
            book.markScannedTo(book.nextRevision + 1);
          }
          for (const revision of [...held]) {
            book.markDelivered(revision);
            held.delete(revision);
          }
        }
        state = fold(replayAggregate, state, progressed(book));
        const { progress, waiting: left } = requireReplay(state);
        const { events_delivered, events_failed, events_skipped, scanned_to, done } = progress;
        expect(events_delivered + events_failed + events_skipped).toBe(EVENTS);
        expect([scanned_to, done, left.size, book.unfinished]).toEqual([EVENTS, [], 0, 0]);
      }),
    );
  });

  it('has nothing to write if nothing has changed', () => {
    const book = new ReplayTally(requireReplay(resumed()));
    expect(book.takeUnwritten()).toBeNull();
    book.markScannedTo(3);
    expect(book.takeUnwritten()).toMatchObject({ scanned_to: 3, done: [] });
    expect(book.takeUnwritten()).toBeNull();
  });

  it('continues from the first open event without the finished ones', () => {
    const { book } = resume(resumed());
    for (const revision of [10, 20, 30, 40, 50, 60]) book.markOpen(revision);
    book.markScannedTo(99);
    for (const revision of [10, 30, 40]) book.markDelivered(revision);
    book.markWaiting(waiting(60));
    expect(book.takeUnwritten()).toMatchObject({
      scanned_to: 20,
      open: [],
      done: [
        [30, 41],
        [60, 61],
      ],
    });
    book.markDelivered(50);
    expect(book.takeUnwritten()).toMatchObject({ scanned_to: 20, done: [[30, 61]] });
    book.markDelivered(20);
    expect(book.takeUnwritten()).toMatchObject({ scanned_to: 99, done: [] });
  });

  it('reads progress that earlier versions wrote', () => {
    const written = { scanned_to: 9, open: [2, 3, 6], events_delivered: 6 };
    const known = requireReplay(resumed());
    const book = new ReplayTally({ ...known, progress: { ...known.progress, ...written } });
    expect(book.nextRevision).toBe(2);
    const again = Array.from({ length: 10 }, (_, i) => i + 2).filter((i) => !book.isDone(i));
    expect(again).toEqual([2, 3, 6, 9, 10, 11]);
    for (const revision of [2, 3, 6]) book.markOpen(revision);
    book.markDelivered(2);
    expect(book.takeUnwritten()).toMatchObject({
      scanned_to: 3,
      done: [
        [4, 6],
        [7, 9],
      ],
    });
  });

  it('writes little if many events far apart are open', () => {
    const { book } = resume(resumed());
    for (let i = 0; i < 1_000; i += 1) book.markOpen(1_000_000 + 300 * i);
    for (let i = 1; i < 1_000; i += 20) book.markDelivered(1_000_000 + 300 * i);
    expect(JSON.stringify(book.takeUnwritten()).length).toBeLessThan(1_500);
  });

  it('counts found, unfinished, waiting and attempted events', () => {
    const { book } = resume(resumed());
    book.markScannedTo(0);
    book.markOpen(0);
    book.markOpen(1);
    book.markSkipped(2);
    book.markWaiting(waiting(0));
    book.markDelivered(1);
    book.markScannedTo(3);
    expect([book.seen, book.unfinished, book.waiting, book.attempted]).toEqual([3, 1, 1, 1]);
    book.markFailed(0, failure(0));
    expect([book.seen, book.unfinished]).toEqual([3, 0]);
  });
});

const resumed = (): Replay => replayAggregate.evolve(replayAggregate.initialState(), requested);
