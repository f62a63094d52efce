/** A sample as it was scraped. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples of all targets at one time. */
export interface Scrape {
  readonly atMs: number;
  readonly samples: readonly Sample[];
}

interface Point {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type Vector = readonly Point[];
type Value = number | Vector;

/**
 * Evaluates the part of Prometheus' query language that the alerts use, on scrapes in order of
 * time. Returns true if an alert with this expression would be pending or firing. A function or an
 * operator that is not supported throws.
 */
export const evaluate = (expression: string, scrapes: readonly Scrape[]): boolean => {
  const value = new Evaluation(splitTokens(expression), scrapes).run();
  return typeof value === 'number' ? value !== 0 : value.length > 0;
};

const TOKEN =
  /\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|"(?:[^"\\]|\\.)*"|\[\d+[smhd]\]|[<>=!]=|=~|!~|[-+*/<>=(){},])/y;

const splitTokens = (text: string): string[] => {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (TOKEN.lastIndex < trimmed.length) {
    const at = TOKEN.lastIndex;
    const [, token] = TOKEN.exec(trimmed) ?? [];
    if (token === undefined) throw new Error(`not supported: ${trimmed.slice(at)}`);
    tokens.push(token);
  }
  return tokens;
};

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

const AGGREGATIONS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};

const UNITS_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

class Evaluation {
  private at = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly scrapes: readonly Scrape[],
  ) {}

  run(): Value {
    const value = this.parseConjunction();
    if (this.at < this.tokens.length) throw new Error(`not supported: ${this.peek()}`);
    return value;
  }

  private peek(): string {
    return this.tokens[this.at] ?? '';
  }

  private next(): string {
    const token = this.peek();
    this.at += 1;
    return token;
  }

  private expect(token: string): void {
    const found = this.next();
    if (found !== token) throw new Error(`expected ${token}, found ${found}`);
  }

  private parseConjunction(): Value {
    let left = this.parseComparison();
    while (this.peek() === 'and') {
      this.next();
      const right = toVector(this.parseComparison());
      left = toVector(left).filter((point) => right.some((other) => haveSameLabels(point, other)));
    }
    return left;
  }

  private parseComparison(): Value {
    const left = this.parseSum();
    const holds = COMPARISONS[this.peek()];
    if (holds === undefined) return left;
    this.next();
    const right = this.parseSum();
    if (typeof right === 'number') return toVector(left).filter(({ value }) => holds(value, right));
    return toVector(left).filter((point) =>
      right.some((other) => haveSameLabels(point, other) && holds(point.value, other.value)),
    );
  }

  private parseSum(): Value {
    let left = this.parseProduct();
    while (['+', '-'].includes(this.peek()))
      left = calculate(this.next(), left, this.parseProduct());
    return left;
  }

  private parseProduct(): Value {
    let left = this.parseOperand();
    while (['*', '/'].includes(this.peek()))
      left = calculate(this.next(), left, this.parseOperand());
    return left;
  }

  private parseOperand(): Value {
    const token = this.next();
    if (/^\d/.test(token)) return Number(token);
    if (token === '(') {
      const value = this.parseConjunction();
      this.expect(')');
      return value;
    }
    const aggregate = AGGREGATIONS[token];
    if (aggregate !== undefined) return this.parseAggregation(aggregate);
    if (this.peek() === '(') return this.call(token);
    return this.parseSelector(token).at(-1)?.points ?? [];
  }

  private parseAggregation(aggregate: (values: readonly number[]) => number): Vector {
    const by: string[] = [];
    if (this.peek() === 'by') {
      this.next();
      this.expect('(');
      while (this.peek() !== ')') {
        const label = this.next();
        if (label !== ',') by.push(label);
      }
      this.expect(')');
    }
    this.expect('(');
    const points = toVector(this.parseConjunction());
    this.expect(')');
    const groups = new Map<string, Point[]>();
    for (const point of points) {
      const key = JSON.stringify(by.map((label) => point.labels[label]));
      groups.set(key, [...(groups.get(key) ?? []), point]);
    }
    return [...groups.values()].map((group) => ({
      labels: pick(group[0]?.labels ?? {}, by),
      value: aggregate(group.map(({ value }) => value)),
    }));
  }

  private call(name: string): Vector {
    this.expect('(');
    const result = this.parseCall(name);
    this.expect(')');
    return result;
  }

  private parseCall(name: string): Vector {
    switch (name) {
      case 'absent':
        return toVector(this.parseConjunction()).length === 0 ? [{ labels: {}, value: 1 }] : [];
      case 'abs':
        return toVector(this.parseConjunction()).map((point) => ({
          ...point,
          value: Math.abs(point.value),
        }));
      case 'timestamp': {
        const found = this.parseSelector(this.next()).at(-1);
        const value = (found?.atMs ?? 0) / 1_000;
        return (found?.points ?? []).map(({ labels }) => ({ labels, value }));
      }
      case 'rate':
        return this.computeGrowth((growth, seconds) => growth / seconds);
      case 'increase':
        return this.computeGrowth((growth) => growth);
      case 'histogram_quantile': {
        const quantile = Number(this.next());
        this.expect(',');
        return computeHistogramQuantile(quantile, toVector(this.parseConjunction()));
      }
      default:
        throw new Error(`not supported: ${name}`);
    }
  }

  /** Reads a selector and returns what it selects in each scrape of its range. */
  private parseSelector(name: string): { readonly atMs: number; readonly points: Vector }[] {
    const matches: ((labels: Point['labels']) => boolean)[] = [];
    if (this.peek() === '{') {
      this.next();
      while (this.peek() !== '}') {
        const label = this.next();
        const operator = this.next();
        const text = JSON.parse(this.next()) as string;
        const pattern = new RegExp(`^(?:${text})$`);
        if (operator === '=') matches.push((labels) => (labels[label] ?? '') === text);
        else if (operator === '=~') matches.push((labels) => pattern.test(labels[label] ?? ''));
        else if (operator === '!=') matches.push((labels) => (labels[label] ?? '') !== text);
        else throw new Error(`not supported: ${operator}`);
        if (this.peek() === ',') this.next();
      }
      this.expect('}');
    }
    const [, count, unit = ''] = /^\[(\d+)(\w)\]$/.exec(this.peek()) ?? [];
    if (count !== undefined) this.next();
    const rangeMs = Number(count ?? 0) * (UNITS_S[unit] ?? 0) * 1_000;
    const newestMs = this.scrapes.at(-1)?.atMs ?? 0;
    return this.scrapes
      .filter(({ atMs }) => newestMs - atMs <= rangeMs)
      .map(({ atMs, samples }) => ({
        atMs,
        points: samples.filter(
          (sample) => sample.name === name && matches.every((holds) => holds(sample.labels)),
        ),
      }));
  }

  /** Calculates from the growth of each counter over the range. A restart begins again at 0. */
  private computeGrowth(toValue: (growth: number, seconds: number) => number): Vector {
    const found = this.parseSelector(this.next());
    const series = new Map<string, { readonly atMs: number; readonly point: Point }[]>();
    for (const { atMs, points } of found) {
      for (const point of points) {
        const key = createGroupKey(point.labels);
        series.set(key, [...(series.get(key) ?? []), { atMs, point }]);
      }
    }
    return [...series.values()]
      .filter(({ length }) => length > 1)
      .map((samples) => {
        const seconds = ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / 1_000;
        const growth = samples.slice(1).reduce((sum, { point }, i) => {
          const before = samples[i]?.point.value ?? 0;
          return sum + (point.value >= before ? point.value - before : point.value);
        }, 0);
        return { labels: samples[0]?.point.labels ?? {}, value: toValue(growth, seconds) };
      });
  }
}

