import type { Client } from './client';
import { findGivenKey } from './credentials';
import { CallFailed, EXIT } from './failures';
import { readQuickstartTenant } from './quickstart-tenant';

type Environment = 'live' | 'test';

interface ChosenTenant {
  readonly tenant: string;
  /** The environment that is meant if the command names none. */
  readonly environment: Environment;
  /** Where the tenant was found, for people. */
  readonly origin: string;
}

/**
 * Returns the tenant that a command of the operator uses: `given` (--tenant), else the tenant of
 * API_KEY, else that of "quickstart", as for commands that use a key. Without these it is the only
 * tenant of the service. Throws if there are several.
 */
export const findTenantOrDefault = async (
  operator: Client,
  given: string | undefined,
): Promise<ChosenTenant> => {
  if (given !== undefined) return { tenant: given, environment: 'live', origin: '--tenant' };
  const tenants: string[] = [];
  for await (const { id } of operator.list(TENANTS)) tenants.push(String(id));
  const key = findGivenKey(undefined);
  if (key !== null) {
    const tenant = await findTenantOfKey(operator, tenants, key.text);
    if (tenant !== undefined)
      return { tenant, environment: readEnvironment(key.text), origin: key.origin };
    throw new CallFailed(
      `No tenant of this service has the key from ${key.origin}. Name a tenant with --tenant.`,
      EXIT.credential,
    );
  }
  const kept = readQuickstartTenant();
  if (kept !== null && tenants.includes(kept.tenant))
    return {
      tenant: kept.tenant,
      environment: readEnvironment(kept.key),
      origin: '"quickstart"',
    };
  const [only] = tenants;
  if (only !== undefined && tenants.length === 1)
    return { tenant: only, environment: 'live', origin: 'the only tenant' };
  throw new CallFailed(
    only === undefined
      ? 'There is no tenant yet. Run "quickstart" to create one.'
      : 'There are several tenants. Name one with --tenant ("tenant list" shows them).',
  );
};

/** A key is `rk_test_<short id>_<secret>` or `rk_live_…`. */
const readEnvironment = (key: string): Environment =>
  key.startsWith('rk_test_') ? 'test' : 'live';

const TENANTS = '/operator/v1/tenants';

const findTenantOfKey = async (
  operator: Client,
  tenants: readonly string[],
  text: string,
): Promise<string | undefined> => {
  const keyId = `key_${text.split('_')[2] ?? ''}`;
  for (const tenant of tenants)
    for await (const { id } of operator.list(`${TENANTS}/${tenant}/api-keys`))
      if (id === keyId) return tenant;
  return undefined;
};
