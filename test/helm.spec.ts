import { isValidValues, type Manifest, renderChart } from './support/chart';

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
    expect(isValidValues({})).toBe(true);
  });

  it.each([
    ['a role that does not exist', { roleSets: { api: { replicas: 1, roles: 'api,cook' } } }],
    ['a digest that is none', { image: { repository: 'x', digest: 'latest' } }],
    ['a value that nobody reads', { replicaCount: 3 }],
    ['a misspelt name', { service: { prot: 80 } }],
    [
      'a disruption budget that the chart does not pass on',
      { podDisruptionBudget: { minAvailable: 1 } },
    ],
    ['a key of the secret that nobody reads', { existingSecret: { smtpUrlKey: 'SMTP_URL' } }],
    ['a name that no Deployment can have', { roleSets: { API: { replicas: 1, roles: 'api' } } }],
    ['no set to which requests go', { roleSets: { api: null } }],
    ['a set for requests that does not answer them', { roleSets: { api: { roles: 'timers' } } }],
    ['a variable that the chart sets itself', { env: { MASTER_KEY: 'x' } }],
    ['another port than that of the probes', { env: { PORT: 4000 } }],
    [
      'a token for metrics that the service monitor does not have',
      { serviceMonitor: { enabled: true }, env: { METRICS_TOKEN: 'x' } },
    ],
    ['an annotation that is no text', { podAnnotations: { 'example.com/number': 1 } }],
  ])('refuses %s', (_, values) => {
    expect(isValidValues(values)).toBe(false);
  });

  it('makes one Deployment with its disruption budget for each set of roles', () => {
    expect(listKinds(renderChart())).toEqual([
      'Deployment prod-api',
      'Deployment prod-workers',
      'PodDisruptionBudget prod-api',
      'PodDisruptionBudget prod-workers',
      'Service prod',
    ]);
  });

  it('runs without root and without a writable root file system', () => {
    for (const pod of listPods(renderChart())) {
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
    for (const pod of listPods(renderChart())) {
      const variables = pod.containers[0]?.env ?? [];
      for (const key of secret) {
        expect(variables.find((each) => each.name === key)).not.toHaveProperty('value');
      }
    }
  });

  it('pins the image by its digest where one is given', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const [pod] = listPods(
      renderChart({
        image: { repository: 'r', tag: '', digest, pullPolicy: 'Always' },
      }),
    );
    expect(pod?.containers[0]?.image).toBe(`r@${digest}`);
  });

  it('passes further variables on and lets Prometheus scrape every process where asked for', () => {
    const manifests = renderChart({
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
