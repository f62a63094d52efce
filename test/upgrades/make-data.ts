// Makes the kept data of a version: `node -r @swc-node/register test/upgrades/make-data.ts 1.0.0 [DIR]`,
// where DIR is a checkout of that version that has been built. Run it once for each release. It needs
// TEST_DATABASE_URL and pg_dump: the read models of the version are kept as a dump.
import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { finishBackup } from '../../src/config/backup-files';
import { databases } from '../support/databases';
import { listEmptyLists, readEverything } from '../support/everything';
import { Receiver } from '../support/receiver';
import { Service } from '../support/service';
import { makeHistory } from '../support/tenant-history';

const NAMES = ['eventstore/data.mdb', 'master-key', 'operator-token'];

const make = async (version: string, build: string | undefined): Promise<void> => {
  const to = join(__dirname, 'versions', version);
  const postgres = databases.find(({ name }) => name === 'postgres');
  if (postgres === undefined) throw new Error('Set TEST_DATABASE_URL.');
  const { env: databaseEnv, drop } = await postgres.create();
  const receiver = await Receiver.start();
  const service = await Service.start({
    database: { name: 'postgres', create: () => Promise.resolve({ env: databaseEnv, drop }) },
    env: { RATE_LIMIT_METRICS: '1000' },
    ...(build === undefined ? {} : { build }),
  });
  try {
    const tenant = await service.tenant();
    await makeHistory(tenant, service, receiver);
    const everything = await readEverything(service, tenant);
    const empty = listEmptyLists(everything);
    if (empty.length > 0) throw new Error(`The history has nothing in ${empty.join(', ')}.`);
    await service.stop();
    rmSync(to, { recursive: true, force: true });
    mkdirSync(join(to, 'eventstore'), { recursive: true });
    for (const name of NAMES) cpSync(join(service.dataDir, name), join(to, name));
    await finishBackup(to, NAMES, { version, created_at: new Date().toISOString() });
    // Most of the file is empty pages.
    writeFileSync(join(to, 'data.mdb.gz'), gzipSync(readFileSync(join(to, 'eventstore/data.mdb'))));
    rmSync(join(to, 'eventstore'), { recursive: true });
    writeFileSync(
      join(to, 'read-models.sql.gz'),
      gzipSync(dump(databaseEnv['DATABASE_URL'] ?? '')),
    );
    const expected = { tenant: { id: tenant.id, key: tenant.key }, everything };
    writeFileSync(join(to, 'expected.json.gz'), gzipSync(JSON.stringify(expected)));
  } finally {
    await service.dispose();
    await receiver.close();
  }
};

/** Returns the statements that create all tables of a database with their rows. */
const dump = (url: string): string =>
  execFileSync('pg_dump', ['--no-owner', '--no-acl', '--inserts', url], { maxBuffer: 2 ** 28 })
    .toString()
    // These lines are for psql only.
    .replaceAll(/^\\(?:un)?restrict .*\n/gm, '');

const [, , version, build] = process.argv;
if (version === undefined) throw new Error('Name the version.');
make(version, build).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
