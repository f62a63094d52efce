import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { until } from '../../test/support/until';
import { followCertificate, createTransport } from './transport';

const ROOT = join(__dirname, '../..');
/** The paths of two certificates, without file extension, by the host name of each. */
const CERTIFICATES = {
  'receiver.example': join(ROOT, 'test/support/tls/self-signed'),
  localhost: join(ROOT, 'packages/embedded-eventstore/test/support/tls/localhost'),
} as const;

describe('TLS_CERT and TLS_KEY', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tls-'));
  const tls = { certFile: join(dir, 'cert.pem'), keyFile: join(dir, 'key.pem') };
  let server: Server;

  const install = (name: keyof typeof CERTIFICATES): void => {
    copyFileSync(`${CERTIFICATES[name]}.pem`, tls.certFile);
    copyFileSync(`${CERTIFICATES[name]}.key`, tls.keyFile);
  };

  beforeAll(async () => {
    install('receiver.example');
    const { https } = createTransport({ tls }) as { https: object };
    server = createServer(https, (_, response) => response.end('ok'));
    followCertificate(server, { tls }, 50);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });

  afterAll(async () => {
    await new Promise((closed) => server.close(closed));
    rmSync(dir, { recursive: true });
  });

  /**
   * Returns the name in the certificate that a new connection gets; null if the connection fails.
   */
  const readPresentedName = (options: object = {}): Promise<string | null> =>
    new Promise((answer) => {
      const { port } = server.address() as AddressInfo;
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
      socket.once('secureConnect', () => {
        answer(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      });
      socket.once('error', () => {
        answer(null);
      });
    });

  it('serve HTTPS, and refuse clients below TLS 1.2', async () => {
    expect(await readPresentedName()).toBe('receiver.example');
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' };
    expect(await readPresentedName(old)).toBeNull();
  });

  it('stay in use while a new pair is broken, and are replaced when it is complete', async () => {
    writeFileSync(tls.certFile, 'no certificate');
    expect(await readPresentedName()).toBe('receiver.example');
    install('localhost');
    await until('the new certificate', async () => (await readPresentedName()) === 'localhost');
    writeFileSync(tls.keyFile, 'no key');
    expect(await readPresentedName()).toBe('localhost');
  });
});
