import {
  type CallCredentials,
  type ChannelInterface,
  Metadata,
  status as Status,
} from '@grpc/grpc-js';
import { FRAME_HEADER_BYTES, MessageSplitter } from '../protocol/framing';
import {
  type CallHeaders,
  decodeJson,
  encodeJson,
  type Part,
  PartKind,
  type PacketWriter,
  WINDOW_BYTES,
} from '../transport/packet';

type Call = ReturnType<ChannelInterface['createCall']>;
type Listener = Parameters<Call['start']>[1];
type StatusObject = Parameters<Listener['onReceiveStatus']>[0];
type Context = Parameters<Call['sendMessageWithContext']>[0];

interface ThreadCallOptions {
  readonly number: number;
  readonly path: string;
  readonly deadline: Date | number;
  readonly writer: PacketWriter;
  /** Registers a call to receive what the server sends. Returns false if the server has ended. */
  readonly begin: (call: ThreadCall) => boolean;
  /** Removes a call, so that everything that the server still sends for it is ignored. */
  readonly forget: () => void;
}

const SERVICE_URL = 'https://localhost';

/**
 * One call from a client to the server in another thread. To the client it looks like a call of
 * grpc-js.
 */
export class ThreadCall implements Call {
  readonly #splitter = new MessageSplitter();
  #listener: Listener | undefined;
  #credentials: CallCredentials | undefined;
  #deadlineTimer: NodeJS.Timeout | undefined;
  /** Parts that the client sends before its credentials are known. */
  #earlyParts: (() => void)[] | undefined = [];
  /** Received messages that the client has not asked for yet. */
  #unread: Buffer[] = [];
  #wantsMessage = false;
  #isDelivering = false;
  #status: StatusObject | undefined;
  #isStatusReported = false;
  /** The number of sent bytes that the server has not reported as read. */
  #sentBytes = 0;
  /** The callbacks of writes that wait until the server has read more. */
  #waiting: (() => void)[] = [];
  #uncreditedBytes = 0;

  constructor(private readonly options: ThreadCallOptions) {}

