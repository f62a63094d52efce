import { resolveReference } from '../support/contract';
import { sendRaw } from '../support/raw-request';
import { RunningService } from '../support/service';
import { createObjectOwner, createObjectMakers } from '../support/object-makers';

type Json = Record<string, unknown>;

/** A cursor of the right form, with a NUL in its last value. */
const FORGED = Buffer.from(JSON.stringify([1, '2026-01-01T00:00:00Z', 'x\u0000', 'x'])).toString(
  'base64url',
);

/** PostgreSQL stores no NUL, so one in a query would be a failure of the database. */
describe('a NUL character', () => {
  let service: RunningService;
  let reads: [path: string, parameters: readonly string[]][];
  let key: string;
  let makerOf: ReturnType<typeof createObjectMakers>;

  beforeAll(async () => {
    service = await RunningService.shared();
    const owner = await createObjectOwner(service);
    ({ key } = owner.tenant);
    makerOf = createObjectMakers(owner);
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Json;
    const paths = document['paths'] as Record<string, Record<string, Json>>;
    reads = Object.entries(paths).flatMap(([path, { get }]) =>
      get === undefined || path.startsWith('/console/')
        ? []
        : [[path, queryOf(document, get)] satisfies [string, string[]]],
    );
  });

  /** Returns a line for each target that is not answered with 400. */
  const listAccepted = async (targets: readonly string[]): Promise<string[]> => {
    const found: string[] = [];
    for (const target of targets) {
      const credential = target.startsWith('/operator/') ? service.operatorToken : key;
      const { status } = await sendRaw(service.url, { method: 'GET', target, credential });
      if (status !== 400) found.push(`${target}: ${status}`);
    }
    return found;
  };

  const withIds = (path: string): string => path.replaceAll(/\{\w+\}/g, 'some_id');

  it('is refused in each id of a path', async () => {
    const targets = reads.flatMap(([path]) =>
      (path.match(/\{\w+\}/g) ?? []).map((id) => withIds(path.replace(id, 'a%00b'))),
    );
    expect(targets.length).toBeGreaterThan(30);
    expect(await listAccepted(targets)).toEqual([]);
  });

  it('is refused in each filter and cursor', async () => {
    const targets = reads.flatMap(([path, names]) =>
      names.map((name) => `${withIds(path)}?${name}=a%00b`),
    );
    expect(targets.length).toBeGreaterThan(150);
    expect(await listAccepted(targets)).toEqual([]);
  });

  it('is refused in each cursor of the right form', async () => {
    const targets: string[] = [];
    for (const [path, names] of reads) {
      const cursors = ['starting_after', 'ending_before'].filter((name) => names.includes(name));
      if (cursors.length === 0) continue;
      const known = await withKnownIds(path);
      targets.push(...cursors.map((name) => `${known}?${name}=${FORGED}`));
    }
    expect(targets.length).toBeGreaterThan(40);
    expect(await listAccepted(targets)).toEqual([]);
  });

  /** Fills a path with ids of objects that exist, because a list of an unknown object is a 404. */
  const withKnownIds = async (path: string): Promise<string> => {
    let known = path;
    for (const [whole, id = ''] of path.matchAll(/\{(\w+)\}/g)) {
      known = known.replace(whole, (await makerOf('', id)?.()) ?? id);
    }
    return known;
  };
});

const queryOf = (document: Json, operation: Json): string[] =>
  ((operation['parameters'] ?? []) as Json[])
    .map((parameter) => resolveReference(document, parameter) as { name: string; in: string })
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name);
