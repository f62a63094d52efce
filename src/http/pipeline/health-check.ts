import type { FastifyRequest } from 'fastify';

/**
 * True if the response says that the process is not ready. It is no failed request: probes ask every
 * few seconds, and the changes of readiness are logged once (`readiness.changed`).
 */
export const isNotReadyAnswer = ({ routeOptions }: FastifyRequest, status: number): boolean =>
  status === 503 && routeOptions.url?.startsWith('/health') === true;
