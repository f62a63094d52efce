import { DomainError } from './errors';
import { parseEventTypes, toFilter } from './event-filter';

const known = ['payment.failed', 'payment.succeeded', 'ticket.submitted'];

const refusal = (patterns: string[]): unknown => {
  try {
    return parseEventTypes(patterns, known).patterns;
  } catch (error) {
    return error instanceof DomainError ? [error.code, error.facts.param] : error;
  }
};

describe('event_types', () => {
  it('accepts exact types and families and removes duplicates', () => {
    expect(refusal(['payment.*', 'ticket.submitted', 'payment.*'])).toEqual([
      'payment.*',
      'ticket.submitted',
    ]);
  });

  it('reads * as every type', () => {
    expect(parseEventTypes(['*', 'payment.*'], known).matches('anything.else')).toBe(true);
  });

  it.each([[[]], [['nope.*']], [['payment.unknown']], [['Payment.*']], [['payment']], [['.*']]])(
    'refuses %j',
    (patterns) => {
      expect(refusal(patterns)).toEqual(['parameter_invalid', 'event_types']);
    },
  );

  it.each([
    ['payment.faild', 'but has "payment.faild". Did you mean payment.failed?'],
    ['payment.failures', 'but has "payment.failures". Did you mean payment.failed?'],
    ['paymnt.*', 'but has "paymnt.*". Did you mean payment.*?'],
    ['payments', 'but has "payments". Did you mean payment.*?'],
    ['Payment.Failed', 'but has "Payment.Failed". Did you mean payment.failed?'],
    ['invoice.overdue', 'but has "invoice.overdue".'],
    ['x', 'but has "x".'],
  ])('says what is wrong in %s, and suggests the nearest pattern', (pattern, end) => {
    expect(() => parseEventTypes(['ticket.*', pattern], known)).toThrow(
      `event_types must have only types of the event catalogue (/docs/events), families such as payment.*, or *, ${end}`,
    );
  });

  it('cuts a long value in its message', () => {
    expect(() => parseEventTypes(['x'.repeat(200)], known)).toThrow(`"${'x'.repeat(100)}…".`);
  });

  it.each([
    ['payment.failed', true],
    ['payment.new_type', true],
    ['ticket.submitted', true],
    ['ticket.closed', false],
    ['payments.x', false],
  ])('matches %s: %s', (type, expected) => {
    expect(toFilter(['payment.*', 'ticket.submitted']).matches(type)).toBe(expected);
  });
});
