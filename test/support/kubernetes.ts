import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';

/** The kinds that this repository has manifests of. Each class checks by the schema that its project publishes. */
const MODELS = [Deployment, PodDisruptionBudget, Service, ServiceMonitor, PrometheusRule];

/**
 * Lists the faults of a manifest against the published schema of its kind. A field that the schema
 * does not know is a fault too, although Kubernetes by itself only warns of it.
 */
export const listSchemaFaults = (manifest: {
  readonly apiVersion: string;
  readonly kind: string;
}): string[] => {
  const { apiVersion, kind } = manifest;
  const model = MODELS.find((each) => each.apiVersion === apiVersion && each.kind === kind);
  if (model === undefined) return [`${apiVersion} ${kind}: there is no schema of this kind`];
  const watched = watchReads(manifest, '');
  const faults: string[] = [];
  try {
    // The method of the class, called on the data itself: the constructor would copy the data, which reads all of it.
    (model.prototype as { validate: () => void }).validate.call(watched.value);
  } catch (error) {
    faults.push((error as Error).message);
  }
  const unknown = watched.listUnread();
  return [...faults, ...unknown.map((path) => `data${path}: the schema does not know this field`)];
};

interface Watched {
  readonly value: unknown;
  /** The paths of all fields that nobody has read. */
  readonly listUnread: () => string[];
}

/**
 * Watches which fields of a value are read. A compiled schema reads every field that it knows, and
 * iterates over an object whose keys are free, such as labels. So it knows no field that it does not read.
 */
const watchReads = (value: unknown, path: string): Watched => {
  if (typeof value !== 'object' || value === null) return { value, listUnread: () => [] };
  const fields = new Map(
    Object.entries(value).map(([key, field]) => [key, watchReads(field, `${path}/${key}`)]),
  );
  const read = new Set<string>();
  const proxy = new Proxy(value, {
    get: (target, key): unknown => {
      const field = typeof key === 'string' ? fields.get(key) : undefined;
      if (field === undefined) return Reflect.get(target, key) as unknown;
      read.add(key as string);
      return field.value;
    },
    ownKeys: (target) => {
      for (const key of fields.keys()) read.add(key);
      return Reflect.ownKeys(target);
    },
  });
  const listUnread = (): string[] =>
    [...fields].flatMap(([key, field]) =>
      read.has(key) ? field.listUnread() : [`${path}/${key}`],
    );
  return { value: proxy, listUnread };
};
