import { groupBySubscription, groupLines, type NumberedLine } from './grouping';
import type { ImportLine, PaymentLine } from './import.lines';

const number = (values: readonly ImportLine[]): NumberedLine[] =>
  values.map((value, i) => ({ line: i + 1, value }));

const subscriber = (name: string): ImportLine => ({
  kind: 'subscriber',
  external_id: name,
  email: `${name}@example.com`,
});

const subscription = (name: string, of: string): ImportLine => ({
  kind: 'subscription',
  external_id: name,
  subscriber_external_id: of,
  plan: 'pro',
  status: 'active',
  current_period_start: '2026-01-01T00:00:00Z',
  current_period_end: '2026-02-01T00:00:00Z',
});

const payment = (name: string, of: string): PaymentLine => ({
  kind: 'payment',
  external_id: name,
  subscription_external_id: of,
  amount: 1,
  currency: 'USD',
  status: 'succeeded',
  occurred_at: '2026-01-01T00:00:00Z',
});

const grouped = (...values: ImportLine[]) => {
  const { subscribers, payments } = groupLines(number(values));
  return {
    subscribers: [...subscribers].map(([name, lines]) => [name, lines.map(({ line }) => line)]),
    payments: payments.map(({ line }) => line),
  };
};

describe('lines of a chunk', () => {
  it('are grouped by subscriber, and payments by the subscriber of their subscription', () => {
    expect(
      grouped(
        payment('p1', 's1'),
        subscriber('ada'),
        subscriber('bob'),
        subscription('s1', 'ada'),
        payment('p2', 's1'),
      ),
    ).toEqual({
      subscribers: [
        ['ada', [1, 2, 4, 5]],
        ['bob', [3]],
      ],
      payments: [],
    });
  });

  it('keep payments separate if their subscriber is not known from the lines', () => {
    expect(
      grouped(
        subscription('s1', 'ada'),
        subscription('s1', 'bob'),
        payment('p1', 's1'),
        payment('p2', 's9'),
      ),
    ).toEqual({
      subscribers: [
        ['ada', [1]],
        ['bob', [2]],
      ],
      payments: [3, 4],
    });
  });

  it('group separate payments by their subscription', () => {
    const payments = [payment('p1', 's1'), payment('p2', 's2'), payment('p3', 's1')];
    const groups = groupBySubscription(payments.map((value, i) => ({ line: i + 1, value })));
    expect([...groups].map(([name, all]) => [name, all.map(({ line }) => line)])).toEqual([
      ['s1', [1, 3]],
      ['s2', [2]],
    ]);
  });
});
