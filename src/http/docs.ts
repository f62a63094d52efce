import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Clock } from '../kernel/time';
import { ERROR_TABLE } from './error-table';
import { buildOpenApi } from './openapi';

/** Swagger UI's own files, served from the installed package: the page works offline. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** `/openapi.json`, reference pages at `/docs` and `/docs/errors` that need nothing from the network. */
export const installDocs = (app: NestFastifyApplication): void => {
  const server = app.getHttpAdapter().getInstance();
  let document: string | undefined;
  server.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(buildOpenApi(app, app.get(Clock).now()));
    return reply.type('application/json').send(document);
  });
  server.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  server.get('/docs/errors', (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(ERRORS_PAGE),
  );
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(ASSETS)) {
    const content = readFileSync(join(folder, name));
    server.get(`/docs/${name}`, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=86400').send(content),
    );
  }
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>API reference: Subscription Event and Management Service</title>
  <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <div id="reference"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script>
    SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'list', defaultModelsExpandDepth: 0 });
  </script>
</body>
</html>
`;

const errorRows = Object.entries(ERROR_TABLE)
  .map(
    ([code, { status, type, when }]) =>
      `<tr id="${code}"><td>${status}</td><td><a href="#${code}"><code>${code}</code></a></td>` +
      `<td><code>${type}</code></td><td>${when}</td></tr>`,
  )
  .join('\n');

/** Made from the table of errors: what `doc_url` of every error points to. */
const ERRORS_PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Errors: Subscription Event and Management Service</title>
  <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  <style>
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top; }
    tr:target { background: #fff3c4; }
  </style>
</head>
<body>
  <h1>Errors</h1>
  <p>Every error has the body <code>{"error": {"type", "code", "message", "param", "details",
  "errors", "doc_url", "request_id"}}</code>; with <code>Accept: application/problem+json</code> the
  same as RFC 9457. Go by <code>code</code>: messages are for people and may change.
  <a href="/docs">API reference</a></p>
  <table>
    <thead><tr><th>Status</th><th>Code</th><th>Type</th><th>When</th></tr></thead>
    <tbody>
${errorRows}
    </tbody>
  </table>
</body>
</html>
`;
