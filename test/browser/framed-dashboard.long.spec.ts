import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { request, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { hasBrowser, startBrowser } from '../support/browser';
import { Service } from '../support/service';

const readPem = (name: string): Buffer => readFileSync(join(__dirname, '../support/tls', name));
const TLS = { cert: readPem('self-signed.pem'), key: readPem('self-signed.key') };

const withBrowser = hasBrowser('a dashboard in a frame') ? describe : describe.skip;

withBrowser('a dashboard in a frame of another site', () => {
  const servers: Server[] = [];
  let browser: Browser;
  let service: Service;
  let platform: string;
  let proxy: string;
  let link = '';

  /** Listens with TLS. Two host names of this machine are two sites. */
  const listen = async (host: string, answer: RequestListener): Promise<string> => {
    const server = createServer(TLS, answer).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `https://${host}:${(server.address() as AddressInfo).port}`;
  };

  beforeAll(async () => {
    platform = await listen('127.0.0.1', (_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<iframe src="${link}" width="1000" height="800"></iframe>`);
    });
    proxy = await listen('localhost', (incoming, response) => {
      const headers = { ...incoming.headers, 'x-forwarded-proto': 'https' };
      const { url, method } = incoming;
      const outgoing = request(new URL(url ?? '/', service.url), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(outgoing);
    });
    service = await Service.start({
      env: { CONSOLE_FRAME_ANCESTORS: platform, TRUSTED_PROXIES: '127.0.0.1' },
    });
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await service.dispose();
    for (const server of servers) server.close();
  });

  it('signs in there, and has no session outside of the frame', async () => {
    const { id } = await service.tenant();
    const path = `/operator/v1/tenants/${id}/dashboard_links`;
    const made = await service.operator.post(path, { role: 'viewer', expires_in: 600 });
    const { pathname, hash } = new URL(String(made.created['url']));
    link = `${proxy}${pathname}${hash}`;
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(platform);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.getByRole('navigation').getByRole('link', { name: 'Destinations' }).waitFor();
    expect(complaints).toEqual([]);
    const [cookie] = await context.cookies(proxy);
    expect(cookie).toMatchObject({ name: '__Host-portal', sameSite: 'None', httpOnly: true });
    const outside = await context.newPage();
    await outside.goto(`${proxy}/console/`);
    await outside.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.close();
  });
});
