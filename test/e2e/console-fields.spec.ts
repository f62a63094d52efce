import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningService } from '../support/service';

const CONSOLE = join(__dirname, '../../packages/console/src');

/** The names of all properties in a JSON value that describes schemas. */
const collectProperties = (value: unknown, found = new Set<string>()): Set<string> => {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, each] of Object.entries(value)) {
    if (key === 'properties') Object.keys(each as object).forEach((name) => found.add(name));
    collectProperties(each, found);
  }
  return found;
};

describe("the fields of the console's forms", () => {
  it('have the names of the API, so that what the service says about one is shown at it', async () => {
    const { url } = await RunningService.shared();
    const known = collectProperties(await (await fetch(`${url}/openapi.json`)).json());
    const names = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .flatMap((file) => [
        ...readFileSync(join(CONSOLE, file), 'utf8').matchAll(
          /<(?:Text|Select)?Field\b[^>]*?\bname="([\w.]+)"/g,
        ),
      ])
      .map(([, name = '']) => name.split('.').at(-1) ?? name);
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  }, 60_000);
});
