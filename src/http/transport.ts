import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Config } from '../config/config';
import { describeError, log } from '../ops/log';
import { CONNECTIONS_CHECKED_EVERY_MS, HEADERS_TIMEOUT_MS } from './pipeline/time-limits';

/**
 * The interval at which the certificate files are checked. Certificates are renewed every few
 * weeks, so the check may be slow.
 */
const CERTIFICATE_CHECKED_EVERY_MS = 5_000;

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
    connectionsCheckingInterval: CONNECTIONS_CHECKED_EVERY_MS,
  };
  if (tls === undefined) return { http: limits };
  return { https: { ...limits, ...readCertificate(tls), minVersion: 'TLSv1.2' } };
};

/** Loads changed certificate files for new connections without a restart. */
export const followCertificate = (
  server: Server | TlsServer,
  { tls }: Pick<Config, 'tls'>,
  checkedEveryMs = CERTIFICATE_CHECKED_EVERY_MS,
): void => {
  if (tls === undefined || !(server instanceof TlsServer)) return;
  const reload = (): void => {
    try {
      server.setSecureContext({ ...readCertificate(tls), minVersion: 'TLSv1.2' });
      log.info('the TLS certificate was read again');
    } catch (error) {
      // The two files are written one after the other, so the next change completes the pair.
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
