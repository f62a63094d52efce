import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

const listUnknownMetrics = (text: string): string[] =>
  [...text.matchAll(/subscription_service_\w+/g)]
    .map(([name]) => name)
    .filter((name) => !KNOWN.has(name));

/** Labels that Prometheus adds, or that belong to every histogram or process. */
const COMMON_LABELS = ['le', 'job', 'instance', 'process'];

/** The labels of an expression that none of its metrics has. */
const listUnknownLabels = (expr: string): string[] => {
  const metrics = [...expr.matchAll(/subscription_service_(\w+)/g)].map(([, name = '']) => name);
  const known = Object.entries(METRIC_CATALOGUE)
    .filter(([name]) => metrics.some((metric) => metric.replace(HISTOGRAM_ENDING, '') === name))
    .flatMap(([, { labels }]): readonly string[] => labels);
  const matched = [...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label);
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(/, */),
  );
  return [...matched, ...grouped].filter((label) => ![...COMMON_LABELS, ...known].includes(label));
};
const HISTOGRAM_ENDING = /_(?:bucket|count|sum)$/;

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const alerts = (
  parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] }
).groups.flatMap(({ rules }) => rules);

const readHeadings = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

describe('the alerts, the dashboard and the pages for operators', () => {
  it('every metric that an alert names exists, with its labels', () => {
    expect(alerts.flatMap(({ expr }) => listUnknownMetrics(expr))).toEqual([]);
    expect(alerts.flatMap(({ expr }) => listUnknownLabels(expr))).toEqual([]);
  });

  it('every metric that the dashboard names exists, with its labels', () => {
    const dashboard = JSON.parse(read('deploy/grafana/dashboard.json')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(20);
    expect(queries.flatMap(listUnknownMetrics)).toEqual([]);
    expect(queries.flatMap(listUnknownLabels)).toEqual([]);
  });

  it('every alert has a section in the operating guide, which its link names', () => {
    const headings = readHeadings('docs/operating.md');
    for (const { alert, annotations } of alerts) {
      expect(headings).toContain(alert);
      expect(annotations.runbook).toBe(`docs/operating.md#${alert.toLowerCase()}`);
    }
  });

  it('every metric that a page names exists', () => {
    const pages = readdirSync(join(__dirname, '../docs')).filter((name) => name.endsWith('.md'));
    const texts = ['README.md', ...pages.map((name) => `docs/${name}`)].map(read);
    const isBase = (name: string): boolean => name.slice(METRIC_PREFIX.length) in METRIC_CATALOGUE;
    expect(texts.flatMap(listUnknownMetrics).filter((name) => !isBase(name))).toEqual([]);
  });

  it('every link within the operating guide leads to a section', () => {
    const anchors = readHeadings('docs/operating.md').map((heading) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    const links = [...read('docs/operating.md').matchAll(/\]\(#([^)]+)\)/g)].map(([, to]) => to);
    expect(links.filter((to = '') => !anchors.includes(to))).toEqual([]);
  });

  it('the job of the alerts is the one that Prometheus scrapes, with and without Helm', () => {
    const jobs = alerts.flatMap(({ expr }) => /job="([^"]+)"/.exec(expr)?.[1] ?? []);
    const { scrape_configs: configs } = parse(read('deploy/prometheus/prometheus.yml')) as {
      scrape_configs: { job_name: string }[];
    };
    const chart = parse(read('deploy/helm/Chart.yaml')) as { name: string };
    expect(new Set(jobs)).toEqual(new Set(configs.map(({ job_name: name }) => name)));
    expect(new Set(jobs)).toEqual(new Set([chart.name]));
    expect(read('deploy/helm/templates/servicemonitor.yaml')).toContain(
      'jobLabel: app.kubernetes.io/name',
    );
  });

  it('an alert fires when nothing is reported at all', () => {
    expect(alerts.some(({ expr }) => expr.startsWith('absent('))).toBe(true);
  });

  it('docs/metrics.md explains every metric and no other', () => {
    const explained = readHeadings('docs/metrics.md').filter((name) =>
      name.startsWith(METRIC_PREFIX),
    );
    const all = Object.keys(METRIC_CATALOGUE).map((name) => METRIC_PREFIX + name);
    expect(explained.sort()).toEqual(all.sort());
  });

  it('docs/metrics.md names the kind and the labels of every metric', () => {
    const sections = read('docs/metrics.md').split(`\n## ${METRIC_PREFIX}`);
    for (const [name, { kind, labels }] of Object.entries(METRIC_CATALOGUE)) {
      const [, text = ''] =
        sections.find((each) => each.startsWith(`${name}\n`))?.split('\n\n') ?? [];
      const [facts = ''] = text.split('. ');
      const named = [...facts.matchAll(/`(\w+)`/g)].map(([, label]) => label);
      expect([name, facts.split(' ')[1], named]).toEqual([name, kind, labels]);
    }
  });
});

interface ComposeService {
  readonly image?: string;
  readonly build?: unknown;
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly mem_limit: string;
  readonly depends_on?: object;
}

describe('the files for a deployment', () => {
  const compose = parse(read('docker-compose.yml')) as {
    services: Record<string, ComposeService>;
    volumes: Record<string, unknown>;
  };
  const services = Object.entries(compose.services);

  it('every container of the compose file has no needless right and a limit of memory', () => {
    for (const [name, service] of services) {
      expect({ name, ...service }).toMatchObject({
        name,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/) as unknown,
      });
    }
  });

  it('the stores of every file are those that docs/scaling.md calls tested', () => {
    const readTestedVersion = (store: string): string =>
      new RegExp(`^\\| ${store} +\\| (\\S+) `, 'm').exec(read('docs/scaling.md'))?.[1] ?? 'none';
    const [eventStore, postgres] = [
      readTestedVersion('EventStoreDB'),
      readTestedVersion('PostgreSQL'),
    ];
    const readImage = (name: string): string => compose.services[name]?.image ?? '';
    expect(readImage('eventstore')).toContain(`:-eventstore/eventstore:${eventStore}-`);
    expect(readImage('postgres')).toContain(`:-postgres:${postgres}-`);
    expect(read('README.md')).toContain(`EventStoreDB ${eventStore};`);
    expect(read('deploy/helm/Chart.yaml')).toContain(
      `EventStoreDB ${eventStore} and PostgreSQL ${postgres}`,
    );
  });

  it('everything that the compose file mounts or needs exists', () => {
    for (const [, { volumes = [], depends_on: needed = {} }] of services) {
      const sources = volumes.map((volume) => volume.split(':')[0] ?? '');
      for (const source of sources) {
        const exists = source.startsWith('./')
          ? existsSync(join(__dirname, '..', source))
          : source in compose.volumes;
        expect([source, exists]).toEqual([source, true]);
      }
      const names = Array.isArray(needed) ? (needed as string[]) : Object.keys(needed);
      for (const name of names) expect(Object.keys(compose.services)).toContain(name);
    }
  });

  it('the image starts the program as npm start does', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    const [, command = ''] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
    expect((JSON.parse(command) as string[]).join(' ')).toBe(scripts.start);
  });

  it('the image copies only what exists, and runs as an account without rights', () => {
    const text = read('Dockerfile');
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    expect(copied.filter((name) => !existsSync(join(__dirname, '..', name)))).toEqual([]);
    expect(/^USER node$/m.test(text)).toBe(true);
  });

  it('the recommended Node is that of the image', () => {
    const [, image] = /^ARG NODE_IMAGE=node:(\d+)-/m.exec(read('Dockerfile')) ?? [];
    expect(image).toBe(read('.nvmrc').trim());
    expect(read('README.md')).toContain(`Node ${image} LTS is recommended`);
    expect(read('.ci/run')).toMatch(new RegExp(`\\bfor version in .*\\b${image}\\b`));
  });
});
