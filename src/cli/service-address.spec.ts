import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeServiceFile } from '../config/service-file';
import { findServiceAddress } from './service-address';

describe('the address of the service that commands call', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'ses-address-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true });
  });

  it('is SERVICE_URL if it is set', () => {
    writeServiceFile(dir, 'http://127.0.0.1:4010');
    const env = { SERVICE_URL: 'https://events.example.com', DATA_DIR: dir };
    expect(findServiceAddress(env)).toBe('https://events.example.com');
  });

  it('is the address of the service that runs on the data directory, on any port', () => {
    writeServiceFile(dir, 'http://127.0.0.1:4010');
    expect(findServiceAddress({ DATA_DIR: dir })).toBe('http://127.0.0.1:4010');
  });

  it('is not the address of a service that was killed', () => {
    const pidOfNobody = 2 ** 22 + 1;
    const left = { url: 'http://127.0.0.1:4010', pid: pidOfNobody };
    writeFileSync(join(dir, 'service.json'), JSON.stringify(left));
    expect(findServiceAddress({ DATA_DIR: dir, PORT: '4020' })).toBe('http://127.0.0.1:4020');
    expect(findServiceAddress({ DATA_DIR: dir })).toBe('http://127.0.0.1:3000');
  });
});
