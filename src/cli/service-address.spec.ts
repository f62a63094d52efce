import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeServiceFile } from '../config/service-file';
import { findServiceAddress, parseServiceUrl } from './service-address';

describe('the address of the service that commands call', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'ses-address-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true });
  });

  it('is that of the option, else SERVICE_URL', () => {
    writeServiceFile(dir, 'http://127.0.0.1:4010');
    const env = { SERVICE_URL: 'https://events.example.com', DATA_DIR: dir };
    expect(findServiceAddress(env)).toEqual({
      url: 'https://events.example.com',
      origin: 'SERVICE_URL',
    });
    expect(findServiceAddress(env, 'http://127.0.0.1:4050')).toEqual({
      url: 'http://127.0.0.1:4050',
      origin: '--service',
    });
  });

  it('is the address of the service that runs on the data directory, on any port', () => {
    writeServiceFile(dir, 'http://127.0.0.1:4010');
    expect(findServiceAddress({ DATA_DIR: dir })).toEqual({
      url: 'http://127.0.0.1:4010',
      origin: `the service that runs on DATA_DIR (${dir})`,
    });
  });

  it('is not the address of a service that was killed', () => {
    const pidOfNobody = 2 ** 22 + 1;
    const left = { url: 'http://127.0.0.1:4010', pid: pidOfNobody };
    writeFileSync(join(dir, 'service.json'), JSON.stringify(left));
    expect(findServiceAddress({ DATA_DIR: dir, PORT: '4020' })).toEqual({
      url: 'http://127.0.0.1:4020',
      origin: `PORT, because no service runs on DATA_DIR (${dir})`,
    });
    expect(findServiceAddress({ DATA_DIR: dir })).toEqual({
      url: 'http://127.0.0.1:3000',
      origin: `the default, because no service runs on DATA_DIR (${dir})`,
    });
  });

  it.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['https://example.com/events/', 'https://example.com/events'],
    ['https://example.com/v1/', 'https://example.com'],
    ['https://ada:secret@example.com', 'https://example.com'],
    ['localhost:3000', null],
    ['ftp://example.com', null],
    ['', null],
  ])('%j is used as %j', (text, url) => {
    expect(parseServiceUrl(text)).toBe(url);
  });
});
