import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from './config';
import { loadOperatorToken, locateOperatorToken } from './secrets';

describe('the operator token in the data directory', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true });
  });

  it('is created once', () => {
    const token = loadOperatorToken(dataDir);
    expect(loadOperatorToken(dataDir)).toBe(token);
    expect(readFileSync(locateOperatorToken(dataDir), 'utf8').trim()).toBe(token);
  });

  it.each(['', 'short', 'a'.repeat(40), 'a token with spaces in it, of 40 letters'])(
    'is refused if somebody has replaced it by %j',
    (text) => {
      writeFileSync(locateOperatorToken(dataDir), `${text}\n`);
      const load = (): string => loadOperatorToken(dataDir);
      expect(load).toThrow(ConfigError);
      expect(load).toThrow(locateOperatorToken(dataDir));
      if (text !== '') expect(load).not.toThrow(text);
    },
  );
});
