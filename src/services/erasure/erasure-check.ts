import type { MailFiles } from '../../delivery/mail/mail-files';
import type { Aggregates } from '../../event-store/aggregates';
import type { EventStoreConnection } from '../../event-store/connection';
import { followLog } from '../../event-store/catch-up';
import { readStream } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import { parseScope } from '../../kernel/scope';
import type { Database } from '../../read-models/database';

export type ErasurePlace = 'log' | 'read_models' | 'caches' | 'mails' | 'files';

export interface ErasureFinding {
  readonly place: ErasurePlace;
  /** What is there and should not be, and what to do. */
  readonly found: string;
}

/** How the types of a vault's events begin. */
const VAULT_EVENTS = 'vault.';

interface CheckParts {
  readonly aggregates: Aggregates;
  readonly connection: EventStoreConnection;
  readonly vault: Vault;
  readonly mailFiles: MailFiles;
  readonly database: Database;
}

interface Known {
  readonly scope: string;
  readonly erased: boolean;
  readonly sealed: boolean;
}

/** Searches all places for what an erasure should have removed. */
export class ErasureCheck {
  constructor(private readonly parts: CheckParts) {}

  /** Null where there is no such subscriber; undefined findings where it was not erased. */
  async check(id: string): Promise<readonly ErasureFinding[] | null | undefined> {
    const [known] = await this.parts.database.query<Known>({
      text: `select scope, erased_at is not null as erased,
          sealed is not null or sealed_email is not null or exists (select 1
            from subscriber_emails e where e.subscriber_id = subscribers.id) as sealed
        from subscribers where id = $1`,
      values: [id],
    });
    if (known === undefined) return null;
    if (!known.erased) return undefined;
    const events = await this.eventsOf(known.scope, id);
    const findings = await Promise.all([
      this.inLog(id),
      this.inReadModels(known, id),
      this.inMails(known.scope, events),
      this.inFiles(events),
    ]);
    return [...findings.flat(), ...this.inCaches(known.scope, id)];
  }

  private async eventsOf(scope: string, id: string): Promise<ReadonlySet<string>> {
    const events = new Set<string>();
    const { name } = streams.subscriber(parseScope(scope), id);
    for await (const event of readStream(this.parts.connection.client, name)) events.add(event.id);
    return events;
  }

  /** Reads $all, which shows a deleted key until a scavenge has removed it. */
  private async inLog(id: string): Promise<ErasureFinding[]> {
    const { name } = streams.vault(id);
    let keys = 0;
    const done = new AbortController();
    const options = { after: null, signal: done.signal, types: [VAULT_EVENTS] };
    for await (const { events, caughtUp } of followLog(this.parts.connection, options)) {
      keys += events.filter(({ stream }) => stream === name).length;
      if (caughtUp) done.abort();
    }
    if (keys === 0) return [];
    const found = `${keys} events of ${name} with the wrapped key: "store scavenge" removes them`;
    return [{ place: 'log', found }];
  }

  private async inReadModels({ scope, sealed }: Known, id: string): Promise<ErasureFinding[]> {
    const findings: ErasureFinding[] = [];
    const add = (found: string): void => void findings.push({ place: 'read_models', found });
    if (sealed) add('subscribers: sealed values of the record; "rebuild subscribers" removes them');
    const [pending] = await this.parts.database.query<{ since: string }>({
      text: `select erased_at::text as since from erasures
        where scope = $1 and subscriber_id = $2`,
      values: [scope, id],
    });
    if (pending !== undefined) add(`erasures: not finished since ${pending.since}`);
    return findings;
  }

  private async inMails(scope: string, events: ReadonlySet<string>): Promise<ErasureFinding[]> {
    const rows = await this.parts.database.query<{ event_id: string }>({
      text: 'select distinct event_id from test_mails where scope = $1',
      values: [scope],
    });
    return rows
      .filter(({ event_id }) => events.has(event_id))
      .map(({ event_id }) => ({ place: 'mails', found: `test_mails: a mail of ${event_id}` }));
  }

  private async inFiles(events: ReadonlySet<string>): Promise<ErasureFinding[]> {
    const names = await this.parts.mailFiles.namesOf(events);
    return names.map((name) => ({ place: 'files', found: `mail/${name}` }));
  }

  private inCaches(scope: string, id: string): ErasureFinding[] {
    const { aggregates, vault } = this.parts;
    const stream = streams.subscriber(parseScope(scope), id);
    return [
      ...(vault.remembers(id) ? (['the data key'] as const) : []),
      ...(aggregates.remembers(stream) ? (['the state of the subscriber'] as const) : []),
    ].map((what) => ({ place: 'caches', found: `${what}, in the memory of this process` }));
  }
}
