import type { CohortDirectory } from '../../directories/cohort.directory';
import type { DestinationDirectory } from '../../directories/destination.directory';
import type { MotionDirectory } from '../../directories/motion.directory';
import { digestEmail } from '../../event-store/email-hash';
import type { MasterKey } from '../../event-store/master-key';
import type { Principal } from '../../http/pipeline/request-facts';
import type { ScopeName } from '../../http/pipeline/scopes';
import { DomainError } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Database } from '../../read-models/database';
import type { SearchResult } from './search.dto';

export interface Kind {
  readonly type: string;
  readonly neededScope: ScopeName;
  readonly idPattern: RegExp;
  readonly table: string;
  /** The column with the subscriber's id, or `null` if the object belongs to no subscriber. */
  readonly subscriber: string;
}

/** The kinds of objects that have rows in a table. The prefix of an id tells the kind. */
export const KINDS: readonly Kind[] = [
  ['subscriber', 'subscribers:read', /^subscriber_/, 'subscribers', 'id'],
  ['event', 'events:read', /^evt_/, 'events', 'subscriber_id'],
  ['subscription', 'subscriptions:read', /^sub_/, 'subscriptions', 'subscriber_id'],
  ['payment', 'payments:read', /^pay_/, 'payments', 'subscriber_id'],
  ['refund', 'payments:read', /^rfd_/, 'refunds', 'subscriber_id'],
  ['credit', 'credits:read', /^crd_/, 'credits', 'subscriber_id'],
  ['ticket', 'tickets:read', /^tkt_/, 'tickets', 'subscriber_id'],
  ['motion_run', 'motions:read', /^mtr_/, 'motion_runs', 'subscriber_id'],
  ['replay', 'replay:read', /^rep_/, 'replays', 'null'],
].map(
  ([type, neededScope, idPattern, table, subscriber]) =>
    ({ type, neededScope, idPattern, table, subscriber }) as Kind,
);

/** Finds objects by id or address, within the environment and the scopes of the caller. */
export class Searcher {
  constructor(
    private readonly database: Database,
    private readonly destinations: DestinationDirectory,
    private readonly cohorts: CohortDirectory,
    private readonly motions: MotionDirectory,
    private readonly masterKey: MasterKey,
  ) {}

  async find({ scope, scopes }: Principal, text: string): Promise<SearchResult[]> {
    const rows = KINDS.filter(
      ({ neededScope, idPattern }) => scopes.has(neededScope) && idPattern.test(text),
    );
    const found = await Promise.all(rows.map((kind) => this.findById(scope, kind, text)));
    const named = this.findInDirectories(scope, text).filter(({ neededScope }) =>
      scopes.has(neededScope),
    );
    return [
      ...found.flat(),
      ...named.map(({ result }) => result),
      ...(await this.findByExternalId(scope, text)),
      ...(scopes.has('pii:read') && text.includes('@') ? await this.findByEmail(scope, text) : []),
    ];
  }

  private async findById(scope: Scope, kind: Kind, id: string): Promise<SearchResult[]> {
    const rows = await this.database.query<{ id: string; subscriber_id: string | null }>({
      name: `search ${kind.type}`,
      text: `select id, ${kind.subscriber} as subscriber_id from ${kind.table}
        where scope = $1 and id = $2`,
      values: [scopeName(scope), id],
    });
    return rows.map((row) => ({ type: kind.type, title: row.id, ...row }));
  }

  /** Finds a subscriber by the id that the tenant gave it. */
  private async findByExternalId(scope: Scope, text: string): Promise<SearchResult[]> {
    const rows = await this.database.query<{ id: string; external_id: string }>({
      name: 'search external id',
      text: 'select id, external_id from subscribers where scope = $1 and external_id = $2 limit 10',
      values: [scopeName(scope), text],
    });
    return rows.map(({ id, external_id }) => ({
      type: 'subscriber',
      id,
      title: external_id,
      subscriber_id: id,
    }));
  }

  private async findByEmail(scope: Scope, text: string): Promise<SearchResult[]> {
    const rows = await this.database.query<{ id: string }>({
      name: 'search address',
      text: `select subscriber_id as id from subscriber_emails where scope = $1 and digest = $2
        order by subscriber_id limit 10`,
      values: [scopeName(scope), digestEmail(this.masterKey, scopeName(scope), text)],
    });
    return rows.map(({ id }) => ({ type: 'subscriber', id, title: text, subscriber_id: id }));
  }

  private findInDirectories(
    scope: Scope,
    id: string,
  ): { neededScope: ScopeName; result: SearchResult }[] {
    const nameOf = {
      destination: () => this.destinations.require(scope, id).id,
      cohort: () => this.cohorts.require(scope, id).name,
      motion: () => this.motions.require(scope, id).id,
    };
    return DIRECTORIES.filter(({ idPattern }) => idPattern.test(id)).flatMap(
      ({ type, neededScope }) => {
        const title = ignoreNotFound(nameOf[type]);
        return title === null
          ? []
          : [{ neededScope, result: { type, id, title, subscriber_id: null } }];
      },
    );
  }
}

const DIRECTORIES = [
  { type: 'destination', neededScope: 'destinations:read', idPattern: /^dest_/ },
  { type: 'cohort', neededScope: 'cohorts:read', idPattern: /^cohort_/ },
  { type: 'motion', neededScope: 'motions:read', idPattern: /^mot_/ },
] as const;

const ignoreNotFound = (name: () => string): string | null => {
  try {
    return name();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'resource_not_found') return null;
    throw error;
  }
};
