/**
 * W3C Trace Context (https://www.w3.org/TR/trace-context/): `00-<trace id>-<parent id>-<flags>`,
 * all in lower-case hex. It is data that travels from a request to the events it causes and from
 * there to the receivers, whether a tracer runs or not.
 */
export interface TraceContext {
  /** Id of the whole trace: 32 hex digits. */
  readonly traceId: string;
  /** Id of the parent span: 16 hex digits. */
  readonly parentId: string;
  readonly isSampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent` header; null if it is invalid, as the specification requires. */
export const parseTraceparent = (text: unknown): TraceContext | null => {
  if (typeof text !== 'string') return null;
  const [, version, traceId = '', parentId = '', flags = '', rest] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff') return null;
  // Version 00 has exactly four fields; a later one may have more.
  if (version === '00' && rest !== undefined) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return null;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

export const formatTraceparent = ({ traceId, parentId, isSampled }: TraceContext): string =>
  `00-${traceId}-${parentId}-${isSampled ? '01' : '00'}`;