const toVector = (value: Value): Vector =>
  typeof value === 'number' ? [{ labels: {}, value }] : value;

const calculate = (operator: string, left: Value, right: Value): Value => {
  const apply = ARITHMETIC[operator];
  if (apply === undefined) throw new Error(`not supported: ${operator}`);
  if (typeof right === 'number') {
    if (typeof left === 'number') return apply(left, right);
    return left.map(({ labels, value }) => ({ labels, value: apply(value, right) }));
  }
  return toVector(left).flatMap(({ labels, value }) =>
    right
      .filter((other) => createGroupKey(other.labels) === createGroupKey(labels))
      .map((other) => ({ labels, value: apply(value, other.value) })),
  );
};

/** Interpolates within the bucket that holds the quantile, as Prometheus does. */
const computeHistogramQuantile = (quantile: number, buckets: Vector): Vector => {
  const histograms = new Map<string, Point[]>();
  for (const bucket of buckets) {
    const { le: _, ...labels } = bucket.labels;
    const key = createGroupKey(labels);
    histograms.set(key, [...(histograms.get(key) ?? []), bucket]);
  }
  return [...histograms.values()].flatMap((found) => {
    const sorted = found
      .map(({ labels, value }) => ({ bound: readUpperBound(labels), value }))
      .sort((a, b) => a.bound - b.bound);
    const total = sorted.at(-1)?.value ?? 0;
    if (total === 0) return [];
    const rank = quantile * total;
    const index = sorted.findIndex(({ value }) => value >= rank);
    const { bound, value } = sorted[index] ?? { bound: NaN, value: 0 };
    const before = sorted[index - 1] ?? { bound: 0, value: 0 };
    const share = (rank - before.value) / (value - before.value);
    const result =
      bound === Infinity ? before.bound : before.bound + (bound - before.bound) * share;
    const { le: _, ...labels } = found[0]?.labels ?? {};
    return [{ labels, value: result }];
  });
};

const readUpperBound = ({ le = '' }: Point['labels']): number =>
  le === '+Inf' ? Infinity : Number(le);

const pick = (labels: Point['labels'], names: readonly string[]): Point['labels'] =>
  Object.fromEntries(names.flatMap((name) => (name in labels ? [[name, labels[name] ?? '']] : [])));

const createGroupKey = (labels: Point['labels']): string =>
  JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

const haveSameLabels = (one: Point, other: Point): boolean =>
  createGroupKey(one.labels) === createGroupKey(other.labels);
