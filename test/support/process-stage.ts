import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Api } from './api';
import { Receiver } from './receiver';
import { Service, type TestTenant } from './service';
import { until } from './until';

const SUBSCRIBERS = 5;
const CLIENTS = 3;
const TICKETS_BEFORE = 20;
/**
 * The time limit in ms. A restarted process loads and compiles everything, which takes long on a
 * busy machine.
 */
export const WAIT_LIMIT_MS = 60_000;

export interface ReadinessAnswer {
  /** The status of the response; 0 if the API does not answer. */
  readonly status: number;
  readonly text: string;
}

/** A service of several processes with one destination, and clients that submit tickets. */
export class ProcessStage {
  private constructor(
    readonly service: Service,
    readonly tenant: TestTenant,
    readonly receiver: Receiver,
    readonly subscribers: readonly string[],
  ) {}

  static async start(processes: number): Promise<ProcessStage> {
    const service = await Service.start({ env: { PROCESSES: String(processes) } });
    const tenant = await service.tenant();
    const receiver = await Receiver.start();
    const destination = { type: 'https_webhook', url: receiver.url };
    (await tenant.api.post('/v1/destinations', destination)).expect(201);
    const subscribers = await Promise.all(
      Array.from({ length: SUBSCRIBERS }, async (_, i) => {
        const created = await tenant.api.post('/v1/subscribers', { email: `r${i}@example.com` });
        return created.created['id'] as string;
      }),
    );
    return new ProcessStage(service, tenant, receiver, subscribers);
  }

  async dispose(): Promise<void> {
    await this.service.dispose();
    await this.receiver.close();
  }

  /** Returns the ids of the service's processes by name. */
  listProcessIds(): Map<string, number> {
    return listProcesses(this.service);
  }

  async readReadiness(): Promise<ReadinessAnswer> {
    try {
      const answer = await fetch(`${this.service.url}/health/ready`);
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      return { status: 0, text: String(error) };
    }
  }

  untilReady(): Promise<true> {
    const isReady = async (): Promise<boolean> => (await this.readReadiness()).status === 200;
    return until('the service to be ready', isReady, WAIT_LIMIT_MS) as Promise<true>;
  }

  /**
   * Kills a process under load and expects everything that was accepted in the meantime to arrive.
   */
  async killAndExpectNoLoss(name: string): Promise<void> {
    let isOver = false;
    const submitting = this.submitUntil(() => isOver);
    const enough = this.listReceivedTickets().size + TICKETS_BEFORE;
    await until('some tickets', () => this.listReceivedTickets().size >= enough, WAIT_LIMIT_MS);
    const pid = this.listProcessIds().get(name);
    if (pid === undefined) throw new Error(`there is no process ${name}`);
    process.kill(pid, 'SIGKILL');
    const hasReplacement = (): boolean => (this.listProcessIds().get(name) ?? pid) !== pid;
    await until(`another ${name}`, hasReplacement, WAIT_LIMIT_MS);
    await this.untilReady();
    isOver = true;
    const accepted = await submitting;
    const haveAllArrived = (): boolean => {
      const received = this.listReceivedTickets();
      return accepted.every((id) => received.has(id));
    };
    await until('every accepted ticket at the receiver', haveAllArrived, WAIT_LIMIT_MS);
  }

  /** Returns the ids of the tickets that were accepted. */
  private async submitUntil(isOver: () => boolean): Promise<string[]> {
    const accepted: string[] = [];
    const api = new Api(() => this.service.url, this.tenant.key);
    const runClient = async (): Promise<void> => {
      while (!isOver()) {
        const subscriber_id = this.subscribers[accepted.length % SUBSCRIBERS];
        const ticket = { subscriber_id, topic: 'other', subject: 'x' };
        const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
        // Nothing is accepted while the API or a store is unavailable.
        const answer = await api.post('/v1/tickets', ticket, headers).catch(() => null);
        if (answer?.status === 201) accepted.push(answer.created['id'] as string);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, runClient));
    return accepted;
  }

  private listReceivedTickets(): Set<string> {
    return new Set(
      this.receiver.listByType('ticket.submitted').map(({ event }) => readTicketId(event)),
    );
  }
}

/**
 * Returns the ids of the processes under a service's supervisor. Each has its name as its last
 * argument.
 */
export const listProcesses = ({ pid }: Pick<Service, 'pid'>): Map<string, number> => {
  const found = new Map<string, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const name = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0').at(-2) ?? '';
      if (Number(parent) === pid && state !== 'Z') found.set(name, Number(entry));
    } catch {
      // The process ended while it was inspected.
    }
  }
  return found;
};

const readTicketId = (event: unknown): string =>
  (event as { data: { ticket: { id: string } } }).data.ticket.id;

/** True if a process has ended, including one that its parent has not reaped yet. */
export const hasEnded = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z');
  } catch {
    return true;
  }
};
