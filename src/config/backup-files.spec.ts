import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  beginBackup,
  describeOccupied,
  finishBackup,
  hasUnfinishedRestore,
  restoreBackup,
} from './backup-files';

const NAMES = ['eventstore/data.mdb', 'master-key'];

describe('restoring a backup', () => {
  let root: string;
  let backup: string;
  let dataDir: string;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'restore-'));
    backup = join(root, 'backup');
    dataDir = join(root, 'data');
    mkdirSync(backup);
    beginBackup(backup);
    mkdirSync(join(backup, 'eventstore'));
    for (const name of NAMES) writeFileSync(join(backup, name), `content of ${name}`);
    await finishBackup(backup, NAMES, { version: '1.0.0', created_at: '2026-01-31T00:00:00.000Z' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(root, { recursive: true, force: true });
  });

  const changeManifest = (change: (text: string) => string): void => {
    const file = join(backup, 'backup.json');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };

  it('copies every file into a new directory', async () => {
    await restoreBackup(backup, dataDir);
    for (const name of NAMES) {
      expect(readFileSync(join(dataDir, name), 'utf8')).toBe(`content of ${name}`);
    }
    expect(readdirSync(dataDir).sort()).toEqual(['eventstore', 'master-key']);
    expect(readdirSync(backup).sort()).toEqual(['backup.json', 'eventstore', 'master-key']);
    expect(hasUnfinishedRestore(dataDir)).toBe(false);
  });

  it('refuses a directory that is not empty, and leaves it as it is', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'operator-token'), 'mine');
    await expect(restoreBackup(backup, dataDir)).rejects.toThrow('is not empty');
    expect(readdirSync(dataDir)).toEqual(['operator-token']);
  });

  it('refuses a directory in the backup, also through a link, and leaves the backup as it is', async () => {
    const link = join(root, 'link');
    symlinkSync(backup, link);
    for (const inBackup of [backup, join(backup, 'data'), join(link, 'new', 'data')]) {
      await expect(restoreBackup(backup, inBackup)).rejects.toThrow(
        `${inBackup} is in the backup ${backup}, and a restore must leave the backup as it is.`,
      );
    }
    await expect(restoreBackup(link, join(backup, 'data'))).rejects.toThrow('is in the backup');
    expect(readdirSync(backup).sort()).toEqual(['backup.json', 'eventstore', 'master-key']);
    await restoreBackup(link, `${backup}-data`);
  });

  it('refuses a backup that was cut off before its description was written', async () => {
    rmSync(join(backup, 'backup.json'));
    await expect(restoreBackup(backup, dataDir)).rejects.toThrow('not a complete backup');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('refuses a backup with the mark of an unfinished one, and allows no new backup in its directory', async () => {
    expect(describeOccupied(backup)).toContain('already contains a complete backup');
    rmSync(join(backup, 'backup.json'));
    expect(describeOccupied(backup)).toMatch(/^The directory is not empty\./);
    beginBackup(backup);
    await expect(restoreBackup(backup, dataDir)).rejects.toThrow('it was cut off');
    expect(existsSync(dataDir)).toBe(false);
    expect(describeOccupied(backup)).toContain('a backup that was cut off. Delete what is in it');
    expect(describeOccupied(root)).toContain('not empty');
    mkdirSync(dataDir);
    expect(describeOccupied(dataDir)).toBeNull();
  });

  it('says what to do in a directory in which a restore was cut off', async () => {
    await restoreBackup(backup, dataDir);
    writeFileSync(join(dataDir, 'restore-unfinished'), '');
    await expect(restoreBackup(backup, dataDir)).rejects.toThrow(
      /restore that was cut off\. Delete what is in it and restore the backup again/,
    );
    expect(readdirSync(dataDir)).toContain('master-key');
  });

  it('names the system error if the data directory cannot be created', async () => {
    await expect(restoreBackup(backup, '/proc/data')).rejects.toThrow(
      '/proc/data cannot be made (ENOENT)',
    );
    await restoreBackup(backup, join(root, 'one/two'));
    expect(statSync(join(root, 'one')).mode & 0o777).toBe(0o700);
  });

  it('says what to do if the disk is full, and the service does not start on what was copied', async () => {
    jest.spyOn(fs, 'copyFileSync').mockImplementation(() => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    await expect(restoreBackup(backup, dataDir)).rejects.toThrow(
      /^The backup, \d+ bytes, could not be copied into .*data \(ENOSPC\)\. Delete what is in it/,
    );
    expect(hasUnfinishedRestore(dataDir)).toBe(true);
  });

  it('refuses a backup in which a byte has changed, and writes nothing', async () => {
    writeFileSync(join(backup, 'eventstore/data.mdb'), 'content of eventstore/data.mdB');
    await expect(restoreBackup(backup, dataDir)).rejects.toThrow(/data.mdb in .* is damaged/);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('refuses a backup of a later data format and names the version that knows it', async () => {
    changeManifest((text) => text.replace('"data_format": 1', '"data_format": 99'));
    changeManifest((text) => text.replace('"version": "1.0.0"', '"version": "9.0.0"'));
    await expect(restoreBackup(backup, dataDir)).rejects.toThrow('version 9.0.0 or a newer one');
  });

  it('refuses a description that names files outside the directory', async () => {
    changeManifest((text) => text.replace('"master-key"', '"../master-key"'));
    await expect(restoreBackup(backup, dataDir)).rejects.toThrow('cannot be read');
    expect(existsSync(join(root, 'master-key'))).toBe(false);
  });
});
