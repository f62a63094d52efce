import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../config/config';
import { log } from '../ops/log';
import { startApplication } from '../wiring/start';
import { playDemo } from './scenario';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * Runs `npm run demo`: the service on empty stores, and the scenario. The exit code is 0 only if
 * everything arrived as expected.
 */
const main = async (): Promise<boolean> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'subscription-events-demo-'));
  const config = loadConfig({ PORT: '0', ...process.env, DEMO: 'true', DATA_DIR: dataDir });
  log.level = 'error';
  print('Starting the service on empty embedded stores (the first start takes some seconds) …');
  const application = await startApplication(config, (error) => {
    throw error;
  }).application;
  try {
    await application.waitUntilReady(print);
    print(`Ready at ${application.url}`);
    print('');
    const { ok } = await playDemo(application, print);
    print('');
    print(
      ok ? 'Everything arrived as expected.' : 'SOMETHING DID NOT ARRIVE AS EXPECTED: see above.',
    );
    if (ok) for (const line of NEXT_STEPS) print(line);
    return ok;
  } finally {
    await application.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const NEXT_STEPS = [
  '',
  'Next:',
  '  npm start                     the service on ./data, to stay; it prints its address',
  '  npm run cli -- quickstart     in another terminal: the first verified webhook',
];

main().then(
  (ok) => process.exit(ok ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(
      `The demo failed: ${error instanceof Error ? (error.stack ?? '') : String(error)}\n`,
    );
    process.exit(1);
  },
);
