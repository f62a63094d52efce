import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { METRIC_CATALOGUE, METRIC_PREFIX } from '../src/ops/metric-catalogue';

const read = (path: string): string => readFileSync(join(__dirname, '..', path), 'utf8');

/** The names that Prometheus knows: a histogram has three of its own. */
const KNOWN = new Set(
  Object.entries(METRIC_CATALOGUE).flatMap(([name, { kind }]) =>
    kind === 'histogram'
      ? ['_bucket', '_count', '_sum'].map((ending) => METRIC_PREFIX + name + ending)
      : [METRIC_PREFIX + name],
  ),
);

const unknownIn = (text: string): string[] =>
  [...text.matchAll(/subscription_service_\w+/g)]
    .map(([name]) => name)
    .filter((name) => !KNOWN.has(name));

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const alerts = (
  parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] }
).groups.flatMap(({ rules }) => rules);

const headingsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

describe('what an operator is shown', () => {
  it('every metric that an alert names exists', () => {
    expect(alerts.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
  });

  it('every metric that the dashboard names exists', () => {
    const dashboard = JSON.parse(read('deploy/grafana/dashboard.json')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(20);
    expect(queries.flatMap(unknownIn)).toEqual([]);
  });

  it('every alert has a section in the operating guide, which its link names', () => {
    const headings = headingsOf('docs/operating.md');
    for (const { alert, annotations } of alerts) {
      expect(headings).toContain(alert);
      expect(annotations.runbook).toBe(`docs/operating.md#${alert.toLowerCase()}`);
    }
  });

  it('an alert fires when nothing is reported at all', () => {
    expect(alerts.some(({ expr }) => expr.startsWith('absent('))).toBe(true);
  });

  it('docs/metrics.md explains every metric and no other', () => {
    const explained = headingsOf('docs/metrics.md').filter((name) =>
      name.startsWith(METRIC_PREFIX),
    );
    const all = Object.keys(METRIC_CATALOGUE).map((name) => METRIC_PREFIX + name);
    expect(explained.sort()).toEqual(all.sort());
  });
});
