import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailFiles } from './mail-files';
import { Mailer } from './mailer';

describe('a message that is sent', () => {
  it('keeps the upper and lower case of its headers', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'mail-'));
    const mailer = new Mailer({
      smtpUrl: undefined,
      from: 'events@example.com',
      files: new MailFiles(directory),
      timeoutMs: 1_000,
      connectTimeoutMs: 1_000,
    });
    await mailer.sendOwnMessage('one.eml', (from) => ({
      message_id: '<evt_1@example.com>',
      date: '2026-03-10T12:00:00.000Z',
      from,
      to: 'desk@example.com',
      reply_to: 'ada@example.com',
      subject: 'Hello',
      text: 'Hello',
      headers: { 'X-Service-Event-Id': 'evt_1', 'X-Service-Ticket-Id': 'tkt_1' },
    }));
    const raw = readFileSync(join(directory, 'one.eml'), 'utf8');
    const [head = ''] = raw.split('\r\n\r\n');
    const names = head.split('\r\n').map((line) => line.split(':')[0]);
    expect(names.toSorted()).toEqual([
      'Content-Transfer-Encoding',
      'Content-Type',
      'Date',
      'From',
      'MIME-Version',
      'Message-ID',
      'Reply-To',
      'Subject',
      'To',
      'X-Service-Event-Id',
      'X-Service-Ticket-Id',
    ]);
    rmSync(directory, { recursive: true });
  });
});
