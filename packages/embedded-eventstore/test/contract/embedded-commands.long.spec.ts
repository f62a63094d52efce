import {
  NO_STREAM,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
  START,
  StreamDeletedError,
  StreamNotFoundError,
} from '@eventstore/db-client';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readAll,
  consume,
  createNumbered,
  createNumberedUpTo,
  createUniqueName,
} from '../support/store-contract';
import { createStoreStarter, storeCommand } from '../support/store-server';

/** Commands on a directory that no server uses. */
/** This offset is in the used part of a file with some hundred events. */
const TRUNCATED_BYTES = 65_536;

describe('the commands of the event store', () => {
  const { start, connect } = createStoreStarter();

  describe('verify', () => {
    it('reports a valid store', async () => {
      const server = await start();
      const client = connect(server.connectionString);
      await client.appendToStream('a-1', createNumberedUpTo(50));
      await client.createPersistentSubscriptionToStream(
        'a-1',
        'g',
        settings({ startFrom: START, checkPointLowerBound: 1, checkPointUpperBound: 1 }),
      );
      await consume(client.subscribeToPersistentSubscriptionToStream('a-1', 'g'), 20);
      await client.deleteStream('a-1');
      await client.tombstoneStream('b-1');
      await server.stop();
      const { code, output } = await storeCommand('verify', '--dir', server.dir);
      expect(output).toContain('sound');
      expect(code).toBe(0);
    });

    it('reports a changed byte', async () => {
      const server = await start();
      const marker = createUniqueName('marker');
      await connect(server.connectionString).appendToStream('a-1', {
        ...createNumbered(0),
        type: marker,
      });
      await server.stop();
      overwrite(join(server.dir, 'data.mdb'), marker, `${marker.slice(0, -1)}#`);
      const { code, output } = await storeCommand('verify', '--dir', server.dir);
      expect(output).toMatch(/the record at \d+ is damaged/);
      expect(code).toBe(1);
    });

    it.each([
      [
        'truncated',
        (file: string) => {
          // The last megabytes of the file are an unused reserve.
          truncateSync(file, TRUNCATED_BYTES);
        },
      ],
      [
        'overwritten',
        (file: string) => {
          writeFileSync(file, Buffer.alloc(statSync(file).size));
        },
      ],
    ])('reports a damaged file after it was %s', async (_, damage) => {
      const server = await start();
      const client = connect(server.connectionString);
      await client.appendToStream('a-1', createNumberedUpTo(500));
      await server.stop();
      damage(join(server.dir, 'data.mdb'));
      const { code, output } = await storeCommand('verify', '--dir', server.dir);
      expect(output).not.toBe('');
      expect(code).toBe(1);
    });

    it('reports that there is no store', async () => {
      const { code, output } = await storeCommand('verify', '--dir', '/nonexistent');
      expect(code).not.toBe(0);
      expect(output).toContain('no event store');
    });
  });

  it('exports no damaged record, and fails if there is no store', async () => {
    const [source, target] = await Promise.all([start(), start({ projections: false })]);
    const marker = createUniqueName('marker');
    const damaged = { ...createNumbered(0), type: marker };
    await connect(source.connectionString).appendToStream('a-1', damaged);
    await source.stop();
    overwrite(join(source.dir, 'data.mdb'), marker, `${marker.slice(0, -1)}#`);
    const exported = (dir: string) =>
      storeCommand('export', '--dir', dir, '--to', target.connectionString);
    expect(await exported(source.dir)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/The record at \d+ is damaged/) as string,
    });
    const to = connect(target.connectionString);
    await expect(readAll(to.readStream('a-1'))).rejects.toBeInstanceOf(StreamNotFoundError);
    expect(await exported(tmpdir())).toMatchObject({
      code: 1,
      output: expect.stringContaining('no event store') as string,
    });
    expect(existsSync(join(tmpdir(), 'data.mdb'))).toBe(false);
  });

  it.each([
    ['a wrong parameter', '127.0.0.1:1?tls=maybe', 'true or false'],
    ['an unknown parameter', '127.0.0.1:1?colour=blue&tls=maybe', 'colour'],
    ['a wrong port', '127.0.0.1:port', 'port number'],
    ['a certificate that does not exist', '127.0.0.1:1?tlsCAFile=/none', '--to'],
    ['an escape sequence that is none', '127.0.0.1:1?connectionName=%ZZ', '%25'],
  ])('does not show the password of an export’s target with %s', async (_, rest, said) => {
    const source = await start();
    await source.stop();
    for (const password of ['s3cret', 's3/cret', 's3@cret']) {
      const to = `esdb://ada:${password}@${rest}`;
      const { code, output } = await storeCommand('export', '--dir', source.dir, '--to', to);
      expect([code, output]).toEqual([1, expect.stringContaining(said)]);
      expect(output).not.toMatch(/s3|cret/);
    }
  });

  it('exports everything into another store, and later only the new events', async () => {
    const [source, target] = await Promise.all([start(), start({ projections: false })]);
    const from = connect(source.connectionString);
    const events = createNumberedUpTo(700);
    await from.appendToStream('x-1', events, { expectedRevision: NO_STREAM });
    for (let i = 0; i < 20; i += 1) await from.appendToStream(`y-${i % 3}`, createNumbered(i));
    await from.setStreamMetadata('y-0', { maxCount: 2 });
    await from.deleteStream('y-1');
    await from.appendToStream('z-1', createNumbered(0));
    await from.tombstoneStream('z-1');
    const often = { checkPointLowerBound: 1, checkPointUpperBound: 1 };
    await from.createPersistentSubscriptionToStream(
      'x-1',
      'g',
      settings({ startFrom: START, ...often }),
    );
    await consume(from.subscribeToPersistentSubscriptionToStream('x-1', 'g'), 10);
    const exportIt = async () => {
      await source.stop();
      const { code, output } = await storeCommand(
        ...['export', '--dir', source.dir, '--to', target.connectionString],
      );
      expect({ code, output }).toMatchObject({
        code: 0,
        output: expect.stringContaining('Exported') as string,
      });
      await source.run();
      return Number(/Exported (\d+) events/.exec(output)?.[1]);
    };
    // The scavenger may already have removed up to 10 of them.
    const first = await exportIt();
    expect(first).toBeGreaterThanOrEqual(705);
    expect(first).toBeLessThanOrEqual(721);
    expect(await exportIt()).toBe(0);
    const again = connect(source.connectionString);
    await again.appendToStream('x-1', createNumbered(700));
    expect(await exportIt()).toBe(1);

    const to = connect(target.connectionString);
    const copied = await readAll(to.readStream('x-1'));
    expect(copied.map(({ event }) => event?.id).slice(0, 700)).toEqual(events.map(({ id }) => id));
    expect(copied).toHaveLength(701);
    expect(await readAll(to.readStream('y-0'))).toHaveLength(2);
    await expect(readAll(to.readStream('y-1'))).rejects.toBeInstanceOf(StreamNotFoundError);
    await expect(readAll(to.readStream('z-1'))).rejects.toBeInstanceOf(StreamDeletedError);
    const group = to.subscribeToPersistentSubscriptionToStream('x-1', 'g');
    expect((await consume(group, 1))[0]?.event?.revision).toBeLessThanOrEqual(10n);
    expect((await to.getProjectionStatus('$by_category')).projectionStatus).toBe('Running');
  });

  it('keeps the revisions when it exports a stream whose oldest events were removed', async () => {
    const [source, target] = await Promise.all([start(), start({ projections: false })]);
    const from = connect(source.connectionString);
    for (let i = 0; i < 5; i += 1) await from.appendToStream('y-1', createNumbered(i));
    await from.setStreamMetadata('y-1', { truncateBefore: 3, maxAge: 3_600 });
    await source.stop();
    for (const command of ['scavenge', 'compact', 'verify']) {
      expect(await storeCommand(command, '--dir', source.dir)).toMatchObject({ code: 0 });
    }
    const to = connect(target.connectionString);
    for (let run = 0; run < 2; run += 1) {
      const args = ['export', '--dir', source.dir, '--to', target.connectionString];
      expect(await storeCommand(...args)).toMatchObject({ code: 0 });
      const read = await readAll(to.readStream('y-1'));
      expect(read.map(({ event }) => event?.revision)).toEqual([3n, 4n]);
    }
  });

  it('refuses to scavenge or compact a directory that a server has open', async () => {
    const server = await start();
    for (const command of ['scavenge', 'compact']) {
      expect(await storeCommand(command, '--dir', server.dir)).toMatchObject({
        code: 1,
        output: expect.stringContaining('locked by process') as string,
      });
    }
  });
});

/** Replaces bytes in a file at every place where they occur. */
const overwrite = (file: string, what: string, by: string): void => {
  const bytes = readFileSync(file);
  expect(statSync(file).size).toBe(bytes.length);
  const fd = openSync(file, 'r+');
  for (let at = bytes.indexOf(what); at >= 0; at = bytes.indexOf(what, at + 1)) {
    writeSync(fd, by, at);
  }
  closeSync(fd);
};
