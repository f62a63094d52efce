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
    ['payment.faild', ' Did you mean payment.failed?'],
    ['Payment.Failed', ' Did you mean payment.failed?'],
    ['payments.*', ' Did you mean payment.*?'],
    ['tickets', ' Did you mean ticket.*?'],
    ['payment', ' Did you mean payment.*?'],
    ['payment.refund_created', ' The types of payment are payment.failed, payment.succeeded.'],
    ['ticket.reopened', ' The only type of ticket is ticket.submitted.'],
    ['invoice.paid', ' GET /v1/event_types lists the types.'],
  ])('names the unknown type %s and says which types there are', (pattern, hint) => {
    expect(() => parseEventTypes(['ticket.submitted', pattern], known)).toThrow(
      `event_types has ${pattern}, which is neither an event type, nor a family such as payment.*, nor *.${hint}`,
    );
  });

  it('quotes only the start of a long value', () => {
    expect(() => parseEventTypes(['x'.repeat(500)], known)).toThrow(
      `event_types has ${'x'.repeat(64)}, which`,
    );
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
