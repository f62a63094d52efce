// Builds the console into dist/: scripts, one stylesheet and one font with hashed names, each also as
// .gz and .br, and an index.html that refers to them.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { minify } from '@swc/core';
import { build, transform } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const require = createRequire(import.meta.url);

/** The most that all files of a kind may have together, gzipped. A build above it fails. */
const BUDGET_BYTES = { js: 80_000, css: 12_000 };

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, 'assets'), { recursive: true });

/** Writes a file and its compressed forms; returns its size gzipped. */
const writeCompressed = (file, content) => {
  const bytes = Buffer.from(content);
  const gzipped = gzipSync(bytes, { level: 9 });
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(join(dist, file), bytes);
  writeFileSync(join(dist, `${file}.gz`), gzipped);
  writeFileSync(join(dist, `${file}.br`), brotliCompressSync(bytes, { params: quality }));
  return gzipped.length;
};

const withHash = (name, extension, content) => {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
  return `assets/${name}-${hash}${extension}`;
};

const checkBudget = (kind, bytes) => {
  if (bytes <= BUDGET_BYTES[kind]) return;
  console.error(
    `All ${kind} has ${bytes} bytes gzipped; at most ${BUDGET_BYTES[kind]} are allowed.`,
  );
  process.exitCode = 1;
};

/** Browsers only call the API: what verifies webhooks on a server is left out of the SDK. */
const withoutWebhooks = {
  name: 'without-webhooks',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\/webhooks$/ }, ({ importer }) =>
      importer.includes('sdk') ? { path: 'webhooks', namespace: 'left-out' } : null,
    );
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'export class Webhooks {} export const headerNames = {};',
    }));
  },
};

/** Code of the SDK that the console does not need, by file, with what replaces it. */
const UNUSED_SDK_CODE = {
  // The console tells errors apart by their status, not by their class.
  'errors.ts': [['CLASSES[facts.type] ?? ServiceError', 'ServiceError']],
  // It has a session instead of a key, calls its own origin, and sets no callbacks.
  'transport.ts': [
    ["if (/[^!-~]/.test(apiKey ?? '')) throw new TypeError('apiKey is not a key');", ''],
    ['authorization: apiKey === undefined ? apiKey : `Bearer ${apiKey}`,', ''],
    ['${cleanBaseUrl(baseUrl)}', ''],
    ['this.options.onRetry?.({ ...info, reason, delayMs });', ''],
    ['this.options.onRequest?.(info);', ''],
  ],
};

const withoutUnusedSdkCode = {
  name: 'without-unused-sdk-code',
  setup: ({ onLoad }) => {
    onLoad({ filter: /sdk\/src\/(errors|transport)\.ts$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      for (const [code, replacement] of UNUSED_SDK_CODE[basename(path)]) {
        if (!contents.includes(code)) throw new Error(`${path} has no more: ${code}`);
        contents = contents.replace(code, () => replacement);
      }
      return { contents, loader: 'ts' };
    });
  },
};

/** Returns the exports of a file in TypeScript that imports nothing. */
const load = async (file) => {
  const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts', format: 'esm' });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
};

/** Of the SDK's table of operations only those stay that the console calls. */
const withoutUnusedRoutes = {
  name: 'without-unused-routes',
  setup: ({ onLoad }) => {
    onLoad({ filter: /sdk\/src\/generated\/routes\.ts$/ }, async ({ path }) => {
      const [{ ROUTES }, { OPERATIONS }] = await Promise.all([
        load(path),
        load(join(here, 'src/rights.ts')),
      ]);
      const used = Object.entries(ROUTES).flatMap(([group, routes]) => {
        const called = Object.entries(routes).filter(([name]) => `${group}.${name}` in OPERATIONS);
        return called.length === 0 ? [] : [[group, Object.fromEntries(called)]];
      });
      // The names of path parameters are only read for an error of programmers.
      const table = JSON.stringify(Object.fromEntries(used)).replace(/\{\w+\}/g, '{id}');
      return { contents: `export const ROUTES = ${table};` };
    });
  },
};

/**
 * The table of rights also names the operations of which no page asks whether the role may call
 * them, for the test that compares the table with the OpenAPI document. They are left out.
 */
const withoutUnusedRights = {
  name: 'without-unused-rights',
  setup: ({ onLoad }) => {
    onLoad({ filter: /console\/src\/rights\.ts$/ }, ({ path }) => {
      const table = readFileSync(path, 'utf8');
      const code = readdirSync(dirname(path), { recursive: true })
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => readFileSync(join(dirname(path), file), 'utf8'))
        .join('\n');
      // A used name is followed by something else than the colon of its row.
      const isUsed = (name) => new RegExp(`'${name}'[^:]`).test(code);
      const contents = table.replace(/^ +'([a-z]+(?:\.[a-zA-Z]+)+)': .*\n/gm, (row, name) =>
        isUsed(name) ? row : '',
      );
      return { contents, loader: 'ts' };
    });
  },
};

const OUTPUT = { format: 'esm', target: 'es2022', charset: 'utf8' };

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: { console: 'src/main.tsx' },
  bundle: true,
  splitting: true,
  write: false,
  outdir: dist,
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/chunk-[hash]',
  ...OUTPUT,
  conditions: ['@subscription-event-service/source'],
  jsx: 'transform',
  jsxFactory: 'h',
  jsxFragment: 'Fragment',
  inject: ['src/jsx.ts'],
  tsconfigRaw: {},
  legalComments: 'none',
  minifySyntax: true,
  external: ['*.woff2'],
  plugins: [withoutWebhooks, withoutUnusedSdkCode, withoutUnusedRoutes, withoutUnusedRights],
});

const outputsOf = (extension) => outputFiles.filter(({ path }) => path.endsWith(extension));

const font = readFileSync(
  require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
);
const fontFile = withHash('inter', '.woff2', font);
writeFileSync(join(dist, fontFile), font);

/** Each of the two tools shortens what the other one leaves; the names of swc compress better. */
const minifyScript = async (text) => {
  const first = await minify(text, { module: true, compress: { passes: 3 }, mangle: true });
  const second = await transform(first.code, { ...OUTPUT, minify: true });
  return (await minify(second.code, { module: true, compress: false, mangle: true })).code;
};

let scriptBytes = 0;
for (const { path, text } of outputsOf('.js')) {
  const code = await minifyScript(text);
  scriptBytes += writeCompressed(`assets/${basename(path)}`, code);
}
checkBudget('js', scriptBytes);

const styles = outputsOf('.css').map(({ text }) => text);
const { code: css } = await transform(
  styles.join('\n').replaceAll('inter.woff2', `/console/${fontFile}`),
  { loader: 'css', minify: true },
);
const styleFile = withHash('console', '.css', css);
checkBudget('css', writeCompressed(styleFile, css));

const entry = outputsOf('.js').find(({ path }) => basename(path).startsWith('console-'));
const { ICON_PATHS } = await load(join(here, 'src/ui/icon-paths.ts'));
const icons = Object.entries(ICON_PATHS).map(
  ([name, path]) => `<path id="icon-${name}" d="${path}" />`,
);
const page = readFileSync(join(here, 'src/index.html'), 'utf8')
  .replace('{{icons}}', icons.join(''))
  .replace('{{script}}', `/console/assets/${basename(entry.path)}`)
  .replace('{{style}}', `/console/${styleFile}`)
  .replace('{{font}}', `/console/${fontFile}`);
writeFileSync(join(dist, 'index.html'), page);
