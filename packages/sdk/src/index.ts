export * from './errors';
export type { EventName, EventOf, PrivacyMode, ServiceEvent } from './events';
export type { Operations } from './generated/operations';
export type * from './generated/schema';
export type {
  CallOptions,
  Hooks,
  RequestInfo,
  ResponseInfo,
  RetryInfo,
  ServiceOptions,
} from './options';
export { List, Page } from './page';
export { Service } from './service';
export {
  type WebhookDelivery,
  type HeadersLike,
  type SignOptions,
  type UnwrapOptions,
  type Unwrapped,
  Webhooks,
} from './webhooks';
