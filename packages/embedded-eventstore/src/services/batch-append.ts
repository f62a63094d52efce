import { randomUUID } from 'node:crypto';
import { WRITE_TIMEOUT_MS } from '../base/limits';
import {
  encodeBatchSuccess,
  readBatchChunk,
  type BatchChunk,
  type BatchOptions,
  type ProposedEvent,
} from '../protocol/append-codec';
import { encodeBatchFailure, type BatchFailure } from '../protocol/batch-errors';
import { errors } from '../protocol/rpc-error';
import { encodeUuid } from '../base/uuid';
import { appendEvents, type AppendOutcome } from '../storage/appends';
import type { Call } from '../transport/call';
import type { Handler } from '../transport/dispatcher';
import { findEventProblem, findStreamNameProblem } from './append-validation';
import { type AppendParts, createCommitFailure } from './append';

/** An append whose last chunk has not arrived yet. */
interface Unfinished {
  readonly correlation: Buffer;
  readonly options: BatchOptions;
  readonly events: ProposedEvent[];
  bytes: number;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * The service method BatchAppend: all appends of a client go through one call. Each append is
 * answered exactly once, because the official client crashes on a second response. After a
 * response, later chunks of the same append are dropped, as on a real server.
 */
export const handleBatchAppend =
  (appending: AppendParts): Handler =>
  (call) => {
    const session = new BatchSession(appending, call);
    const cancel = (): void => {
      call.fail(errors.cancelled('The server is shutting down.'));
    };
    appending.closing.addEventListener('abort', cancel);
    appending.disturbance.addCall(call);
    call.callWhenClosed(() => {
      appending.disturbance.removeCall(call);
      appending.closing.removeEventListener('abort', cancel);
      session.close();
    });
    call.receive(
      (message) => {
        session.receive(readBatchChunk(message));
      },
      () => {
        session.endInput();
      },
    );
  };

class BatchSession {
  readonly #unfinished = new Map<string, Unfinished>();
  #unanswered = 0;
  #clientDone = false;

  constructor(
    private readonly appending: AppendParts,
    private readonly call: Call,
  ) {}

  receive(chunk: BatchChunk): void {
    const append = chunk.options ? this.begin(chunk, chunk.options) : this.continue(chunk);
    if (!append) return;
    const failure = refuse(append, this.appending.appendBytesMax);
    if (failure) this.fail(chunk.correlationId, append, failure);
    else if (chunk.isFinal) this.write(chunk.correlationId, append);
    else this.wait(chunk.correlationId, append);
  }

  /** Handles the client's half-close. The call ends after the last response. */
  endInput(): void {
    this.#clientDone = true;
    this.endIfDone();
  }

  close(): void {
    for (const { expiry } of this.#unfinished.values()) clearTimeout(expiry);
    this.#unfinished.clear();
  }

  private begin(chunk: BatchChunk, options: BatchOptions): Unfinished {
    const { correlation, events } = chunk;
    this.#unanswered++;
    return {
      correlation,
      options,
      events,
      bytes: this.appending.countBytes(events),
      expiry: undefined,
    };
  }

  private continue(chunk: BatchChunk): Unfinished | undefined {
    const append = this.#unfinished.get(chunk.correlationId);
    if (!append) return undefined;
    append.events.push(...chunk.events);
    append.bytes += this.appending.countBytes(chunk.events);
    return append;
  }

  private wait(id: string, append: Unfinished): void {
    this.#unfinished.set(id, append);
    append.expiry ??= setTimeout(() => {
      this.fail(id, append, { kind: 'timeout' });
    }, computeRemainingMs(append.options));
  }

  private write(id: string, append: Unfinished): void {
    this.forget(id, append);
    const { streamName, expected } = append.options;
    appendEvents(this.appending.log, { streamName, expected, events: append.events }, (outcome) => {
      this.answer(append, outcome);
    });
  }

  private answer(append: Unfinished, outcome: AppendOutcome): void {
    const { options } = append;
    if (outcome.kind === 'failed') {
      // A failed commit affects every append of this call, so the whole call fails.
      this.call.fail(createCommitFailure(outcome.error));
      return;
    }
    const answered = answerFrame(append, outcome);
    this.appending.disturbance.disturb(this.call, {
      answer: () => {
        this.send(answered);
      },
      timeOut: () => {
        this.send(answerFrame(append, { kind: 'timed-out' }));
      },
      surplus: {
        answerAgain: () => {
          this.call.send(answered);
        },
        answerUnknown: () => {
          this.call.send(createUnknownAnswer(options));
        },
      },
    });
  }

  private fail(id: string, append: Unfinished, failure: BatchFailure): void {
    this.forget(id, append);
    this.send(encodeBatchFailure(append.correlation, append.options, failure));
  }

  private send(frame: Buffer): void {
    this.call.send(frame);
    this.#unanswered--;
    this.endIfDone();
  }

  private endIfDone(): void {
    if (this.#clientDone && this.#unanswered === 0) this.call.end();
  }

  private forget(id: string, append: Unfinished): void {
    clearTimeout(append.expiry);
    this.#unfinished.delete(id);
  }
}

type Answerable = Exclude<AppendOutcome, { kind: 'failed' }>;

const answerFrame = ({ correlation, options }: Unfinished, outcome: Answerable): Buffer => {
  switch (outcome.kind) {
    case 'done':
      return encodeBatchSuccess({ correlation, options, ...outcome });
    case 'timed-out':
      return encodeBatchFailure(correlation, options, { kind: 'timeout' });
    case 'wrong-expected-version':
    case 'stream-deleted':
      return encodeBatchFailure(correlation, options, outcome);
  }
};

/** Sends the response to an append that the client did not send. Only a fault does this. */
const createUnknownAnswer = (options: BatchOptions): Buffer =>
  encodeBatchSuccess({
    correlation: encodeUuid(randomUUID()),
    options,
    revision: 0,
    position: undefined,
  });

const computeRemainingMs = ({ deadlineMs }: BatchOptions): number =>
  deadlineMs === undefined ? WRITE_TIMEOUT_MS : Math.min(deadlineMs - Date.now(), WRITE_TIMEOUT_MS);

const refuse = (
  { options, events, bytes }: Unfinished,
  bytesMax: number,
): BatchFailure | undefined => {
  if (computeRemainingMs(options) <= 0) return { kind: 'timeout' };
  const incomplete = events.find(({ missing: missing }) => missing.length > 0);
  if (incomplete) throw errors.missingMetadata(incomplete.missing);
  const problem = findStreamNameProblem(options.streamName) ?? findFirstProblem(events);
  if (problem !== undefined) return { kind: 'bad-request', message: problem };
  return bytes > bytesMax ? { kind: 'append-too-big', bytesMax } : undefined;
};

const findFirstProblem = (events: readonly ProposedEvent[]): string | undefined => {
  for (const event of events) {
    const problem = findEventProblem(event);
    if (problem !== undefined) return problem;
  }
  return undefined;
};
