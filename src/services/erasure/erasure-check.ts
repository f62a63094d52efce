import type { MailFiles } from '../../delivery/mail/mail-files';
import type { Aggregates } from '../../event-store/aggregates';
import type { EventStoreConnection } from '../../event-store/connection';
import { followLog } from '../../event-store/catch-up';
import { readStream } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import type { IdempotencyStore } from '../../http/pipeline/idempotency';
import { parseScope } from '../../kernel/scope';
import type { Database } from '../../read-models/database';

export const ERASURE_PLACES = [
  'log',
  'read_models',
  'idempotency',
  'imports',
  'deliveries',
  'mails',
  'files',
  'caches',
] as const;

export interface ErasureFinding {
  readonly place: (typeof ERASURE_PLACES)[number];
  /** A sentence about the data that should be gone, and what to do about it. */
  readonly found: string;
}

/** Prefix of the event types in the stream of a data key. */
const VAULT_EVENTS = 'vault.';

/** Encrypted text: base64 of at least 28 bytes, which are the nonce and the tag. */
const ENCRYPTED_TEXT = /^[A-Za-z0-9+/]{38,}={0,2}$/;

interface CheckParts {
  readonly aggregates: Aggregates;
  readonly connection: EventStoreConnection;
  readonly vault: Vault;
  readonly idempotency: IdempotencyStore;
  readonly mailFiles: MailFiles;
  readonly database: Database;
}

interface ErasedSubscriber {
  readonly scope: string;
  readonly external_id: string | null;
  readonly erased: boolean;
  readonly sealed: boolean;
}

/** Searches all places for data that an erasure should have removed. */
export class ErasureCheck {
  constructor(private readonly parts: CheckParts) {}

  /** Checks a subscriber. Returns null if it does not exist, and undefined if it was not erased. */
  async check(id: string): Promise<readonly ErasureFinding[] | null | undefined> {
    const [known] = await this.parts.database.query<ErasedSubscriber>({
      text: `select scope, external_id, erased_at is not null as erased,
          sealed is not null or sealed_email is not null or exists (select 1
            from subscriber_emails e where e.subscriber_id = subscribers.id) as sealed
        from subscribers where id = $1`,
      values: [id],
    });
    if (known === undefined) return null;
    if (!known.erased) return undefined;
    const events = await this.listEventIds(known.scope, id);
    const findings = await Promise.all([
      this.checkLog(id),
      this.checkReadModels(known, id),
      this.checkIdempotency(id),
      this.checkImports(known, id),
      this.checkDeliveries(known.scope, id),
      this.checkMails(known.scope, events),
      this.checkFiles(events),
    ]);
    return [...findings.flat(), ...this.checkCaches(known.scope, id)];
  }

  private async listEventIds(scope: string, id: string): Promise<ReadonlySet<string>> {
    const events = new Set<string>();
    const { name } = streams.subscriber(parseScope(scope), id);
    for await (const event of readStream(this.parts.connection.client, name)) events.add(event.id);
    return events;
  }

  /**
   * Checks the log. It reads $all, which contains a deleted key until a scavenge has removed it.
   */
  private async checkLog(id: string): Promise<ErasureFinding[]> {
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

  private async checkReadModels(
    { scope, sealed }: ErasedSubscriber,
    id: string,
  ): Promise<ErasureFinding[]> {
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

  private async checkIdempotency(id: string): Promise<ErasureFinding[]> {
    const kept = await this.parts.idempotency.listAnswersAbout(id);
    return kept.map(({ scope, key }) => ({
      place: 'idempotency',
      found: `idempotency: the answer under the key "${key}" of ${scope}; the next round of the eraser deletes it`,
    }));
  }

  /**
   * Checks the errors of imports. Their messages name fields but no values. The name of an unknown
   * field, however, comes from the uploaded file and may be personal.
   */
  private async checkImports(
    { external_id }: ErasedSubscriber,
    id: string,
  ): Promise<ErasureFinding[]> {
    const rows = await this.parts.database.query<{ import_id: string; line: number }>({
      text: `select scope as import_id, line from import_errors
        where strpos(message, $1) > 0 or strpos(param, $1) > 0 or param = $2
        order by scope, line`,
      values: [id, external_id],
    });
    return rows.map(({ import_id, line }) => ({
      place: 'imports',
      found: `import_errors: line ${line} of ${import_id} names the subscriber`,
    }));
  }

  /** Checks the stored responses of receivers and the messages of test e-mail destinations. */
  private async checkDeliveries(scope: string, id: string): Promise<ErasureFinding[]> {
    const rows = await this.parts.database.query<{ attempt_id: string; response_body: string }>({
      text: `select a.attempt_id, a.response_body from delivery_attempts a
          join deliveries d using (destination_id, event_id)
        where d.scope = $1 and d.subscriber_id = $2 and a.response_body is not null`,
      values: [scope, id],
    });
    const found: ErasureFinding[] = [];
    for (const { attempt_id, response_body } of rows) {
      const isSealed = ENCRYPTED_TEXT.test(response_body);
      if (isSealed && (await this.parts.vault.openText(id, response_body)) === null) continue;
      const state = isSealed ? 'can still be opened' : 'is not sealed';
      found.push({
        place: 'deliveries',
        found: `delivery_attempts: the answer in ${attempt_id} ${state}`,
      });
    }
    return found;
  }

  private async checkMails(scope: string, events: ReadonlySet<string>): Promise<ErasureFinding[]> {
    const rows = await this.parts.database.query<{ event_id: string }>({
      text: 'select distinct event_id from test_mails where scope = $1',
      values: [scope],
    });
    return rows
      .filter(({ event_id }) => events.has(event_id))
      .map(({ event_id }) => ({ place: 'mails', found: `test_mails: a mail of ${event_id}` }));
  }

  private async checkFiles(events: ReadonlySet<string>): Promise<ErasureFinding[]> {
    const names = await this.parts.mailFiles.findNames(events);
    return names.map((name) => ({ place: 'files', found: `mail/${name}` }));
  }

  private checkCaches(scope: string, id: string): ErasureFinding[] {
    const { aggregates, vault } = this.parts;
    const stream = streams.subscriber(parseScope(scope), id);
    return [
      ...(vault.hasCachedKey(id) ? (['the data key'] as const) : []),
      ...(aggregates.hasCached(stream) ? (['the state of the subscriber'] as const) : []),
    ].map((what) => ({ place: 'caches', found: `${what}, in the memory of this process` }));
  }
}
