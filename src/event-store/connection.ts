import type { EventStoreDBClient } from '@eventstore/db-client';
import { setTimeout as delay } from 'node:timers/promises';
import { AppendStream } from './append-stream';
import { LinkProgress } from './link-progress';
import { decodeBase64Natively } from './native-base64';
import { ignoreProxies } from './no-proxies';
import { openClient } from './open-client';
import { suppressIpAddressWarning } from './suppress-ip-warning';
import { SubscriptionWatch } from './subscription-watch';

/**
 * Open streams on one connection before the next connection is opened. A real server allows 100.
 */
const STREAMS_PER_CONNECTION = 80;
/**
 * The interval of keep-alive pings on the first connection: the client's default. Each further
 * connection has another interval, because grpc-js would share one connection between channels
 * with equal options.
 */
const KEEP_ALIVE_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
const CONNECTION_STRING_PATTERN = /^[a-z+]+:\/\/(?:([^:@/]+):[^@]+@)?([^/?]+)/;

interface SubscriptionConnection {
  readonly client: EventStoreDBClient;
  open: number;
}

/** Facts about an append in addition to its duration. */
export interface AppendFacts {
  readonly events: number;
  /** The trace context of the request that caused it; undefined if the service acted by itself. */
  readonly traceparent: string | undefined;
}

/** Receives measurements of appends. */
export interface AppendMetrics {
  readonly recordAppend: (seconds: number, facts: AppendFacts) => void;
  readonly recordConflict: () => void;
}

/** Discards the measurements. */
export const NO_METRICS: AppendMetrics = {
  recordAppend: () => undefined,
  recordConflict: () => undefined,
};

interface ConnectionFacts {
  readonly address: string;
  readonly user: string | null;
  readonly tls: boolean;
  /** The file of the certificate authority; null if the URL names none. */
  readonly caFile: string | null;
}

/** A client for one long subscription. `release` frees its place on the connection. */
export interface SubscriptionLease {
  readonly client: EventStoreDBClient;
  release(): void;
}

/**
 * The connections to EventStoreDB: one for appends and reads, and as many as necessary for
 * subscriptions. The 101st open stream on a connection hangs without an error, so open streams are
 * counted.
 */
export class EventStoreConnection {
  readonly client: EventStoreDBClient;
  /** The state of every subscription of the process. */
  readonly subscriptions = new SubscriptionWatch();
  /** Tracks whether the category streams contain links to the events that this process appends. */
  readonly links = new LinkProgress();
  /** The call over which all events are appended. */
  readonly appends: AppendStream;
  /** Receives the duration and conflicts of appends. It is set where the metrics are created. */
  appendMetrics: AppendMetrics = NO_METRICS;
  private readonly subscriptionConnections: SubscriptionConnection[] = [];

  constructor(
    private readonly connectionString: string,
    /** Is called with each client before its first call. */
    private readonly prepareClient: (client: EventStoreDBClient) => void = () => undefined,
  ) {
    decodeBase64Natively();
    ignoreProxies();
    suppressIpAddressWarning();
    this.client = this.connect(KEEP_ALIVE_MS);
    this.appends = new AppendStream(this.client);
  }

  /**
   * Host and port of each member of a cluster, for messages. It contains neither user nor password.
   */
  get address(): string {
    return CONNECTION_STRING_PATTERN.exec(this.connectionString)?.[2] ?? '';
  }

  /** The facts that messages about the connection name. The password is never among them. */
  get facts(): ConnectionFacts {
    const user = CONNECTION_STRING_PATTERN.exec(this.connectionString)?.[1];
    return {
      address: this.address,
      user: user === undefined ? null : decodeURIComponent(user),
      tls: !/[?&]tls=false/i.test(this.connectionString),
      caFile: readCaFile(this.connectionString),
    };
  }

  leaseSubscription(): SubscriptionLease {
    const slot =
      this.subscriptionConnections.find((each) => each.open < STREAMS_PER_CONNECTION) ??
      this.addSubscriptionConnection();
    slot.open += 1;
    let released = false;
    return {
      client: slot.client,
      release: () => {
        if (!released) slot.open -= 1;
        released = true;
      },
    };
  }

  /** Ends all calls. The client waits for each of them, but a stop must not wait for ever. */
  async close(): Promise<void> {
    const clients = [this.client, ...this.subscriptionConnections.map((slot) => slot.client)];
    const disposed = Promise.all(clients.map((client) => client.dispose()));
    await Promise.race([disposed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private addSubscriptionConnection(): SubscriptionConnection {
    const slot = {
      client: this.connect(KEEP_ALIVE_MS + 1 + this.subscriptionConnections.length),
      open: 0,
    };
    this.subscriptionConnections.push(slot);
    return slot;
  }

  private connect(keepAliveMs: number): EventStoreDBClient {
    const separator = this.connectionString.includes('?') ? '&' : '?';
    const client = openClient(
      `${this.connectionString}${separator}keepAliveInterval=${keepAliveMs}`,
    );
    this.prepareClient(client);
    return client;
  }
}

/** The client accepts the name of a parameter in any case, with and without `_` and `-`. */
const readCaFile = (connectionString: string): string | null => {
  const pairs = (connectionString.split('?')[1] ?? '').split('&').map((pair) => pair.split('='));
  const found = pairs.find(([name]) => name?.toLowerCase().replace(/[_-]/g, '') === 'tlscafile');
  return found?.[1] === undefined ? null : decodeURIComponent(found[1]);
};
