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
import { prepareSqlTemplate } from './sql-template';

/** Something that several suites of one worker use, one after the other. */
interface Shared {
  /** Carries out the request of a suite and returns the response. */
  answer(request: string | undefined): Promise<object>;
  stop(): Promise<void>;
}

/**
 * Answers the suites that ask for something to share, at `/<worker>/sql` and
 * `/<worker>/service/<database>`. Each worker of Jest has its own, which starts when a suite first
 * asks for it and stops after all suites. Returns the function that stops all.
 */
export const startSharing = async (): Promise<() => Promise<void>> => {
  const started = new Map<string, Promise<Shared>>();
  const answer = async (path: string): Promise<object> => {
    const [, worker, what, name, request] = path.split('/');
    const key = `${worker}/${what}/${name}`;
    const shared = started.get(key) ?? (what === 'sql' ? startSql() : startService(name));
    started.set(key, shared);
    return (await shared).answer(request);
  };
  const server = createServer((request, response) => {
    // A suite asks once. On a busy machine a kept connection could be closed during the next
    // request.
    response.setHeader('connection', 'close');
    answer(request.url ?? '').then(
      (told) => response.end(JSON.stringify(told)),
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

/** Executes the service with a umask that takes no permission away, so it must set all of them. */
const WITHOUT_UMASK = ['sh', '-c', 'umask 000 && exec "$@"', 'sh'];

const startService = async (name: string | undefined): Promise<Shared> => {
  const database = databases.find((each) => each.name === name);
  if (database === undefined) throw new Error(`no SQL database is called ${String(name)}`);
  const service = await Service.start({ database, wrapper: WITHOUT_UMASK });
  service.reportUnexpectedEnds();
  const answer = async (signal: string | undefined): Promise<object> => {
    if (signal === 'SIGKILL' || signal === 'SIGTERM') await service.sendSignal(signal);
    else if (!service.running) await service.run();
    const { url, dataDir, pid } = service;
    return { url, dataDir, pid };
  };
  return { answer, stop: () => service.dispose() };
};

const startSql = async (): Promise<Shared> => {
  const dir = mkdtempSync(join(tmpdir(), 'shared-sql-'));
  cpSync(await prepareSqlTemplate(), dir, { recursive: true });
  const sql = await startEmbeddedSql(dir);
  const stop = async (): Promise<void> => {
    await sql.close();
    rmSync(dir, { recursive: true });
  };
  return { answer: () => Promise.resolve({ connectionString: sql.connectionString }), stop };
};