  start(metadata: Metadata, listener: Listener): void {
    this.#listener = listener;
    if (this.#status) this.reportStatus();
    else if (!this.options.begin(this)) this.break();
    else {
      this.startDeadline();
      if (this.#credentials) void this.openWithCredentials(metadata, this.#credentials);
      else this.open(metadata);
    }
  }

  sendMessageWithContext({ callback }: Context, message: Buffer): void {
    this.run(() => {
      if (this.#status) {
        // This is not an error of the port. The status of the call reports the failure, as after a
        // broken connection.
        callback?.();
        return;
      }
      this.send(PartKind.message, message);
      this.#sentBytes += message.length;
      if (this.#sentBytes < WINDOW_BYTES) callback?.();
      else if (callback) this.#waiting.push(callback);
    });
  }

  halfClose(): void {
    this.run(() => {
      if (!this.#status) this.send(PartKind.halfClose);
    });
  }

  startRead(): void {
    this.#wantsMessage = true;
    this.deliverNext();
    this.reportStatusWhenRead();
  }

  cancelWithStatus(code: Status, details: string): void {
    // The server does not know a call that has not been opened yet.
    if (!this.#status && !this.#earlyParts) this.send(PartKind.cancel);
    this.end({ code, details, metadata: new Metadata() });
  }

  setCredentials(credentials: CallCredentials): void {
    this.#credentials = this.#credentials?.compose(credentials) ?? credentials;
  }

  getPeer(): string {
    return 'thread';
  }

  getCallNumber(): number {
    return this.options.number;
  }

  getAuthContext(): null {
    return null;
  }

  /** Handles one part of a packet from the server. */
  handle({ kind, content }: Part): void {
    if (this.#status) return;
    switch (kind) {
      case PartKind.headers:
        this.#listener?.onReceiveMetadata(new Metadata());
        return;
      case PartKind.frames:
        this.receive(content);
        return;
      case PartKind.trailers:
        this.end(readStatus(decodeJson(content)));
        return;
      case PartKind.broken:
        this.break();
        return;
      case PartKind.credit:
        this.addCredit(content.readUInt32BE());
        return;
      default:
        throw new Error(`The event store sent a part of kind ${kind}.`);
    }
  }

  /** Ends the call because the server is gone. */
  break(): void {
    const details = 'Connection dropped';
    this.end({ code: Status.UNAVAILABLE, details, metadata: new Metadata() });
  }

  private startDeadline(): void {
    const { deadline } = this.options;
    if (deadline === Infinity) return;
    const remainingMs = Number(deadline) - Date.now();
    this.#deadlineTimer = setTimeout(
      () => {
        this.cancelWithStatus(Status.DEADLINE_EXCEEDED, 'Deadline exceeded');
      },
      Math.min(Math.max(0, remainingMs), TIMER_MS_MAX),
    );
  }

  private async openWithCredentials(
    metadata: Metadata,
    credentials: CallCredentials,
  ): Promise<void> {
    const options = { service_url: SERVICE_URL, method_name: this.options.path };
    try {
      const more = await credentials.generateMetadata(options);
      const all = metadata.clone();
      all.merge(more);
      if (!this.#status) this.open(all);
    } catch (error) {
      const details = `Getting metadata from plugin failed with error: ${String(error)}`;
      this.end({ code: Status.UNAUTHENTICATED, details, metadata: new Metadata() });
    }
  }

  private open(metadata: Metadata): void {
    const headers = { ...readHeaders(metadata), ':path': this.options.path };
    this.send(PartKind.open, encodeJson(headers));
    const early = this.#earlyParts ?? [];
    this.#earlyParts = undefined;
    for (const send of early) send();
  }

  private run(send: () => void): void {
    if (this.#earlyParts && !this.#status) this.#earlyParts.push(send);
    else send();
  }

  private send(kind: PartKind, content?: Uint8Array): void {
    this.options.writer.add(this.options.number, kind, content);
  }

  private receive(frames: Buffer): void {
    try {
      this.#splitter.push(frames, (message) => this.#unread.push(message));
    } catch (error) {
      this.cancelWithStatus(Status.RESOURCE_EXHAUSTED, String(error));
      return;
    }
    this.deliverNext();
  }

  /** Delivers as many messages as the client asked for, each in a separate step as in grpc-js. */
  private deliverNext(): void {
    if (!this.#wantsMessage || this.#isDelivering || this.#isStatusReported) return;
    const message = this.#unread.shift();
    if (!message) return;
    this.#wantsMessage = false;
    this.#isDelivering = true;
    process.nextTick(() => {
      this.#isDelivering = false;
      if (this.#isStatusReported) return;
      this.reportRead(message.length + FRAME_HEADER_BYTES);
      this.#listener?.onReceiveMessage(message);
      this.deliverNext();
      this.reportStatusWhenRead();
    });
  }

  private reportRead(bytes: number): void {
    this.#uncreditedBytes += bytes;
    if (this.#uncreditedBytes < WINDOW_BYTES / 2 || this.#status) return;
    this.options.writer.addCredit(this.options.number, this.#uncreditedBytes);
    this.#uncreditedBytes = 0;
  }

  private addCredit(bytes: number): void {
    this.#sentBytes -= bytes;
    if (this.#sentBytes < WINDOW_BYTES) this.releaseWriters();
  }

  private releaseWriters(): void {
    for (const callback of this.#waiting.splice(0)) callback();
  }

  private end(status: StatusObject): void {
    // A failure replaces a successful end that the client has not been given yet, as in grpc-js.
    if (this.#status && (this.#isStatusReported || this.#status.code !== Status.OK)) return;
    this.#status = status;
    clearTimeout(this.#deadlineTimer);
    this.options.forget();
    for (const send of this.#earlyParts?.splice(0) ?? []) send();
    this.releaseWriters();
    this.reportStatusWhenRead();
  }

  /** Ends the call for the client: at once after a failure, otherwise after the last message. */
  private reportStatusWhenRead(): void {
    if (!this.#status) return;
    const isRead = this.#unread.length === 0 && !this.#isDelivering;
    if (isRead || this.#status.code !== Status.OK) this.reportStatus();
  }

  private reportStatus(): void {
    const [status, listener] = [this.#status, this.#listener];
    if (this.#isStatusReported || !status || !listener) return;
    this.#isStatusReported = true;
    this.#unread = [];
    // The reader gets the last message before the stream ends, even if both arrived in one packet.
    setImmediate(() => {
      listener.onReceiveStatus(status);
    });
  }
}

/** The longest delay that a timer of Node.js accepts. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const readHeaders = (metadata: Metadata): CallHeaders =>
  Object.fromEntries(Object.entries(metadata.getMap()).map(([key, value]) => [key, String(value)]));

const STATUS_BY_CODE: ReadonlyMap<string, Status> = new Map(
  Object.values(Status)
    .filter((value) => typeof value === 'number')
    .map((code) => [String(code), code]),
);

/** Returns the status and the metadata of trailers, read as grpc-js reads them. */
const readStatus = ({
  'grpc-status': code,
  'grpc-message': message = '',
  ...trailers
}: CallHeaders): StatusObject => ({
  code: STATUS_BY_CODE.get(code ?? '') ?? Status.UNKNOWN,
  details: decodeURI(message),
  metadata: Metadata.fromHttp2Headers(trailers),
});
