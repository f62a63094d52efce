import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServiceFile, removeServiceFile, writeServiceFile } from './service-file';

describe('the file with the address of the running service', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'ses-service-file-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true });
  });

  it('returns the written address and can be read by its owner only', () => {
    writeServiceFile(dir, 'http://127.0.0.1:4010');
    expect(readServiceFile(dir)).toEqual({ url: 'http://127.0.0.1:4010', pid: process.pid });
    expect(statSync(join(dir, 'service.json')).mode & 0o777).toBe(0o600);
  });

  it('is removed only by the process that wrote it', () => {
    const other = { url: 'http://127.0.0.1:4011', pid: process.pid + 1 };
    writeFileSync(join(dir, 'service.json'), JSON.stringify(other));
    removeServiceFile(dir);
    expect(readServiceFile(dir)).toEqual(other);
    writeServiceFile(dir, 'http://127.0.0.1:4010');
    removeServiceFile(dir);
    expect(readServiceFile(dir)).toBeNull();
  });

  it('counts as missing when it is damaged', () => {
    writeFileSync(join(dir, 'service.json'), '{"url":');
    expect(readServiceFile(dir)).toBeNull();
  });
});
