import { type ChildProcess, fork } from 'node:child_process';
import { GROWING_WAITS } from '../../kernel/retry-policies';
import { pause } from '../../ops/polling';
import { EXIT_BAD_CONFIGURATION } from '../../config/config';
import { log } from '../../ops/log';
import { Calls } from './calls';
import type { ReadyFacts, ToChild, ToSupervisor } from './messages';
import { canAnswer, type ProcessPlan } from './plan';

/** A process that lived for at least this time is restarted at once; another one after a pause. */
const STABLE_AFTER_MS = 10_000;
const PAUSE = GROWING_WAITS.process;
/** Time limit of a stop. A process drains for at most 20 s, so one that needs longer hangs. */
const STOP_TIMEOUT_MS = 25_000;

/**
 * Thrown when a process ended with an error that a restart cannot fix. The process has logged the
 * error.
 */
export class ProcessFailed extends Error {
  override readonly name = 'ProcessFailed';

  constructor(
    process: string,
    readonly exitCode: number,
  ) {
    super(`the process "${process}" ended with code ${exitCode}; it says why above`);
  }
}

export interface ProcessGroupParts {
  /** The program of every process. Its only argument is the name of the process. */
  readonly program: string;
  readonly environmentOf: (plan: ProcessPlan) => Readonly<Record<string, string | undefined>>;
  readonly plans: readonly ProcessPlan[];
  readonly onFatal: (error: ProcessFailed) => void;
}

interface ProcessMember {
  readonly plan: ProcessPlan;
  child: ChildProcess | null;
  /** Report of the process; null until it is ready. */
  facts: ReadyFacts | null;
  wasEverReady: boolean;
  startedAtMs: number;
  /** Number of times in a row that it ended soon after its start. */
  shortRunsInARow: number;
  /** Address of its API, which must be the same after a restart. */
  port: string | null;
  /** Calls of other processes that it must answer. */
  calls: Calls;
}

/**
 * Starts the processes of a service, restarts processes that end, and stops all of them in order.
 */
export class ProcessGroup {
  private readonly members: readonly ProcessMember[];
  private readonly stopping = new AbortController();

  constructor(private readonly parts: ProcessGroupParts) {
    this.members = parts.plans.map((plan) => ({
      plan,
      child: null,
      facts: null,
      wasEverReady: false,
      startedAtMs: 0,
      shortRunsInARow: 0,
      port: null,
      calls: new Calls(),
    }));
  }

  /** Resolves when every process is ready: first the stores, which the others need. */
  async start(): Promise<void> {
    await Promise.all(this.stores.map((member) => this.startProcess(member)));
    if (this.stopping.signal.aborted) return;
    await Promise.all(this.applications.map((member) => this.startProcess(member)));
  }

  /** The reports of the processes when they became ready. */
  get facts(): readonly ReadyFacts[] {
    return this.members.flatMap(({ facts }) => facts ?? []);
  }

