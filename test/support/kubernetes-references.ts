import type { Manifest } from './chart';

type Labels = Readonly<Record<string, string>>;

interface Named {
  readonly name: string;
}

interface Container {
  readonly ports: readonly Named[];
  readonly env: readonly Named[];
  readonly volumeMounts: readonly Named[];
  readonly [probe: string]: unknown;
}

interface Workload {
  readonly name: string;
  readonly selector: Labels;
  readonly labels: Labels;
  readonly containers: readonly Container[];
  readonly volumes: readonly Named[];
}

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'];

/**
 * Lists what a manifest names and no other manifest has: labels, ports, volumes. No schema can see
 * that, and Kubernetes accepts it: the service then has no pods, or nobody reads the metrics.
 */
export const listBrokenReferences = (manifests: readonly Manifest[]): string[] => {
  const workloads = ofKind(manifests, 'Deployment').map(readWorkload);
  const services = ofKind(manifests, 'Service');
  return [
    ...listRepeated(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).map(
      (name) => `${name} is there twice`,
    ),
    ...workloads.flatMap((workload) => checkWorkload(workload, workloads)),
    ...services.flatMap((service) => checkService(service, workloads)),
    ...ofKind(manifests, 'PodDisruptionBudget').flatMap((budget) => checkBudget(budget, workloads)),
    ...ofKind(manifests, 'ServiceMonitor').flatMap((monitor) => checkMonitor(monitor, services)),
  ];
};

const checkWorkload = (workload: Workload, all: readonly Workload[]): string[] => {
  const { name, selector, labels, containers, volumes } = workload;
  const owners = all.filter((other) => matches(other.selector, labels));
  return [
    ...(matches(selector, labels) ? [] : [`${name} does not select its own pods`]),
    ...(owners.length > 1 ? [`the pods of ${name} belong to several deployments`] : []),
    ...containers.flatMap(({ env, volumeMounts, ...container }) => [
      ...listRepeated(env.map((each) => each.name)).map((key) => `${name} sets ${key} twice`),
      ...listMissing(volumeMounts, volumes).map((volume) => `${name} has no volume ${volume}`),
      ...PROBES.flatMap((probe) => readProbePort(container[probe]))
        .filter((port) => !has(container.ports, port))
        .map((port) => `${name} has no port ${port} for a probe`),
    ]),
  ];
};

const checkService = ({ metadata, spec }: Manifest, workloads: readonly Workload[]): string[] => {
  const { selector, ports } = spec as { selector: Labels; ports: { targetPort: string }[] };
  const selected = workloads.filter(({ labels }) => matches(selector, labels));
  if (selected.length === 0) return [`the service ${metadata.name} selects no pods`];
  return selected.flatMap(({ name, containers }) =>
    ports
      .filter(({ targetPort }) => !containers.some((each) => has(each.ports, targetPort)))
      .map(({ targetPort }) => `${name} has no port ${targetPort} for ${metadata.name}`),
  );
};

const checkBudget = ({ metadata, spec }: Manifest, workloads: readonly Workload[]): string[] => {
  const { matchLabels } = spec['selector'] as { matchLabels: Labels };
  const selected = workloads.filter(({ labels }) => matches(matchLabels, labels));
  return selected.length === 1
    ? []
    : [`the disruption budget ${metadata.name} covers ${selected.length} deployments, not one`];
};

const checkMonitor = ({ metadata, spec }: Manifest, services: readonly Manifest[]): string[] => {
  const { selector, jobLabel, endpoints } = spec as {
    selector: { matchLabels: Labels };
    jobLabel: string;
    endpoints: { port: string }[];
  };
  const selected = services.filter((each) => matches(selector.matchLabels, readLabels(each)));
  if (selected.length !== 1) return [`${metadata.name} reads ${selected.length} services, not one`];
  return selected.flatMap((service) => [
    ...(jobLabel in readLabels(service) ? [] : [`the service has no label ${jobLabel}`]),
    ...endpoints
      .filter(({ port }) => !has(service.spec['ports'] as Named[], port))
      .map(({ port }) => `the service has no port ${port} for ${metadata.name}`),
  ]);
};

const readWorkload = ({ metadata, spec }: Manifest): Workload => {
  const { selector, template } = spec as {
    selector: { matchLabels: Labels };
    template: {
      metadata: { labels: Labels };
      spec: Pick<Workload, 'containers' | 'volumes'>;
    };
  };
  return {
    name: metadata.name,
    selector: selector.matchLabels,
    labels: template.metadata.labels,
    containers: template.spec.containers,
    volumes: template.spec.volumes,
  };
};

const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((each) => each.kind === kind);

const readLabels = ({ metadata }: Manifest): Labels => metadata.labels ?? {};

const readProbePort = (probe: unknown): string[] =>
  probe === undefined ? [] : [(probe as { httpGet: { port: string } }).httpGet.port];

/** True if every label of a selector is among the labels. An empty selector selects nothing here. */
const matches = (selector: Labels, labels: Labels): boolean =>
  Object.keys(selector).length > 0 &&
  Object.entries(selector).every(([key, value]) => labels[key] === value);

const has = (list: readonly Named[], name: string): boolean =>
  list.some((each) => each.name === name);

const listMissing = (needed: readonly Named[], list: readonly Named[]): string[] =>
  needed.map(({ name }) => name).filter((name) => !has(list, name));

const listRepeated = (names: readonly string[]): string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);
