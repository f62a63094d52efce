import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedSql } from '../../src/embedded-sql/start';
import { databases } from './databases';
import { Service } from './service';
import { SHARED_SERVICES_URL } from './shared-services-client';
import { sqlTemplate } from './sql-template';

/** Something that several suites of one worker use, one after the other. */
interface Shared {
  /** What a suite is told about it. */
  readonly description: object;
  stop(): Promise<void>;
}

/**
 * Answers the suites that ask for something to share. Each worker of Jest has its own, which starts
 * when a suite first asks for it and stops after all suites. Returns the function that stops all.
 */
export const startSharing = async (): Promise<() => Promise<void>> => {
  const started = new Map<string, Promise<Shared>>();
  const find = (path: string): Promise<Shared> => {
    const shared = started.get(path) ?? start(path);
    started.set(path, shared);
    return shared;
  };
  const server = createServer((request, response) => {
    // A suite asks once. On a busy machine a kept connection could be closed during the next
    // request.
    response.setHeader('connection', 'close');
    find(request.url ?? '').then(
      ({ description }) => response.end(JSON.stringify(description)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[SHARED_SERVICES_URL] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.close();
    server.closeAllConnections();
    await Promise.all([...started.values()].map(async (shared) => (await shared).stop()));
  };
};

/** Starts what a path asks for: `/<worker>/service/<database>` or `/<worker>/sql`. */
const start = (path: string): Promise<Shared> => {
  const [, , what, name] = path.split('/');
  return what === 'sql' ? startSql() : startService(name);
};

const startService = async (name: string | undefined): Promise<Shared> => {
  const database = databases.find((each) => each.name === name);
  if (database === undefined) throw new Error(`no SQL database is called ${String(name)}`);
  const service = await Service.start({ database });
  service.reportUnexpectedEnd();
  const { url, dataDir } = service;
  return { description: { url, dataDir }, stop: () => service.dispose() };
};

const startSql = async (): Promise<Shared> => {
  const dir = mkdtempSync(join(tmpdir(), 'shared-sql-'));
  cpSync(await sqlTemplate(), dir, { recursive: true });
  const sql = await startEmbeddedSql(dir);
  const stop = async (): Promise<void> => {
    await sql.close();
    rmSync(dir, { recursive: true });
  };
  return { description: { connectionString: sql.connectionString }, stop };
};
