import type { ApiKeyDirectory } from '../../directories/api-key.directory';
import type { DestinationDirectory } from '../../directories/destination.directory';
import type { TenantDirectory } from '../../directories/tenant.directory';
import { readUrl } from '../../domain/destinations/destination-kinds';
import { digestEmail } from '../../event-store/email-hash';
import type { MasterKey } from '../../event-store/master-key';
import { parseScope, scopeName, ENVIRONMENTS } from '../../kernel/scope';
import type { Database } from '../../read-models/database';
import type { TenantSearchResults } from './search.dto';
import { type Kind, KINDS } from './searcher';

type Found = TenantSearchResults['data'][number];

const RESULTS_MAX = 100;
const NAME_CHARS_MIN = 2;
/** Matches the part of an API key that precedes its secret. */
const KEY_PATTERN = /^rk_(live|test)_[0-9A-Za-z]{8}/;

/** Finds objects by id, name or address over all tenants. */
export class OperatorSearcher {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDirectory,
    private readonly keys: ApiKeyDirectory,
    private readonly destinations: DestinationDirectory,
    private readonly masterKey: MasterKey,
  ) {}

  async find(text: string): Promise<Found[]> {
    const scopes = this.listScopes();
    const kinds = KINDS.filter(({ idPattern }) => idPattern.test(text));
    const found = await Promise.all([
      ...kinds.map((kind) => this.findById(kind, scopes, text)),
      this.findByExternalId(scopes, text),
      text.includes('@') ? this.findByEmail(scopes, text) : [],
    ]);
    return [...this.listTenants(text), ...this.findInDirectories(text), ...found.flat()].slice(
      0,
      RESULTS_MAX,
    );
  }

  private listScopes(): string[] {
    return this.tenants
      .listUndeleted()
      .flatMap(({ id: tenantId }) =>
        ENVIRONMENTS.map((environment) => scopeName({ tenantId, environment })),
      );
  }

  private listTenants(text: string): Found[] {
    const part = text.toLowerCase();
    return this.tenants
      .listUndeleted()
      .filter(
        ({ id, name }) =>
          id === text || (part.length >= NAME_CHARS_MIN && name.toLowerCase().includes(part)),
      )
      .map(({ id, name }) => ({
        ...{ tenant_id: id, environment: null },
        ...{ type: 'tenant', id, title: name, subscriber_id: null },
      }));
  }

  private findInDirectories(text: string): Found[] {
    const destinations = this.destinations
      .listEverywhere()
      .filter(({ id }) => id === text)
      .map(({ id, scope, target }) => ({
        ...{ tenant_id: scope.tenantId, environment: scope.environment },
        ...{ type: 'destination', id, title: readUrl(target) ?? id, subscriber_id: null },
      }));
    const keys = this.keys
      .listStates()
      .filter((key) => key.status === 'known')
      .filter(({ id }) => id === text || KEY_PATTERN.exec(text)?.[0].endsWith(id) === true)
      .map(({ id, tenantId, environment, name }) => ({
        ...{ tenant_id: tenantId, environment },
        ...{ type: 'api_key', id, title: name, subscriber_id: null },
      }));
    return [...destinations, ...keys];
  }

  private async findById(kind: Kind, scopes: readonly string[], id: string): Promise<Found[]> {
    const rows = await this.database.query<FoundRow>({
      name: `operator search ${kind.type}`,
      text: `select scope, id, ${kind.subscriber} as subscriber_id from ${kind.table}
        where scope = any($1) and id = $2`,
      values: [scopes, id],
    });
    return rows.map((row) => toResult(kind.type, row, row.id));
  }

  private async findByExternalId(scopes: readonly string[], text: string): Promise<Found[]> {
    const rows = await this.database.query<FoundRow>({
      name: 'operator search external id',
      text: `select scope, id, id as subscriber_id from subscribers
        where scope = any($1) and external_id = $2 order by scope, id limit ${RESULTS_MAX}`,
      values: [scopes, text],
    });
    return rows.map((row) => toResult('subscriber', row, text));
  }

  private async findByEmail(scopes: readonly string[], text: string): Promise<Found[]> {
    const digests = scopes.map((scope) => digestEmail(this.masterKey, scope, text));
    const rows = await this.database.query<FoundRow>({
      name: 'operator search address',
      text: `select e.scope, e.subscriber_id as id, e.subscriber_id
        from unnest($1::text[], $2::text[]) as wanted(scope, digest)
          join subscriber_emails e on e.scope = wanted.scope and e.digest = wanted.digest
        order by e.scope, e.subscriber_id limit ${RESULTS_MAX}`,
      values: [scopes, digests],
    });
    return rows.map((row) => toResult('subscriber', row, row.id));
  }
}

interface FoundRow {
  readonly scope: string;
  readonly id: string;
  readonly subscriber_id: string | null;
}

const toResult = (type: string, { scope, id, subscriber_id }: FoundRow, title: string): Found => {
  const { tenantId, environment } = parseScope(scope);
  return { tenant_id: tenantId, environment, type, id, title, subscriber_id };
};
