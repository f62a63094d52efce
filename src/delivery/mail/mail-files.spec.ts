import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailFiles } from './mail-files';

describe('mail files', () => {
  let root: string;
  let directory: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'mail-'));
    directory = join(root, 'mail');
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  async function* events(...ids: string[]): AsyncGenerator<string> {
    for (const id of ids) yield await Promise.resolve(id);
  }

  it('are replaced when a message is sent again and deleted with their event', async () => {
    const files = new MailFiles(directory);
    for (const eventId of ['evt_1', 'evt_1', 'evt_12', 'evt_2']) {
      await files.write(`${eventId}.dest_a.eml`, Buffer.from('Hello'));
    }
    await files.write('evt_1.dest_b.eml', Buffer.from('Hello'));
    // This file was left by a process that died while it wrote.
    writeFileSync(join(directory, '.evt_1.dest_a.eml.77'), 'Hel');
    writeFileSync(join(directory, 'notes.txt'), 'of somebody else');
    expect(readdirSync(directory)).toHaveLength(6);
    await files.deleteForEvents(() => events('evt_1', 'evt_3'));
    expect(readdirSync(directory).sort()).toEqual([
      'evt_12.dest_a.eml',
      'evt_2.dest_a.eml',
      'notes.txt',
    ]);
  });

  it('are deleted without reading events if the directory is empty', async () => {
    let looked = false;
    await new MailFiles(directory).deleteForEvents(() => {
      looked = true;
      return events();
    });
    expect(looked).toBe(false);
  });
});
