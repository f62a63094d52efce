import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../config/config';
import { Clock } from '../../kernel/time';
import { chooseMediaType } from '../pipeline/accept';
import { ERROR_TABLE } from '../pipeline/error-table';
import type { RouteFacts } from '../pipeline/route-facts';
import { createEventsPage } from './event-pages';
import { EventReference } from './event-reference';
import { getListeningAddress } from '../pipeline/listening-address';
import { buildOpenApi } from './openapi';
import type { Node } from './openapi-node';
import { createPageDocument } from './page-document';
import { ICON, createPage, NAVIGATION, renderProse, STYLE } from './page';
import { readScalarScript } from './scalar';
import { StaticAnswer } from './static-answer';

const PUBLIC = { config: { audience: { kind: 'public' } } satisfies RouteFacts };
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLESHEET = 'text/css; charset=utf-8';
const JSON_TYPE = 'application/json';

/**
 * Serves `/openapi.json`, the pages below `/docs`, and the first page. The pages load nothing from
 * the network.
 */
export const installDocs = (app: NestFastifyApplication): void => {
  const server = app.getHttpAdapter().getInstance();
  const config = app.get(Config);
  const { publicUrl } = config;
  /** The port is known when the first request arrives. */
  const getLocalUrl = (): string => getListeningAddress(app, config);
  const buildDocument = (): Node => {
    const options = { now: app.get(Clock).now(), publicUrl, localUrl: getLocalUrl() };
    return buildOpenApi(app, options) as unknown as Node;
  };
  const answers: Readonly<Record<string, StaticAnswer>> = {
    '/openapi.json': new StaticAnswer(JSON_TYPE, () => JSON.stringify(buildDocument())),
    '/docs/reference.json': new StaticAnswer(JSON_TYPE, () =>
      JSON.stringify(createPageDocument(buildDocument())),
    ),
    '/docs': new StaticAnswer(HTML, () => REFERENCE_PAGE),
    '/docs/events': new StaticAnswer(HTML, () => createEventsPage(app.get(EventReference))),
    '/docs/errors': new StaticAnswer(HTML, createErrorsPage),
    '/docs/scalar.js': new StaticAnswer(SCRIPT, readScalarScript),
    '/docs/reference.js': new StaticAnswer(SCRIPT, () => createReferenceScript(getLocalUrl())),
    '/docs/pages.css': new StaticAnswer(STYLESHEET, () => STYLE),
    '/docs/reference.css': new StaticAnswer(STYLESHEET, () => REFERENCE_STYLE),
    '/docs/icon.svg': new StaticAnswer('image/svg+xml', () => ICON),
  };
  for (const [path, answer] of Object.entries(answers)) {
    server.get(path, PUBLIC, (request, reply) => answer.send(request, reply));
  }
  const start = new StaticAnswer(HTML, () => START_PAGE);
  server.get('/', PUBLIC, (request, reply) =>
    wantsPage(request) ? start.send(request, reply) : sendLinks(reply),
  );
};

const wantsPage = ({ headers }: FastifyRequest): boolean =>
  chooseMediaType(headers.accept, ['application/json', 'text/html']) === 'text/html';

const sendLinks = (reply: FastifyReply): FastifyReply =>
  reply.header('vary', 'Accept').send({
    name: 'Subscription Event and Management Service',
    version: '1.0.0',
    api: '/v1',
    openapi: '/openapi.json',
    reference: '/docs',
    events: '/docs/events',
    errors: '/docs/errors',
    console: '/console',
    health: '/health/ready',
  });

const START_PAGE = createPage(
  'Start',
  `<h1>Subscription Event and Management Service</h1>
<p>It keeps subscribers, subscriptions, payments and tickets, and delivers every event about them as a
signed webhook: never lost, and replayable for 24 months.</p>
<ul class="pages">
<li><a href="/docs">API reference</a> Every operation, with chapters for newcomers</li>
<li><a href="/docs/events">Event catalogue</a> Every event that your server can receive</li>
<li><a href="/docs/errors">Errors</a> Every error code</li>
<li><a href="/openapi.json">OpenAPI document</a> For generators and tools</li>
<li><a href="/console">Console</a> Destinations, deliveries, replays and metrics in the browser</li>
</ul>`,
);

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>API reference: Subscription Event and Management Service</title>
  <meta name="color-scheme" content="light dark">
  <link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
  <link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
  ${NAVIGATION}
  <div id="app"></div>
  <p id="loading" role="status">Loading the API reference …</p>
  <noscript><p>The API reference needs JavaScript. The other pages work without it.</p></noscript>
  <script src="/docs/reference.js"></script>
  <script src="/docs/scalar.js"></script>
