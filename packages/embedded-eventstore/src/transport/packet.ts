/**
 * The packets that the threads of a process exchange. Everything that a thread sends in one turn of
 * its event loop is one packet. A packet is a list of parts. Each part has the number of its call
 * (4 bytes), its kind (1 byte) and the length of its content (4 bytes), big-endian.
 */
export const PartKind = {
  /** From the client: a new call. The content is JSON of `CallHeaders`. */
  open: 0,
  /** From the client: one message. */
  message: 1,
  /** From the client: it sends no more messages. */
  halfClose: 2,
  /** From the client: it cancels the call. */
  cancel: 3,
  /** From the server: it accepted the call. */
  headers: 4,
  /** From the server: one or several messages, framed as in HTTP/2. */
  frames: 5,
  /** From the server: the end of the call. The content is JSON of gRPC trailers. */
  trailers: 6,
  /** From the server: the connection broke, so the call ends without trailers. */
  broken: 7,
  /**
   * From both: the number of bytes that were read (4 bytes). The other side may send as many more.
   */
  credit: 8,
} as const;

export type PartKind = (typeof PartKind)[keyof typeof PartKind];

/** The headers of a call by name in small letters, including `:path`. */
export type CallHeaders = Readonly<Record<string, string>>;

export interface Part {
  readonly call: number;
  readonly kind: PartKind;
  readonly content: Buffer;
}

/** The number of unread bytes in one direction of a call above which the sender waits. */
export const WINDOW_BYTES = 256 * 1024;

const PART_HEADER_BYTES = 9;
const EMPTY = Buffer.alloc(0);

/** The methods of a `MessagePort` that packets need. */
interface PacketPort {
  postMessage(packet: ArrayBuffer, transfer: readonly ArrayBuffer[]): void;
}

/** Collects the parts of one turn of the event loop and posts them as one packet. */
export class PacketWriter {
  #parts: Part[] = [];
  #bytes = 0;

  constructor(private readonly port: PacketPort) {}

  /** Adds a part. Its content must not change before the turn of the event loop is over. */
  add(call: number, kind: PartKind, content: Uint8Array = EMPTY): void {
    if (this.#parts.length === 0) {
      setImmediate(() => {
        this.flush();
      });
    }
    this.#parts.push({ call, kind, content: content as Buffer });
    this.#bytes += PART_HEADER_BYTES + content.length;
  }

  addCredit(call: number, bytes: number): void {
    const content = Buffer.allocUnsafe(4);
    content.writeUInt32BE(bytes);
    this.add(call, PartKind.credit, content);
  }

  /** Posts what was added so far. */
  flush(): void {
    if (this.#parts.length === 0) return;
    // The buffer must not come from Node's pool, because its memory moves to the other thread.
    const packet = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const { call, kind, content } of this.#parts) {
      packet.writeUInt32BE(call, at);
      packet[at + 4] = kind;
      packet.writeUInt32BE(content.length, at + 5);
      packet.set(content, at + PART_HEADER_BYTES);
      at += PART_HEADER_BYTES + content.length;
    }
    this.#parts = [];
    this.#bytes = 0;
    const { buffer } = packet;
    this.port.postMessage(buffer, [buffer]);
  }
}

/** Calls back for each part, in the order in which the parts were added. */
export const readPacket = (packet: ArrayBuffer, onPart: (part: Part) => void): void => {
  const bytes = Buffer.from(packet);
  let at = 0;
  while (at < bytes.length) {
    const end = at + PART_HEADER_BYTES + bytes.readUInt32BE(at + 5);
    onPart({
      call: bytes.readUInt32BE(at),
      kind: bytes[at + 4] as PartKind,
      content: bytes.subarray(at + PART_HEADER_BYTES, end),
    });
    at = end;
  }
};

export const encodeJson = (value: CallHeaders): Buffer => Buffer.from(JSON.stringify(value));

export const decodeJson = (content: Buffer): CallHeaders =>
  JSON.parse(content.toString()) as CallHeaders;
