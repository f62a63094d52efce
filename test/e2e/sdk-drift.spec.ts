import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const GENERATED = join(ROOT, 'packages/sdk/src/generated');

describe('the SDK', () => {
  it('is equal to the output of its generator', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
    const generate = ['-r', '@swc-node/register', 'scripts/generate-sdk.ts', folder];
    execFileSync(process.execPath, generate, { cwd: ROOT });
    for (const name of ['schema.ts', 'operations.ts', 'routes.ts']) {
      const committed = readFileSync(join(GENERATED, name), 'utf8');
      // `npm run sdk:generate` writes the files again.
      expect([name, readFileSync(join(folder, name), 'utf8') === committed]).toEqual([name, true]);
    }
  });

  it('has a method for every operation of tenants and a type for every event', async () => {
    const { ROUTES } = jest.requireActual<{ ROUTES: Record<string, Record<string, string[]>> }>(
      join(GENERATED, 'routes.ts'),
    );
    const routes = Object.values(ROUTES).flatMap((group) =>
      Object.values(group).map(([route]) => route),
    );
    expect(routes.length).toBeGreaterThan(90);
    expect(new Set(routes).size).toBe(routes.length);
    const events = readFileSync(join(GENERATED, 'schema.ts'), 'utf8');
    const { deliverableEvents } = await Promise.resolve(
      jest.requireActual<{ deliverableEvents: object }>(
        join(ROOT, 'src/domain/subscriber-stream/subscriber.aggregate.ts'),
      ),
    );
    for (const type of Object.keys(deliverableEvents)) expect(events).toContain(`'${type}':`);
  });
});