</body>
</html>
`;

/**
 * The style of the reference page around the library: the bar of links, for which the library leaves
 * room, and the text while it loads. The library's own colours follow the reader's choice.
 */
const REFERENCE_STYLE = `
:root { color-scheme: light dark; --scalar-custom-header-height: 3rem; }
body { margin: 0; font: 15px/1.6 ui-sans-serif, system-ui, sans-serif; }
body > nav { position: sticky; top: 0; z-index: 20; box-sizing: border-box; height: 3rem; display: flex; align-items: center; gap: 1.4rem; padding: 0 1.4rem; overflow-x: auto; white-space: nowrap; background: var(--scalar-background-1, Canvas); border-bottom: 1px solid var(--scalar-border-color, light-dark(#e6e6ea, #2a2a33)); }
body > nav a { color: var(--scalar-color-2, light-dark(#55555f, #b6b6c2)); font-weight: 550; text-decoration: none; }
body > nav a:hover { text-decoration: underline; text-underline-offset: 2px; }
#loading, noscript { display: block; margin: 0; padding: 2rem 1.4rem; }
@media (max-width: 700px) { body > nav { gap: 1rem; padding: 0 1rem; font-size: .92em; } }
`;

/**
 * Builds the script of the reference page, in its own file because the policy of the page runs no
 * inline script. The commands of the chapters call the local address, unless a public one is
 * configured; the page shows the address at which its reader opened it instead.
 */
const createReferenceScript = (localUrl: string): string =>
  `// The library tells the console its version; pages of this service are silent.
const info = console.info;
console.info = (...parts) => String(parts[0]).startsWith('@scalar/') || info(...parts);

const settings = ${JSON.stringify(SETTINGS, null, 2)};

const readDocument = async () => {
  const { info, servers, ...others } = await (await fetch('/docs/reference.json')).json();
  const description = info.description.replaceAll(${JSON.stringify(localUrl)}, location.origin);
  // The library would add a path to the server "/" with two slashes.
  const toOrigin = (server) => (server.url === '/' ? { ...server, url: location.origin } : server);
  return { ...others, info: { ...info, description }, servers: servers.map(toOrigin) };
};

addEventListener('DOMContentLoaded', async () => {
  // If the document cannot be read here, the library tries it and shows the error.
  const source = await readDocument().then((content) => ({ content }), () => ({ url: '/openapi.json' }));
  Scalar.createApiReference('#app', { ...source, ...settings });
  document.getElementById('loading').remove();
});

// In its search, the library opens a result only after an arrow key. Enter opens the first one that
// begins with the words of the reader, or else the first one.
addEventListener('keydown', ({ key, target }) => {
  const isSearch = target instanceof Element && target.getAttribute('role') === 'combobox';
  if (key !== 'Enter' || !isSearch || target.hasAttribute('aria-activedescendant')) return;
  const words = target.value.trim().toLowerCase();
  const found = [...document.querySelectorAll('[role=dialog] [role=option]')];
  // The text of a result begins with its kind, such as "Operation: ".
  const title = ({ textContent }) => textContent.replace(/^\\s*\\w+:\\s*/, '').toLowerCase();
  const begins = (result) => title(result).startsWith(words);
  (found.find(begins) ?? found[0])?.click();
}, true);
`;

/**
 * The style of texts. The columns of a table are as wide as their longest word, so that no word is
 * broken; on a narrow screen, the cells of a row are below each other. A long line of code is
 * broken instead of cut. A webhook cannot be tried out: the service sends it, not the reader.
 */
const TEXT_STYLE = `
.markdown pre code { white-space: pre-wrap; overflow-wrap: anywhere; }
[id*='/webhook/'] .show-api-client-button { display: none; }
body .scalar-app .markdown table { table-layout: auto; }
body .scalar-app .markdown :is(th, td) { word-break: normal; padding-inline: .4em; }
@media (max-width: 700px) {
  body .scalar-app .markdown :is(table, tbody, tr, td) { display: block; border: 0; }
  body .scalar-app .markdown thead { display: none; }
  body .scalar-app .markdown td { padding: .1rem 0; }
  body .scalar-app .markdown tr { padding: .4rem 0; border-bottom: 1px solid var(--scalar-border-color); }
}
`;

/** The settings of the library that shows the reference. */
const SETTINGS = {
  layout: 'modern',
  theme: 'default',
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  hideModels: true,
  orderSchemaPropertiesBy: 'preserve',
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenFirstTag: false,
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  customCss: TEXT_STYLE,
};

/** Builds the page that `doc_url` of every error links to, from the table of errors. */
const createErrorsPage = (): string => {
  const sorted = Object.entries(ERROR_TABLE).sort(
    ([codeA, a], [codeB, b]) => a.status - b.status || codeA.localeCompare(codeB),
  );
  const rows = sorted.map(
    ([code, { status, type, when }]) =>
      `<tr id="${code}"><td>${status}</td><td><a href="#${code}"><code>${code}</code></a></td>` +
      `<td><code>${type}</code></td><td>${renderProse(when)}</td></tr>`,
  );
  return createPage(
    'Errors',
    `<h1>Errors</h1>
<p>Every error has the body <code>{"error": {"type", "code", "message", "param", "details", "errors",
"doc_url", "request_id"}}</code>; with <code>Accept: application/problem+json</code> the same as RFC
9457. Decide by <code>code</code>: messages are for people and may change.</p>
<table>
<thead><tr><th>Status</th><th>Code</th><th>Type</th><th>When</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`,
  );
};
