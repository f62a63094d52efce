import { RUNNING } from '@eventstore/db-client';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError, log, warnSeldom } from '../ops/log';
import { isUnreachable, withTimeout } from './availability';
import type { EventStoreConnection } from './connection';

const PROJECTION = '$by_category';
const CALL_TIMEOUT_MS = 10_000;
const PAUSE_MS = 500;
const WARN_EVERY_MS = 30_000;
/** A refusal may come from a server that is still starting. */
const REFUSALS_MAX = 3;

/**
 * Deliveries and directories read category streams (`$ce-…`), which EventStoreDB writes only while
 * its projection `$by_category` runs; a new server has it stopped. Without it everything would be
 * accepted and nothing delivered, so the service turns it on, or ends and says what to do.
 */
export class CategoryLinks {
  private running = false;

  constructor(private readonly connection: EventStoreConnection) {}

  isReady(): boolean {
    return this.running;
  }

  /** Ends when the projection runs. Waits for a store that is away; throws when it refuses. */
  async run(signal: AbortSignal): Promise<void> {
    const warn = warnSeldom(WARN_EVERY_MS);
    let refusals = 0;
    while (!signal.aborted) {
      try {
        this.running = await this.turnOn();
        if (this.running) return;
      } catch (error) {
        if (isUnreachable(error)) warn(describeError(error), awaited(this.connection));
        else {
          log.warn(describeError(error), `cannot see to the projection ${PROJECTION} yet`);
          refusals += 1;
        }
        if (refusals === REFUSALS_MAX) throw refused(error);
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Whether it runs; a stopped one is asked to, and looked at again. */
  private async turnOn(): Promise<boolean> {
    const { client } = this.connection;
    const status = () => withTimeout(client.getProjectionStatus(PROJECTION), CALL_TIMEOUT_MS);
    if ((await status()).projectionStatus === RUNNING) return true;
    log.info(`enabling the projection ${PROJECTION} of the event store`);
    await withTimeout(client.enableProjection(PROJECTION), CALL_TIMEOUT_MS);
    return (await status()).projectionStatus === RUNNING;
  }
}

/** What a start waits for, and what to look at where it waits in vain. */
export const awaited = ({ address }: EventStoreConnection): string =>
  `waiting for the event store at ${address} (EVENTSTORE_URL): check that it runs, that this is its ` +
  'address, and that the URL has tls=false where the server has no TLS';

const refused = (cause: unknown): Error =>
  new Error(
    `the event store at EVENTSTORE_URL does not run the projection ${PROJECTION}, and refuses to ` +
      'start it. Start the server with projections (EVENTSTORE_RUN_PROJECTIONS=System, ' +
      'EVENTSTORE_START_STANDARD_PROJECTIONS=true), or give the user in EVENTSTORE_URL the right ' +
      'to (group $admins or $ops), then start the service again',
    { cause },
  );
