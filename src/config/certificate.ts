import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { describeUnreadable } from './readable-file';

/** The paths of a certificate and its key. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A problem: the name of a variable, and the end of a sentence that begins with this name. */
type FileProblem = readonly [variable: 'TLS_CERT' | 'TLS_KEY', problem: string];

/** Returns a problem of a certificate and its key; null if a server can use them. */
export const findCertificateProblem = ({ certFile, keyFile }: TlsFiles): FileProblem | null => {
  const [noCert, noKey] = [describeUnreadable(certFile), describeUnreadable(keyFile)];
  if (noCert !== null) return ['TLS_CERT', `names ${noCert}`];
  if (noKey !== null) return ['TLS_KEY', `names ${noKey}`];
  const [certPem, keyPem] = [readFileSync(certFile), readFileSync(keyFile)];
  const certificate = runOrNull(() => new X509Certificate(certPem));
  if (certificate === null) {
    return ['TLS_CERT', `names ${certFile}, which holds no certificate in PEM: name one that does`];
  }
  const key = runOrNull(() => createPrivateKey(keyPem));
  if (key === null) {
    return [
      'TLS_KEY',
      `names ${keyFile}, which holds no unencrypted private key in PEM: name one that does`,
    ];
  }
  if (!certificate.checkPrivateKey(key)) {
    return [
      'TLS_KEY',
      `names ${keyFile}, which is not the key of the first certificate in TLS_CERT: name the key that is`,
    ];
  }
  return runOrNull(() => createSecureContext({ cert: certPem, key: keyPem })) === null
    ? [
        'TLS_CERT',
        'and TLS_KEY are refused by OpenSSL, perhaps as too weak: name a pair of 2048 bits or more',
      ]
    : null;
};

const runOrNull = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};
