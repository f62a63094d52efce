import Ajv from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { renderTemplate } from './support/helm';

const chart = join(__dirname, '../deploy/helm');
const read = (path: string): string => readFileSync(join(chart, path), 'utf8');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Record<string, unknown>;
}

type Values = Record<string, unknown>;

const { name, appVersion } = parse(read('Chart.yaml')) as { name: string; appVersion: string };
const defaults = parse(read('values.yaml')) as Values;
const isValid = new Ajv({ allowUnionTypes: true }).compile(
  JSON.parse(read('values.schema.json')) as object,
);

const renderManifests = (values: Values): Manifest[] =>
  readdirSync(join(chart, 'templates')).flatMap((file) => {
    const text = renderTemplate(read(`templates/${file}`), {
      Values: values,
      Release: { Name: 'prod' },
      Chart: { Name: name, AppVersion: appVersion },
    });
    return parseAllDocuments(text)
      .map((document) => {
        expect(document.errors).toEqual([]);
        return document.toJS() as Manifest | null;
      })
      .filter((manifest): manifest is Manifest => manifest !== null);
  });

const listKinds = (manifests: readonly Manifest[]): string[] =>
  manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();

interface PodSpec {
  readonly template: {
    readonly spec: {
      readonly securityContext: { readonly runAsNonRoot: boolean };
      readonly containers: readonly {
        readonly image: string;
        readonly env: readonly { readonly name: string; readonly value?: string }[];
        readonly securityContext: Record<string, unknown>;
        readonly resources: Record<string, unknown>;
      }[];
    };
  };
}

const listPods = (manifests: readonly Manifest[]): PodSpec['template']['spec'][] =>
  manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => (spec as unknown as PodSpec).template.spec);

describe('the Helm chart', () => {
  it('has default values that its schema accepts', () => {
    expect(isValid(defaults)).toBe(true);
  });

  it.each([
    ['a role that does not exist', { roleSets: { api: { replicas: 1, roles: 'api,cook' } } }],
    ['a digest that is none', { image: { repository: 'x', digest: 'latest' } }],
    ['a value that nobody reads', { replicaCount: 3 }],
  ])('refuses %s', (_, values) => {
    expect(isValid({ ...defaults, ...values })).toBe(false);
  });

  it('makes one Deployment with its disruption budget for each set of roles', () => {
    expect(listKinds(renderManifests(defaults))).toEqual([
      'Deployment prod-api',
      'Deployment prod-workers',
      'PodDisruptionBudget prod-api',
      'PodDisruptionBudget prod-workers',
      'Service prod',
    ]);
  });

  it('runs without root and without a writable root file system', () => {
    for (const pod of listPods(renderManifests(defaults))) {
      expect(pod.securityContext.runAsNonRoot).toBe(true);
      expect(pod.containers[0]?.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
      });
      expect(pod.containers[0]?.resources).toHaveProperty('limits.memory');
    }
  });

  it('takes every secret from the secret that exists', () => {
    const secret = ['EVENTSTORE_URL', 'DATABASE_URL', 'MASTER_KEY', 'OPERATOR_TOKEN'];
    for (const pod of listPods(renderManifests(defaults))) {
      const variables = pod.containers[0]?.env ?? [];
      for (const key of secret) {
        expect(variables.find((each) => each.name === key)).not.toHaveProperty('value');
      }
    }
  });

  it('pins the image by its digest where one is given', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const [pod] = listPods(
      renderManifests({
        ...defaults,
        image: { repository: 'r', tag: '', digest, pullPolicy: 'Always' },
      }),
    );
    expect(pod?.containers[0]?.image).toBe(`r@${digest}`);
  });

  it('passes further variables on and lets Prometheus scrape every process where asked for', () => {
    const manifests = renderManifests({
      ...defaults,
      env: { TRUSTED_PROXIES: '10.0.0.0/8' },
      serviceMonitor: { enabled: true, interval: '30s' },
    });
    expect(listPods(manifests)[0]?.containers[0]?.env).toContainEqual({
      name: 'TRUSTED_PROXIES',
      value: '10.0.0.0/8',
    });
    expect(listKinds(manifests)).toContain('ServiceMonitor prod');
  });
});
