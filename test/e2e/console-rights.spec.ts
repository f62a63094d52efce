import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MEMBER_RIGHTS,
  OPERATIONS,
  OPERATOR_RIGHTS,
  TENANT_PAGES,
} from '../../packages/console/src/rights';
import { MEMBER_RIGHTS as SERVICE_RIGHTS } from '../../src/http/pipeline/roles';
import { RunningService } from '../support/service';
import { type Declared, readDeclared } from '../browser/support/declared';

const CONSOLE = join(__dirname, '../../packages/console/src');

const source = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && file !== 'rights.ts')
  .map((file) => readFileSync(join(CONSOLE, file), 'utf8'))
  .join('\n');

let declared: readonly Declared[];

beforeAll(async () => {
  declared = await readDeclared(await RunningService.shared());
}, 60_000);

/** The operations that the console's source calls with the SDK. */
const findSdkCalls = (): string[] =>
  [...source.matchAll(/service\(\)\s*\.(\w+)\s*\.(\w+)\(/g)].map(
    ([, group = '', name = '']) => `${group}.${name}`,
  );

/** The operations that the console's source calls by their paths: its own and the operator's. */
const findPathCalls = (): string[] => {
  const calls = source.matchAll(
    /(callTenant|callOperator|callConsole|createPageLoader|createPagePath)(?:<[^;]*?>+)?\(\s*[`']\/([^`']*)[`'](?=([^;]{0,80}))/g,
  );
  return [...calls].map(([, caller = '', rest = '', options = '']) => {
    const root = /Tenant|Console/.test(caller) ? '/console/v1/' : '/operator/v1/';
    const path = `${root}${rest.split('?')[0] ?? ''}`.replaceAll(/\$\{[^}]*\}/g, '{}');
    const method = /method: '(\w+)'/.exec(options)?.[1] ?? 'GET';
    const found = declared.find((each) => each.path === path && each.method === method);
    return found?.id ?? `${method} ${path}`;
  });
};

describe("the console's table of rights", () => {
  it('has each operation that the console calls, and no other', () => {
    const called = new Set([...findSdkCalls(), ...findPathCalls()]);
    const withoutRights = declared.filter(({ rights }) => rights === null).map(({ id }) => id);
    const expected = [...called].filter((id) => !withoutRights.includes(id)).sort();
    expect(Object.keys(OPERATIONS).sort()).toEqual(expected);
  });

  it('names the rights that the OpenAPI document declares for each operation', () => {
    const expected = Object.fromEntries(
      declared.filter(({ id }) => id in OPERATIONS).map(({ id, rights }) => [id, rights]),
    );
    expect(OPERATIONS).toEqual(expected);
  });

  it('gives the rights of the console to the roles to which the service gives them', () => {
    const { session: _, ...rights } = SERVICE_RIGHTS;
    expect(MEMBER_RIGHTS).toEqual(rights);
  });

  it('asks before each operation that changes something', () => {
    const changing = declared.filter(({ id, method }) => id in OPERATIONS && method !== 'GET');
    const asked = new Set([...source.matchAll(/may\('([\w.]+)'\)/g)].map(([, id = '']) => id));
    const rightsAsked = new Set(
      [
        ...[...asked].map((id) => OPERATIONS[id as keyof typeof OPERATIONS]),
        ...Object.values(TENANT_PAGES).flatMap(({ needs }) => needs.map((id) => OPERATIONS[id])),
      ].map(String),
    );
    const unasked = changing.filter(({ id }) => {
      const rights = OPERATIONS[id as keyof typeof OPERATIONS];
      return rights !== 'tenant' && !rightsAsked.has(rights);
    });
    expect(unasked.map(({ id }) => id)).toEqual([]);
    expect(Object.keys(OPERATOR_RIGHTS)).toEqual(['operator:read', 'operator:write']);
  });
});
