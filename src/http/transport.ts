import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Config } from '../config/config';
import { describeError, log } from '../ops/log';
import { CONNECTION_CHECK_INTERVAL_MS, HEADERS_TIMEOUT_MS } from './pipeline/time-limits';

/**
 * The interval at which the certificate files are checked. Certificates are renewed every few
 * weeks, so an interval of seconds is short enough.
 */
const CERTIFICATE_CHECK_INTERVAL_MS = 5_000;

interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Selects plain HTTP, or HTTPS if a certificate is configured. */
export const createTransport = ({
  tls,
}: Pick<Config, 'tls'>): Readonly<Record<string, unknown>> => {
  const limits = {
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS,
  };
  if (tls === undefined) return { http: limits };
  return { https: { ...limits, ...readCertificate(tls), minVersion: 'TLSv1.2' } };
};

/** Loads changed certificate files for new connections without a restart. */
export const followCertificate = (
  server: Server | TlsServer,
  { tls }: Pick<Config, 'tls'>,
  checkedEveryMs = CERTIFICATE_CHECK_INTERVAL_MS,
): void => {
  if (tls === undefined || !(server instanceof TlsServer)) return;
  const reload = (): void => {
    try {
      server.setSecureContext({ ...readCertificate(tls), minVersion: 'TLSv1.2' });
      log.info('the TLS certificate was read again');
    } catch (error) {
      // One of the two files may be new and the other one not yet. The change of the second file
      // starts the next attempt.
      log.error(describeError(error), 'the TLS certificate cannot be read; the former one is kept');
    }
  };
  const files = [tls.certFile, tls.keyFile];
  for (const file of files) {
    watchFile(file, { interval: checkedEveryMs, persistent: false }, reload);
  }
  server.once('close', () => {
    for (const file of files) unwatchFile(file, reload);
  });
};

const readCertificate = ({ certFile, keyFile }: NonNullable<Config['tls']>): Certificate => ({
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
});