  /** Stops the processes that use the stores, all at once, and then the stores. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.applications.map((member) => this.stopProcess(member)));
    await Promise.all(this.stores.map((member) => this.stopProcess(member)));
  }

  private get stores(): readonly ProcessMember[] {
    return this.members.filter(({ plan }) => plan.kind !== 'application');
  }

  private get applications(): readonly ProcessMember[] {
    return this.members.filter(({ plan }) => plan.kind === 'application');
  }

  /** Resolves when the process is ready; rejects when it ends before. */
  private startProcess(member: ProcessMember): Promise<void> {
    const { program, environmentOf } = this.parts;
    const { plan, port } = member;
    const child = fork(program, [plan.name], {
      env: { ...environmentOf(plan), ...(port === null ? {} : { PORT: port }) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    member.child = child;
    member.startedAtMs = performance.now();
    return new Promise((resolve, reject) => {
      child.on('message', (message: ToSupervisor) => {
        if (message.kind !== 'ready') {
          this.forwardMessage(member, message);
          return;
        }
        this.handleReady(member, message);
        resolve();
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        reject(new ProcessFailed(plan.name, code ?? 1));
        this.handleExit(member, code, signal);
      });
    });
  }

  private handleReady(member: ProcessMember, facts: ReadyFacts): void {
    const { plan, child } = member;
    log.info({ process: plan.name, pid: child?.pid }, 'a process is ready');
    const isOutdated = facts.isNewDatabase && member.wasEverReady;
    Object.assign(member, { facts, wasEverReady: true });
    if (facts.url !== null) member.port = new URL(facts.url).port;
    this.notifyProcesses();
    // The other processes are restarted, because they have cached rows of the lost database.
    if (isOutdated) for (const each of this.applications) each.child?.kill('SIGKILL');
  }

  private handleExit(
    member: ProcessMember,
    code: number | null,
    signal: NodeJS.Signals | null,
  ): void {
    const { plan, wasEverReady, startedAtMs, calls } = member;
    Object.assign(member, { child: null, facts: null });
    calls.fail(`The process ${plan.name} has ended.`);
    this.notifyProcesses();
    if (this.stopping.signal.aborted) return;
    log.error({ process: plan.name, code, signal }, 'a process ended; it is started again');
    // The caller of the first start gets the error and decides what to do.
    if (!wasEverReady) return;
    if (code === EXIT_BAD_CONFIGURATION) {
      this.parts.onFatal(new ProcessFailed(plan.name, code));
      return;
    }
    const livedLong = performance.now() - startedAtMs > STABLE_AFTER_MS;
    member.shortRunsInARow = livedLong ? 0 : member.shortRunsInARow + 1;
    void this.restartProcess(member);
  }

  private async restartProcess(member: ProcessMember): Promise<void> {
    const { shortRunsInARow } = member;
    const pauseMs =
      shortRunsInARow === 0
        ? 0
        : Math.min(PAUSE.firstMs * 2 ** (shortRunsInARow - 1), PAUSE.longestMs);
    const { signal } = this.stopping;
    await pause(pauseMs, signal);
    // The end of the process is handled where it is watched, which causes the restart.
    if (!signal.aborted) await this.startProcess(member).catch(() => undefined);
  }

  private async stopProcess(member: ProcessMember): Promise<void> {
    const { child, plan } = member;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    sendMessage(child, { kind: 'stop' });
    const late = setTimeout(() => {
      log.warn({ process: plan.name }, 'a process did not end in time');
      child.kill('SIGKILL');
    }, STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(late);
  }

  /** Tells every process which others are ready. */
  private notifyProcesses(): void {
    const listNames = (members: readonly ProcessMember[]): string[] =>
      members.map(({ plan }) => plan.name);
    const ready = listNames(this.members.filter(({ facts }) => facts !== null));
    const missing = listNames(this.members.filter(({ facts }) => facts === null));
    for (const { child } of this.members) sendMessage(child, { kind: 'processes', ready, missing });
  }

  /** Passes a call to its process, and a response to the process that waits for it. */
  private forwardMessage(
    from: ProcessMember,
    message: Exclude<ToSupervisor, { kind: 'ready' }>,
  ): void {
    if (message.kind === 'answer') {
      from.calls.finish(message);
      return;
    }
    const { id, to, what, payload } = message;
    const answer = this.call(to, what, payload);
    answer.then(
      (found) => {
        sendMessage(from.child, { kind: 'answer', id, payload: found });
      },
      (error: unknown) => {
        sendMessage(from.child, { kind: 'answer', id, error: (error as Error).message });
      },
    );
  }

  private async call(to: string, what: string, payload: unknown): Promise<unknown> {
    const member = this.members.find(({ plan, facts }) => facts !== null && canAnswer(plan, to));
    if (member === undefined) throw new Error(`No process answers to ${to} at the moment.`);
    return member.calls.send((id) => {
      sendMessage(member.child, { kind: 'call', id, what, payload });
    });
  }
}

/** A message to a process that is ending is lost. Its end rejects the open calls. */
const sendMessage = (child: ChildProcess | null, message: ToChild): void => {
  if (child?.connected === true) child.send(message, () => undefined);
};
