import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { deliverableEvents } from '../../src/domain/subscriber-stream/subscriber.aggregate';
import { hasBrowser, startBrowser } from '../support/browser';
import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

const SCREENSHOTS = process.env['SCREENSHOTS'];

let service: RunningService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await RunningService.shared();
  tenant = await service.tenant();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { headers });

describe('the files of the reference', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])(
    'are compressed with %s, and answered with 304 when unchanged',
    async (encoding, decompress) => {
      const [raw, headers] = await new Promise<[Buffer, Record<string, unknown>]>((resolve) => {
        request(
          `${service.url}/openapi.json`,
          { headers: { 'accept-encoding': encoding } },
          (answer) => {
            const chunks: Buffer[] = [];
            answer.on('data', (chunk: Buffer) => chunks.push(chunk));
            answer.on('end', () => {
              resolve([Buffer.concat(chunks), answer.headers]);
            });
          },
        ).end();
      });
      expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
      expect(raw.length).toBeLessThan(120_000);
      expect(JSON.parse(decompress(raw).toString())).toMatchObject({ openapi: '3.1.0' });
      const again = await get('/openapi.json', { 'if-none-match': String(headers['etag']) });
      expect([again.status, await again.text()]).toEqual([304, '']);
    },
  );

  it('list the errors by status, and show a text while the reference loads', async () => {
    const text = await (await get('/docs/errors')).text();
    const statuses = [...text.matchAll(/<td>(\d{3})<\/td>/g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b));
    expect(await (await get('/docs')).text()).toContain('Loading the API reference');
  });

  it('run no inline script, and load nothing from other origins', async () => {
    for (const path of ['/', '/docs', '/docs/events', '/docs/errors']) {
      const page = await get(path, { accept: 'text/html' });
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
      const text = await page.text();
      expect(text).not.toMatch(
        /<script>|<script [^>]*src="(?!\/)| on\w+="|https?:\/\/[^"<]*\.(js|css)/,
      );
    }
  });

  it('answer the root path with a page for browsers and with links for programs', async () => {
    const text = await (await get('/', { accept: 'text/html,*/*' })).text();
    for (const path of ['/docs', '/docs/events', '/openapi.json', '/console']) {
      expect(text).toContain(`href="${path}"`);
    }
    expect(await (await get('/')).json()).toMatchObject({
      reference: '/docs',
      console: '/console',
    });
  });

  it('show every event type with an example in each privacy mode', async () => {
    const text = await (await get('/docs/events')).text();
    for (const type of Object.keys(deliverableEvents)) expect(text).toContain(`id="${type}"`);
    const count = Object.keys(deliverableEvents).length;
    for (const mode of ['full', 'hashed_only', 'minimal']) {
      expect(text.split(`privacy mode ${mode}</summary>`)).toHaveLength(count + 1);
    }
  });

  it('answer 405 with the allowed methods to an unusual method', async () => {
    const answer = await tenant.api.send('QUERY', '/v1/subscribers', {});
    expect(answer.refusal.slice(0, 2)).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});

const withBrowser = hasBrowser('the reference pages') ? describe : describe.skip;

withBrowser('the reference in a browser', () => {
  let browser: Browser;
  const said: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
  });

  afterAll(() => browser.close());

  const open = async (path: string, base = service.url): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on('console', (message) => said.push(`${path}: ${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`${path}: ${error.message}`));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== base)
        said.push(`${path}: asks ${request.url()}`);
    });
    await page.goto(`${base}${path}`);
    return page;
  };

  const takePicture = async (page: Page, name: string): Promise<void> => {
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
  };

  afterEach(() => {
    expect(said.splice(0)).toEqual([]);
  });

  it('show the chapters and the operations of the API', async () => {
    const page = await open('/docs');
    await page.getByRole('heading', { name: 'Quick start' }).first().waitFor();
    await takePicture(page, 'reference');
    await page.goto(`${service.url}/docs#tag/subscribers/POST/v1/subscribers`);
    await page.getByRole('heading', { name: 'Create a subscriber' }).first().waitFor();
    await takePicture(page, 'reference-operation');
  });

  it('offers the call of the SDK beside the command of an operation', async () => {
    const page = await open('/docs#tag/subscriptions/POST/v1/subscriptions');
    const heading = page.getByRole('heading', { name: 'Create a subscription' });
    const operation = page.locator('section', { has: heading }).last();
    await operation.getByRole('button', { name: 'Shell Curl' }).click();
    await page.getByRole('option', { name: 'SDK' }).click();
    await operation.getByText('service.subscriptions.create(').waitFor();
    await takePicture(page, 'reference-sdk');
    await page.close();
  });

  it('shows the address at which it was opened, as server and in the commands', async () => {
    const base = service.url.replace('127.0.0.1', 'localhost');
    const page = await open('/docs', base);
    await page.getByText(`export URL=${base}/v1`).waitFor();
    await page.getByText(base, { exact: true }).waitFor();
    expect(await page.textContent('body')).not.toContain(service.url);
    await page.close();
  });

  it('has the bar of links of the other pages, which hides no heading', async () => {
    const page = await open('/docs#description/webhooks');
    const heading = page.getByRole('heading', { name: 'Webhooks', exact: true }).first();
    await until('the chapter is shown', async () => {
      const box = await heading.boundingBox();
      return box !== null && box.y > 40 && box.y < 500;
    });
    const bar = page.getByRole('navigation', { name: 'Reference' });
    await bar.getByRole('link', { name: 'Events' }).click();
    await page.waitForURL('**/docs/events');
    await page.close();
  });

  it('opens the result of the search whose title was typed on Enter', async () => {
    const page = await open('/docs');
    await page.getByRole('heading', { name: 'Quick start' }).first().waitFor();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Enter search query' });
    await search.fill('Create a cohort');
    await page.getByRole('option', { name: 'Create a cohort' }).first().waitFor();
    await search.press('Enter');
    await page.waitForURL('**/docs#tag/cohorts/POST/v1/cohorts');
    await page.keyboard.press('Control+k');
    await search.fill('refund a payment');
    await page.getByRole('option', { name: 'Refund a payment' }).first().waitFor();
    await search.press('Enter');
    await page.waitForURL(/#tag\/payments\/POST\/.*\/refunds$/);
    await page.close();
  });

  it('breaks no word of a table, and shows the fields of a body with several forms', async () => {
    const page = await open('/docs#tag/subscriptions/GET/v1/subscriptions/{subscriptionId}');
    const status = page.getByRole('cell', { name: 'trialing', exact: true }).first();
    expect((await status.boundingBox())!.width).toBeGreaterThan(60);
    await page.goto(`${service.url}/docs#tag/destinations/POST/v1/destinations`);
    const heading = page.getByRole('heading', { name: 'Create a destination' });
    const operation = page.locator('section', { has: heading }).last();
    await operation.getByText('max_in_flight', { exact: true }).first().waitFor();
    await operation.getByText('In the TypeScript client: destinations.create').waitFor();
    await page.close();
  });

  it('does not offer to try out a webhook', async () => {
    const page = await open('/docs#tag/webhooks/webhook/POST/payment.failed');
    const heading = page.getByRole('heading', { name: 'payment.failed', exact: true });
    const webhook = page.locator('section', { has: heading }).last();
    await webhook.getByText('An attempt to collect a payment failed.').first().waitFor();
    expect(await webhook.getByRole('button', { name: 'Test Request' }).count()).toBe(0);
    await page.close();
  });

  it('fits a telephone', async () => {
    const page = await open('/docs');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByText('pm_test_soft_decline').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    const scope = page.getByRole('table').getByText('subscriptions:write', { exact: true });
    expect((await scope.boundingBox())!.height).toBeLessThan(30);
    await page.close();
  });

  it('show events, errors and the first page', async () => {
    const events = await open('/docs/events');
    await events.getByRole('heading', { name: 'payment.failed' }).waitFor();
    await takePicture(events, 'events');
    const errors = await open('/docs/errors#rate_limited');
    await errors.getByText('rate_limited').first().waitFor();
    const family = errors.getByText('invalid_request_error').first();
    expect((await family.boundingBox())!.height).toBeLessThan(30);
    const start = await open('/');
    await start.getByRole('link', { name: 'Event catalogue' }).waitFor();
    await takePicture(start, 'start');
    for (const page of [events, errors, start]) {
      await page.setViewportSize({ width: 360, height: 740 });
      expect([page.url(), await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
        page.url(),
        360,
      ]);
    }
  });
});
