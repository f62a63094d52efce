import { PATH_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { MemberRight } from './roles';
import type { ScopeName } from './scopes';

/**
 * The callers that may call a route. Every route declares one audience, and the pipeline decides by
 * nothing else. A route without an audience stops the start (`Routes`).
 */
export type Audience =
  /** Everybody, without a credential: pages of the reference. */
  | { readonly kind: 'public' }
  /**
   * Load balancers and monitoring. They are answered in every role, also while the service starts.
   */
  | { readonly kind: 'monitoring' }
  /** A caller of the metrics. It needs the metrics token if the operator has set one. */
  | { readonly kind: 'metrics' }
  /** A tenant's API key that has all of these scopes. */
  | { readonly kind: 'tenant'; readonly scopes: readonly ScopeName[] }
  /**
   * The operator's credential, or the session of a person who is an operator. `rootOnly` admits
   * only the token with which the service was started.
   */
  | { readonly kind: 'operator'; readonly rootOnly?: true }
  /** The session of a member with this right. */
  | { readonly kind: 'member'; readonly right: MemberRight }
  /** A visitor who is about to sign in. */
  | { readonly kind: 'visitor' };

/** The schema of a response, or of a list's items. */
export interface AnswerSchema {
  readonly schema: TSchema;
  readonly list: boolean;
}

/** The declaration of a route. The pipeline decides by it and never by the URL. */
export interface RouteFacts {
  readonly audience?: Audience;
  readonly testOnly?: boolean;
  /** The bucket in which calls are counted. The default is the bucket of the key. */
  readonly rateLimit?: 'metrics';
  /** A limit in addition to the limit of the key. */
  readonly endpointLimit?: 'replay';
  readonly readsOwnWrites?: boolean;
  /** The audit log entry of a call that changes nothing but must be recorded. */
  readonly audited?: { readonly action: string; readonly object: string };
  /**
   * The event types, or families such as `subscription.*`, by which the audit log shows a call: one
   * for each way in which the call can end. They are needed if the call appends by several commands,
   * or if its first event is about another object.
   */
  readonly shownBy?: readonly string[];
  readonly answer?: AnswerSchema;
  /** True if the object of the route has a version, so that `If-Match` can be compared with it. */
  readonly hasVersion?: boolean;
  /** True for the files of the console, whose pages have their own content security policy. */
  readonly isConsole?: true;
}

/**
 * Adds to the declaration of a route. On a class it applies to each route that does not declare
 * otherwise.
 */
export const AddRouteFacts =
  (facts: RouteFacts): MethodDecorator & ClassDecorator =>
  (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (descriptor !== undefined) {
      const handler = descriptor.value as object;
      declare(handler, { ...getDeclaredFacts(handler), ...facts });
      return;
    }
    for (const handler of listHandlers(target as { readonly prototype: object })) {
      declare(handler, { ...facts, ...getDeclaredFacts(handler) });
    }
  };

const declare = (handler: object, facts: RouteFacts): void => {
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, facts, handler);
};

const getDeclaredFacts = (handler: object): RouteFacts | undefined =>
  Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as RouteFacts | undefined;

const listHandlers = ({ prototype }: { readonly prototype: object }): object[] =>
  Object.values(Object.getOwnPropertyDescriptors(prototype))
    .map(({ value }) => value as unknown)
    .filter(
      (value): value is object =>
        typeof value === 'function' && Reflect.hasMetadata(PATH_METADATA, value),
    );

/** Returns the declaration of the matched route; empty if no route matched. */
export const getRouteFacts = ({ is404, routeOptions }: FastifyRequest): RouteFacts =>
  is404 ? {} : (routeOptions.config as RouteFacts);
