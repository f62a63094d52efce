import type { Browser } from 'playwright-core';
import { hasBrowser, startBrowser } from '../support/browser';
import { Service } from '../support/service';
import { TASK_PATIENCE_MS } from './support/console';

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

const describeBrowser = hasBrowser('how fast the console opens') ? describe : describe.skip;

jest.setTimeout(TASK_PATIENCE_MS);

describeBrowser('how fast the console opens', () => {
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([Service.start(), startBrowser()]);
  });

  afterAll(async () => {
    await browser.close();
    await service.dispose();
  });

  const open = async (): Promise<Loaded> => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/console/sign-in`);
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
    await context.close();
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
