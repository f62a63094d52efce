import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Config } from '../config/config';
import type { Siblings } from '../config/siblings';
import { LocalListeners } from '../delivery/webhook/local-listeners';
import { Metrics, type MetricValues } from '../ops/metrics';
import { Projector } from '../projections/projector';
import { answerForProjector } from '../projections/remote-projector';
import type { Readiness } from './modules/readiness';

/** The readiness check that waits for other processes; each of them is ready without the others. */
export const PROCESSES_CHECK = 'processes';

const METRICS = 'metrics';
const LISTENER_ADMITTED = 'listener-admitted';

/** Connects parts of this process with the parts of other processes that they depend on. */
export const connectSiblings = (
  http: NestFastifyApplication,
  siblings: Siblings,
  readiness: Readiness,
): void => {
  readiness.observe(PROCESSES_CHECK, () => {
    const missing = siblings.listMissing();
    return missing.length === 0 ? 'ok' : `missing: ${missing.join(' ')}`;
  });
  const metrics = http.get(Metrics);
  siblings.answer(METRICS, () => metrics.collectValues());
  metrics.addProcesses({
    own: siblings.name,
    others: async () => (await siblings.callAll(METRICS)) as ReadonlyMap<string, MetricValues>,
  });
  if (http.get(Config).roles.has('projector')) {
    answerForProjector(siblings, http.get(Projector, { strict: false }));
  }
  shareListeners(http.get(LocalListeners, { strict: false }), siblings);
};

/** A listener proves itself to the API, and the process that delivers to it must know of it. */
const shareListeners = (listeners: LocalListeners, siblings: Siblings): void => {
  listeners.onAdmitted = (url) => siblings.callAll(LISTENER_ADMITTED, url);
  siblings.answer(LISTENER_ADMITTED, (url) => {
    listeners.admit(url as string);
  });
};
