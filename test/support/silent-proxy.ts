import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy between the service and a server. While it is silent it accepts connections, takes all
 * bytes and passes none on, like a server that hangs or a network that drops packets.
 */
export class SilentProxy {
  private readonly sockets = new Set<Socket>();
  private isSilent = false;

  private constructor(private readonly server: Server) {}

  /** Starts a proxy in front of a server on this machine. */
  static async start(port: number, host = '127.0.0.1'): Promise<SilentProxy> {
    const server = createServer({ allowHalfOpen: true });
    const proxy = new SilentProxy(server);
    server.on('connection', (client) => {
      proxy.join(client, connect({ port, host, allowHalfOpen: true }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on nothing gets through. Connections that fall silent stay so. */
  fallSilent(): void {
    this.isSilent = true;
  }

  /** New connections get through again. */
  recover(): void {
    this.isSilent = false;
  }

  /** Breaks every connection and accepts no more. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, server: Socket): void {
    let isCutOff = false;
    const passesBytes = (): boolean => {
      isCutOff ||= this.isSilent;
      return !isCutOff;
    };
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (bytes) => {
        if (passesBytes()) to.write(bytes);
      });
      from.on('end', () => {
        if (passesBytes()) to.end();
      });
      // A connection that was cut off stays open at the other side.
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        if (passesBytes()) to.destroy();
      });
    }
  }
}
