import { describeConsole } from './support/describe-console';

const SCRIPT_BYTES_MAX = 80_000;
const STYLE_BYTES_MAX = 12_000;
const FIRST_PAINT_MS_MAX = 300;
/** The best of these counts: another process may be busy during any of them. */
const TRIES = 10;

interface Loaded {
  readonly firstPaintMs: number;
  readonly scriptBytes: number;
  readonly styleBytes: number;
}

describeConsole('how fast the console opens', (running) => {
  const open = async (): Promise<Loaded> => {
    const visitor = await running().open();
    const { page } = visitor;
    await page.goto('/console/sign-in');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const loaded = await page.evaluate<Loaded>(`(() => {
      const sizeOf = (ending) =>
        performance.getEntriesByType('resource')
          .filter(({ name }) => name.endsWith(ending))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      return {
        firstPaintMs: paint.startTime,
        scriptBytes: sizeOf('.js'),
        styleBytes: sizeOf('.css'),
      };
    })()`);
    await visitor.close();
    return loaded;
  };

  it('paints within 300 ms and loads no more than its budget', async () => {
    const paints: number[] = [];
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const { firstPaintMs, scriptBytes, styleBytes } = await open();
      paints.push(firstPaintMs);
      expect(scriptBytes).toBeGreaterThan(0);
      expect(scriptBytes).toBeLessThanOrEqual(SCRIPT_BYTES_MAX);
      expect(styleBytes).toBeGreaterThan(0);
      expect(styleBytes).toBeLessThanOrEqual(STYLE_BYTES_MAX);
    }
    expect(Math.min(...paints)).toBeLessThanOrEqual(FIRST_PAINT_MS_MAX);
  });
});
