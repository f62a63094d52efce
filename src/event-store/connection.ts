import { EventStoreDBClient } from '@eventstore/db-client';
import { setTimeout as delay } from 'node:timers/promises';
import { AppendStream } from './append-stream';
import { LinkProgress } from './link-progress';
import { decodeBase64Natively } from './native-base64';
import { ignoreProxies } from './no-proxies';
import { keepQuietAboutIpAddresses } from './quiet-ip-addresses';
import { SubscriptionWatch } from './subscription-watch';

/** Streams one connection carries before the next is opened; a real server stops at 100. */
const STREAMS_PER_CONNECTION = 80;
/** The client's default; other values open connections of their own (grpc-js shares equal channels). */
const KEEP_ALIVE_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
const ADDRESS = /^[a-z+]+:\/\/(?:([^:@/]+):[^@]+@)?([^/?]+)/;

interface Slot {
  readonly client: EventStoreDBClient;
  open: number;
}

/** What is told of an append beside its time. */
export interface AppendedFacts {
  readonly events: number;
  /** Of the request that caused it; undefined where the service acted by itself. */
  readonly traceparent: string | undefined;
}

/** Where the event store's door reports its appends. */
export interface AppendMeasures {
  readonly appended: (seconds: number, appended: AppendedFacts) => void;
  readonly conflicted: () => void;
}

/** Reports to nobody. */
export const NO_MEASURES: AppendMeasures = {
  appended: () => undefined,
  conflicted: () => undefined,
};

/** A client for one long-lived subscription; `release` gives its place on the connection back. */
export interface SubscriptionLease {
  readonly client: EventStoreDBClient;
  release(): void;
}

/**
 * The connections to EventStoreDB: one for appends and reads, and as many as it takes for
 * subscriptions. On one connection the 101st open stream hangs without an error, so they are counted.
 */
export class EventStoreConnection {
  readonly client: EventStoreDBClient;
  /** What every subscription of the process reports about itself. */
  readonly watch = new SubscriptionWatch();
  /** Whether the category streams follow what this process appends. */
  readonly links = new LinkProgress();
  /** The way of every append. */
  readonly appends: AppendStream;
  /** Told how long appends took and which met another writer; set where the metrics are made. */
  measures: AppendMeasures = NO_MEASURES;
  private readonly slots: Slot[] = [];

  constructor(private readonly connectionString: string) {
    decodeBase64Natively();
    ignoreProxies();
    keepQuietAboutIpAddresses();
    this.client = this.connect(KEEP_ALIVE_MS);
    this.appends = new AppendStream(this.client);
  }

  /** Host and port, of each member of a cluster, for people: without user and password. */
  get address(): string {
    return ADDRESS.exec(this.connectionString)?.[2] ?? '';
  }

  /** What messages about the connection name; never the password. */
  get facts(): { readonly address: string; readonly user: string | null; readonly tls: boolean } {
    const user = ADDRESS.exec(this.connectionString)?.[1];
    return {
      address: this.address,
      user: user === undefined ? null : decodeURIComponent(user),
      tls: !/[?&]tls=false/i.test(this.connectionString),
    };
  }

  leaseSubscription(): SubscriptionLease {
    const slot = this.slots.find((each) => each.open < STREAMS_PER_CONNECTION) ?? this.addSlot();
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

  /** Ends every call. The client waits for each of them to end; a stop must not wait for ever. */
  async close(): Promise<void> {
    const clients = [this.client, ...this.slots.map((slot) => slot.client)];
    const disposed = Promise.all(clients.map((client) => client.dispose()));
    await Promise.race([disposed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private addSlot(): Slot {
    const slot = { client: this.connect(KEEP_ALIVE_MS + 1 + this.slots.length), open: 0 };
    this.slots.push(slot);
    return slot;
  }

  private connect(keepAliveMs: number): EventStoreDBClient {
    const separator = this.connectionString.includes('?') ? '&' : '?';
    return EventStoreDBClient.connectionString(
      `${this.connectionString}${separator}keepAliveInterval=${keepAliveMs}`,
    );
  }
}
