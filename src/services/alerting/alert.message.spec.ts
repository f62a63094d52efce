import { noon } from '../../../test/support/given';
import { createAlertMessage } from './alert.message';
import type { OperationalFact } from './operational-event.facts';

const FROM = 'Events <events@service.example>';

const fact: OperationalFact = {
  id: 'evt_1',
  type: 'destination.failing',
  scope: { tenantId: 'tnt_a', environment: 'live' },
  at: noon,
  data: { destination_id: 'dest_1', since: noon, hours: 24, last_status: 500, last_error: null },
};

const messageTo = (to: string) =>
  createAlertMessage({ fact, tenantName: 'Acme\r\nBcc: x', to }, FROM);

describe('an alert', () => {
  it('says what happened, to which object, and since when', () => {
    const { subject, text, headers } = messageTo('ada@example.com');
    expect(subject).toBe('[Acme Bcc: x, live] Destination dest_1 has been failing for 24 hours');
    for (const line of ['destination_id: dest_1', `since: ${noon}`, 'last_status: 500']) {
      expect(text.split('\n')).toContain(line);
    }
    expect(headers).toMatchObject({ 'X-Service-Event-Id': 'evt_1' });
  });

  it('has a constant Message-ID for each recipient', () => {
    const { message_id: id } = messageTo('ada@example.com');
    expect(messageTo('ADA@example.com').message_id).toBe(id);
    expect(messageTo('ben@example.com').message_id).not.toBe(id);
    expect(id).toMatch(/^<evt_1\.[0-9a-f]{16}@service\.example>$/);
  });
});
