import { RunningService } from '../support/service';

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => value !== null && typeof value === 'object';

/** Returns each path to a field of an example whose value is only its own name. */
const listPlaceholders = (value: unknown, path: readonly string[] = []): string[] => {
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isPlaceholder = inner === name && path.some((each) => each.startsWith('example'));
    return isPlaceholder ? [[...path, name].join('/')] : listPlaceholders(inner, [...path, name]);
  });
};

describe('the examples of the API reference', () => {
  it('show no placeholder, such as "name": "name"', async () => {
    const service = await RunningService.shared();
    const tenant = await service.tenant();
    const document = (await tenant.api.get('/openapi.json')).ok;
    expect(listPlaceholders({ example: { data: [{ name: 'name' }] } })).toEqual([
      'example/data/0/name',
    ]);
    expect(listPlaceholders(document)).toEqual([]);
  });
});
