import fc from 'fast-check';
import { noon } from '../../../test/support/given';
import { type Dated, fold } from '../../kernel/decider';
import { Book } from './book';
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

const progressed = (book: Book): Dated<ReplayFact>[] => {
  const data = book.flush();
  if (data === null) return [];
  return [
    {
      type: 'replay.progressed',
      data: { scope: 's', id: 'rep_1', run: 'a', ...data },
      at: noon,
    },
  ];
};

/** What a runner may do next, chosen by a number. */
const step = (book: Book, choice: number, held: Set<number>): void => {
  const handedOut = [...held];
  const one = handedOut[choice % Math.max(1, handedOut.length)];
  switch (choice % 5) {
    case 0:
    case 1:
      if (book.next >= EVENTS || held.size >= WINDOW) return;
      if (book.isDone(book.next)) {
        book.scanned(book.next + 1);
        return;
      }
      if (choice % 7 === 0) book.skip(book.next);
      else {
        held.add(book.next);
        book.take(book.next);
      }
      book.scanned(book.next + 1);
      return;
    case 2:
      if (one !== undefined) book.retryLater(waiting(one));
      return;
    case 3:
      if (one !== undefined) book.deliver(one);
      break;
    default:
      if (one !== undefined) book.fail(one, failure(one));
  }
  if (one !== undefined) held.delete(one);
};

const resume = (state: Replay): { book: Book; held: Set<number> } => {
  const book = new Book(requireReplay(state));
  return { book, held: new Set(book.waitingEvents().map(({ revision }) => revision)) };
};

describe('the book of a run', () => {
  it('counts each event once, wherever the runs are cut off', () => {
    const choices = fc.array(fc.nat({ max: 999 }), { maxLength: 200 });
    fc.assert(
      fc.property(choices, fc.nat({ max: 20 }), (numbers, cutEvery) => {
        let state = replayAggregate.evolve(replayAggregate.initialState(), requested);
        let run = resume(state);
        run.book.scanned(0);
        numbers.forEach((choice, i) => {
          step(run.book, choice, run.held);
          if (choice % 3 === 0) state = fold(replayAggregate, state, progressed(run.book));
          // The process dies: what was not written is forgotten, and done again.
          if (cutEvery > 0 && i % cutEvery === cutEvery - 1) {
            run = resume(state);
            run.book.scanned(0);
          }
        });
        const { book, held } = run;
        while (book.next < EVENTS || held.size > 0) {
          if (book.next < EVENTS) {
            if (!book.isDone(book.next)) {
              held.add(book.next);
              book.take(book.next);
            }
            book.scanned(book.next + 1);
          }
          for (const revision of [...held]) {
            book.deliver(revision);
            held.delete(revision);
          }
        }
        state = fold(replayAggregate, state, progressed(book));
        const { progress, waiting: left } = requireReplay(state);
        const { events_delivered, events_failed, events_skipped, scanned_to, done } = progress;
        expect(events_delivered + events_failed + events_skipped).toBe(EVENTS);
        expect([scanned_to, done, left.size, book.unsettled]).toEqual([EVENTS, [], 0, 0]);
      }),
    );
  });

  it('has nothing to write when nothing changed', () => {
    const book = new Book(requireReplay(resumed()));
    expect(book.flush()).toBeNull();
    book.scanned(3);
    expect(book.flush()).toMatchObject({ scanned_to: 3, done: [] });
    expect(book.flush()).toBeNull();
  });

  it('goes on from the first open event, without what is done', () => {
    const { book } = resume(resumed());
    for (const revision of [10, 20, 30, 40, 50, 60]) book.take(revision);
    book.scanned(99);
    for (const revision of [10, 30, 40]) book.deliver(revision);
    book.retryLater(waiting(60));
    expect(book.flush()).toMatchObject({
      scanned_to: 20,
      open: [],
      done: [
        [30, 41],
        [60, 61],
      ],
    });
    book.deliver(50);
    expect(book.flush()).toMatchObject({ scanned_to: 20, done: [[30, 61]] });
    book.deliver(20);
    expect(book.flush()).toMatchObject({ scanned_to: 99, done: [] });
  });

  it('reads what earlier versions wrote', () => {
    const written = { scanned_to: 9, open: [2, 3, 6], events_delivered: 6 };
    const known = requireReplay(resumed());
    const book = new Book({ ...known, progress: { ...known.progress, ...written } });
    expect(book.next).toBe(2);
    const again = Array.from({ length: 10 }, (_, i) => i + 2).filter((i) => !book.isDone(i));
    expect(again).toEqual([2, 3, 6, 9, 10, 11]);
    for (const revision of [2, 3, 6]) book.take(revision);
    book.deliver(2);
    expect(book.flush()).toMatchObject({
      scanned_to: 3,
      done: [
        [4, 6],
        [7, 9],
      ],
    });
  });

  it('writes little, however much is open and however far apart', () => {
    const { book } = resume(resumed());
    for (let i = 0; i < 1_000; i += 1) book.take(1_000_000 + 300 * i);
    for (let i = 1; i < 1_000; i += 20) book.deliver(1_000_000 + 300 * i);
    expect(JSON.stringify(book.flush()).length).toBeLessThan(1_500);
  });

  it('knows what it has seen', () => {
    const { book } = resume(resumed());
    book.scanned(0);
    book.take(0);
    book.take(1);
    book.skip(2);
    book.retryLater(waiting(0));
    book.deliver(1);
    book.scanned(3);
    expect([book.seen, book.unsettled, book.waiting, book.settled]).toEqual([3, 1, 1, 1]);
    book.fail(0, failure(0));
    expect([book.seen, book.unsettled]).toEqual([3, 0]);
  });
});

const resumed = (): Replay => replayAggregate.evolve(replayAggregate.initialState(), requested);
