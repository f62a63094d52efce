import { evaluate, type Sample } from './support/promql';

const sample = (name: string, value: number, labels: Record<string, string> = {}): Sample => ({
  name,
  labels,
  value,
});

const buildBuckets = (name: string, counts: readonly [string, number][]): Sample[] =>
  counts.map(([le, value]) => sample(`${name}_bucket`, value, { le }));

/** The evaluator of the game day decides about alerts, so it is compared with known results. */
describe('the evaluator of alerts', () => {
  const now = 1_000_000_000;
  const scrapes = [
    {
      atMs: now - 60_000,
      samples: [
        sample('errors', 5, { status: '503' }),
        ...buildBuckets('took', [
          ['1', 0],
          ['+Inf', 0],
        ]),
      ],
    },
    {
      atMs: now,
      samples: [
        sample('errors', 11, { status: '503' }),
        sample('free', 5, { process: 'a' }),
        sample('size', 100, { process: 'a' }),
        sample('free', 50, { process: 'b' }),
        sample('size', 100, { process: 'b' }),
        sample('clock', now / 1_000 - 20),
        ...buildBuckets('took', [
          ['1', 99],
          ['+Inf', 100],
        ]),
      ],
    },
  ];

  it.each([
    ['absent(free)', false],
    ['absent(other)', true],
    ['min(free / size) < 0.1', true],
    ['max(free / size) < 0.1', false],
    ['sum(free) == 55', true],
    ['max(free{process="a"}) > 5', false],
    ['max(free) > 40 and max(size) > max(free)', true],
    ['max(free) > 40 and max(other) > 1', false],
    ['sum(increase(errors{status=~"5.."}[10m])) > 5', true],
    ['sum(increase(errors{status=~"4.."}[10m])) > 5', false],
    ['sum(increase(errors[30s])) > 0', false],
    ['histogram_quantile(0.5, sum by (le) (rate(took_bucket[5m]))) > 0.6', false],
    ['histogram_quantile(0.99, sum by (le) (rate(took_bucket[5m]))) >= 1', true],
    ['max(abs(clock - timestamp(clock))) > 15', true],
    ['max(abs(clock - timestamp(clock))) > 25', false],
  ])('%s is %s', (expression, holds) => {
    expect(evaluate(expression, scrapes)).toBe(holds);
  });

  it('refuses an unknown function', () => {
    expect(() => evaluate('topk(3, free)', scrapes)).toThrow('not supported: topk');
  });
});
