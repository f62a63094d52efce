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
    ['payment.failed', true],
    ['payment.new_type', true],
    ['ticket.submitted', true],
    ['ticket.closed', false],
    ['payments.x', false],
  ])('matches %s: %s', (type, expected) => {
    expect(toFilter(['payment.*', 'ticket.submitted']).matches(type)).toBe(expected);
  });
});
