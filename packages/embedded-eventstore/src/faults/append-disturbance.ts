import { errors } from '../protocol/rpc-error';
import type { Call } from '../transport/call';
import type { Faults } from './faults';

/** The time in ms by which the fault `late-answer` delays a response. */
const LATE_ANSWER_MS = 3_000;

/**
 * The time in ms that a client has to notice that its other stream broke, before this stream's
 * answer arrives.
 */
const BROKEN_STREAM_HEAD_START_MS = 20;

const APPEND_FAULTS = [
  'drop-connection',
  'timeout-after-commit',
  'append-unanswered',
  'late-answer',
  'leader-change',
] as const;

const BATCH_FAULTS = ['double-answer', 'unknown-answer'] as const;

/** The ways to answer one append whose outcome is known. */
interface Answers {
  readonly answer: () => void;
  readonly timeOut: () => void;
  /**
   * Sends responses that no client expects. Undefined for calls that can send only one response.
   */
  readonly surplus?: SurplusAnswers;
}

interface SurplusAnswers {
  readonly answerAgain: () => void;
  /** Sends the response to an append that the client did not send. */
  readonly answerUnknown: () => void;
}

interface DisturbanceOptions {
  readonly faults: Faults;
  readonly breakConnections: () => void;
  /**
   * Ends the calls that end when another node becomes leader, and returns the address of the new
   * leader.
   */
  readonly changeLeader: () => { readonly host: string; readonly port: number };
}

/** Runs between the commit of an append and its response, so that a fault can strike there. */
export class AppendDisturbance {
  readonly #batchCalls = new Set<Call>();

  constructor(private readonly options: DisturbanceOptions) {}

  /** Notes that a batch append call began. */
  addCall(call: Call): void {
    this.#batchCalls.add(call);
  }

  removeCall(call: Call): void {
    this.#batchCalls.delete(call);
  }

  /** Answers an append, unless a fault strikes. */
  disturb(call: Call, answers: Answers): void {
    const { faults, breakConnections, changeLeader } = this.options;
    switch (faults.findFirstStriking(APPEND_FAULTS)) {
      case 'drop-connection':
        breakConnections();
        return;
      case 'timeout-after-commit':
        answers.timeOut();
        return;
      case 'append-unanswered':
        return;
      case 'late-answer':
        setTimeout(answers.answer, LATE_ANSWER_MS).unref();
        return;
      case 'leader-change': {
        const { host, port } = changeLeader();
        call.fail(errors.notLeader(host, port));
        return;
      }
      case undefined:
        if (answers.surplus) this.disturbBatch(call, answers.answer, answers.surplus);
        else answers.answer();
    }
  }

  private disturbBatch(call: Call, answer: () => void, surplus: SurplusAnswers): void {
    const other = this.strikesOtherStream(call);
    if (other) {
      other.fail(errors.unavailable('The append stream was broken by a fault.'));
      setTimeout(answer, BROKEN_STREAM_HEAD_START_MS).unref();
      return;
    }
    const fault = this.options.faults.findFirstStriking(BATCH_FAULTS);
    if (fault === 'unknown-answer') surplus.answerUnknown();
    answer();
    if (fault === 'double-answer') surplus.answerAgain();
  }

  /** This fault can strike only while another stream is open. */
  private strikesOtherStream(call: Call): Call | undefined {
    const other = [...this.#batchCalls].find((open) => open !== call && !open.closed);
    return other && this.options.faults.strikes('break-other-append-stream') ? other : undefined;
  }
}
