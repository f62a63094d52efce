import fc from 'fast-check';
import { DomainError } from '../../kernel/errors';
import { parseTemplate, renderSubject } from './template';

const envelope = {
  id: 'evt_1',
  created_at: '2026-03-10T12:00:00.000Z',
  tenant: { name: 'Acme' },
  subscriber: { email: 'ada@example.com' },
  data: { ticket: { topic: 'cancel', subject: 'Why\r\nBcc: x@example.com' }, reason: 'own' },
};

describe('subject templates', () => {
  it.each([
    ['{{data.topic}}', 'cancel'],
    ['{{ data.ticket.topic }}', 'cancel'],
    ['{{data.reason}}', 'own'],
    ['{{tenant.name}} {{id}} {{created_at}}', 'Acme evt_1 2026-03-10T12:00:00.000Z'],
    ['[{{data.subject}}]', '[WhyBcc: x@example.com]'],
    ['{{data.unknown}}-{{data}}-{{data.ticket.topic.length}}', '--'],
    ['{{data.constructor.name}}{{data.__proto__}}', ''],
    ['{single} } { braces', '{single} } { braces'],
  ])('%s gives %s', (template, subject) => {
    expect(renderSubject(template, envelope)).toBe(subject);
  });

  it.each(['{{data.topic}', '{{data.topic', 'data.topic}}', '{{{{data}}}}', '{{}}', '{{a b}}'])(
    'refuses %s',
    (template) => {
      expect(() => parseTemplate(template)).toThrow(DomainError);
    },
  );

  it.each([
    [
      '{{ ticket.subject }}',
      '{{ticket.subject}} begins with an unknown field. A placeholder begins with one of id, type, created_at, schema_version, environment, sequence, tenant, subscriber, subscription, data.',
    ],
    [
      '{{data subject}}',
      '{{data subject}} is not the path of a field, such as {{data.subject}} or {{subscriber.id}}.',
    ],
    [
      '{{data.topic',
      'The braces are not balanced: each placeholder begins with {{ and ends with }}.',
    ],
  ])('says what is wrong with %s', (template, message) => {
    expect(() => parseTemplate(template)).toThrow(message);
  });

  it('gives one line of at most 200 characters for all values', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        const subject = renderSubject('{{data.subject}}', { data: { subject: text } });
        expect(Array.from(subject).length).toBeLessThanOrEqual(200);
        // eslint-disable-next-line no-control-regex -- that there are none is the point
        expect(subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      }),
      { numRuns: 50 },
    );
  });
});
