import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type ChartValues, isValidValues, type Manifest, renderChart } from './support/chart';
import { listSchemaFaults } from './support/kubernetes';
import { listBrokenReferences } from './support/kubernetes-references';

const RULES = join(__dirname, '../deploy/prometheus/alerts.yml');

const EVERY_ROLE = ['api', 'projector', 'dispatcher', 'replayer', 'timers'];

const VALUE_SETS: Readonly<Record<string, ChartValues>> = {
  'the values of the chart': {},
  'one set with every role': {
    roleSets: { api: { roles: EVERY_ROLE.join(',') }, workers: null },
  },
  'one set for each role': {
    roleSets: {
      workers: null,
      ...Object.fromEntries(
        EVERY_ROLE.map((roles) => [
          roles,
          { replicas: 1, roles, resources: { limits: { memory: '512Mi', cpu: 2 } } },
        ]),
      ),
    },
  },
  'a service monitor': { serviceMonitor: { enabled: true, interval: '1m30s' } },
  'every value changed': {
    image: {
      repository: 'registry.example.com/service',
      tag: '',
      digest: `sha256:${'a'.repeat(64)}`,
      pullPolicy: 'Always',
    },
    existingSecret: {
      name: 'own',
      eventStoreUrlKey: 'a',
      databaseUrlKey: 'b',
      masterKeyKey: 'c',
      operatorTokenKey: 'd',
    },
    env: { TRUSTED_PROXIES: '10.0.0.0/8', LOG_REQUESTS: true, MAX_DESTINATIONS: 20 },
    service: { port: 8080 },
    podDisruptionBudget: { maxUnavailable: '25%' },
    serviceMonitor: { enabled: true, interval: '30s' },
    podAnnotations: { 'example.com/team': 'events' },
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'events', effect: 'NoSchedule' }],
  },
};

/** The objects in a manifest in which every name is allowed. */
const FREE =
  /(?:labels|matchLabels|annotations|nodeSelector|requests|limits|spec\.selector)\.[^ ]+$/;

type Fields = Record<string, unknown>;
type Path = readonly string[];
type Edit = (owner: Fields, key: string) => void;

const everything = renderChart(VALUE_SETS['every value changed']);

/** The path of every field in a manifest. */
const listPaths = (value: unknown, path: Path = []): Path[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, field]) => {
        const own = [...path, key];
        return Array.isArray(value) ? listPaths(field, own) : [own, ...listPaths(field, own)];
      });

const change = (manifest: Manifest, path: Path, edit: Edit): Manifest => {
  const copy = structuredClone(manifest);
  const follow = (value: Fields, key: string): Fields => value[key] as Fields;
  edit(path.slice(0, -1).reduce(follow, copy as unknown as Fields), path.at(-1) ?? '');
  return copy;
};

/** Makes an edit at every field, one at a time, and lists the fields whose change no schema refuses. */
const listUnrefused = (edit: Edit): string[] =>
  everything.flatMap((manifest) =>
    listPaths(manifest)
      .filter((path) => listSchemaFaults(change(manifest, path, edit)).length === 0)
      .map((path) => `${manifest.kind} ${path.join('.')}`),
  );

const misspell: Edit = (owner, key) => {
  owner[`${key}x`] = owner[key];
  Reflect.deleteProperty(owner, key);
};

const setWrongType: Edit = (owner, key) => {
  owner[key] = typeof owner[key] === 'object' ? 'a text' : { an: 'object' };
};

const breakAt = (kind: string, path: string, value: unknown): Manifest[] =>
  everything.map((manifest) =>
    manifest.kind === kind
      ? change(manifest, path.split(' '), (owner, key) => {
          owner[key] = value;
        })
      : manifest,
  );

const POD = 'spec template spec containers 0';

describe('the manifests of the Helm chart', () => {
  describe.each(Object.entries(VALUE_SETS))('with %s', (_, values) => {
    const manifests = renderChart(values);

    it('come from values that the schema of the chart accepts', () => {
      expect(isValidValues(values)).toBe(true);
    });

    it('follow the schemas that Kubernetes and the Prometheus operator publish', () => {
      expect(manifests.flatMap(listSchemaFaults)).toEqual([]);
    });

    it('name only labels, ports and volumes that exist', () => {
      expect(listBrokenReferences(manifests)).toEqual([]);
    });
  });

  it('are refused if any field is misspelt, except where every name is allowed', () => {
    const unrefused = listUnrefused(misspell);
    expect(unrefused.filter((path) => !FREE.test(path))).toEqual([]);
    expect(unrefused).toContain('Service spec.selector.app.kubernetes.io/instance');
  });

  it('are refused if any field has a value of a wrong type', () => {
    expect(listUnrefused(setWrongType)).toEqual([]);
  });

  it.each([
    ['Deployment', 'apiVersion', 'apps/v2'],
    ['Deployment', 'kind', 'Deploiment'],
    ['Service', `spec ports 0 port`, '80'],
    ['Deployment', `${POD} imagePullPolicy`, 'Sometimes'],
  ])('are refused if the %s has for %s the value %j', (kind, path, value) => {
    expect(breakAt(kind, path, value).flatMap(listSchemaFaults)).not.toEqual([]);
  });

  it.each([
    [
      'Deployment',
      'spec selector matchLabels',
      { a: 'b' },
      'prod-api does not select its own pods',
    ],
    ['Deployment', `${POD} ports 0 name`, 'web', 'prod-api has no port http for a probe'],
    ['Deployment', `${POD} volumeMounts 0 name`, 'disk', 'prod-api has no volume disk'],
    ['Deployment', `${POD} env 0 name`, 'MASTER_KEY', 'prod-api sets MASTER_KEY twice'],
    ['Service', 'spec selector', { a: 'b' }, 'the service prod selects no pods'],
    ['Service', 'spec ports 0 targetPort', 'web', 'prod-api has no port web for prod'],
    ['Service', 'spec ports 0 name', 'web', 'the service has no port http for prod'],
    ['Service', 'metadata labels', { a: 'b' }, 'prod reads 0 services, not one'],
    [
      'PodDisruptionBudget',
      'spec selector matchLabels',
      { 'app.kubernetes.io/instance': 'prod' },
      'the disruption budget prod-api covers 2 deployments, not one',
    ],
    ['ServiceMonitor', 'spec jobLabel', 'job', 'the service has no label job'],
  ])('are refused if the %s names for %s what does not exist: %j', (kind, path, value, fault) => {
    expect(listBrokenReferences(breakAt(kind, path, value))).toContain(fault);
  });
});

describe('the Prometheus rules', () => {
  it('follow the schema that the Prometheus operator publishes for a PrometheusRule', () => {
    const rules = {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: 'alerts' },
      spec: parse(readFileSync(RULES, 'utf8')) as object,
    };
    expect(listSchemaFaults(rules)).toEqual([]);
  });
});
