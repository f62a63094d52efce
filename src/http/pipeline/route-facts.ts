import { PATH_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { MemberRight } from './roles';
import type { ScopeName } from './scopes';

/**
 * Who may call a route. Every route declares one audience, and the pipeline goes by nothing else:
 * a route without one stops the start (`Routes`).
 */
export type Audience =
  /** Everybody, without a credential: pages of the reference. */
  | { readonly kind: 'public' }
  /** Load balancers and monitoring: answered in every role, also while the service starts. */
  | { readonly kind: 'monitoring' }
  /** Monitoring that has the token for metrics, where one is set. */
  | { readonly kind: 'metrics' }
  /** A tenant's API key that has all of these scopes. */
  | { readonly kind: 'tenant'; readonly scopes: readonly ScopeName[] }
  /**
   * The operator's credential, or the session of a person who is an operator; `rootOnly`: the token that
   * the service was started with.
   */
  | { readonly kind: 'operator'; readonly rootOnly?: true }
  /** The session of a member with this right. */
  | { readonly kind: 'member'; readonly right: MemberRight }
  /** Somebody who is about to sign in. */
  | { readonly kind: 'visitor' };

/** The schema of an answer, or of a list's items. */
export interface AnswerSchema {
  readonly schema: TSchema;
  readonly list: boolean;
}

/** What a route declares about itself; the pipeline decides by this and never by the raw target. */
export interface RouteFacts {
  readonly audience?: Audience;
  readonly testOnly?: boolean;
  /** The bucket that its calls are counted in; without one, the key's own. */
  readonly rateLimit?: 'metrics';
  /** A limit that it has beside the key's. */
  readonly endpointLimit?: 'replay';
  readonly readsOwnWrites?: boolean;
  /** Set where a call that changes nothing is to stand in the audit log all the same. */
  readonly audited?: { readonly action: string; readonly object: string };
  readonly answer?: AnswerSchema;
  /** Set on the files of the console, whose pages have a policy of their own. */
  readonly isConsole?: true;
}

/** Adds to what a route declares. On a class, to each of its routes that does not say otherwise. */
export const RouteSays =
  (facts: RouteFacts): MethodDecorator & ClassDecorator =>
  (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (descriptor !== undefined) {
      const handler = descriptor.value as object;
      declare(handler, { ...factsDeclaredBy(handler), ...facts });
      return;
    }
    for (const handler of handlersOf(target as { readonly prototype: object })) {
      declare(handler, { ...facts, ...factsDeclaredBy(handler) });
    }
  };

const declare = (handler: object, facts: RouteFacts): void => {
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, facts, handler);
};

const factsDeclaredBy = (handler: object): RouteFacts | undefined =>
  Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as RouteFacts | undefined;

const handlersOf = ({ prototype }: { readonly prototype: object }): object[] =>
  Object.values(Object.getOwnPropertyDescriptors(prototype))
    .map(({ value }) => value as unknown)
    .filter(
      (value): value is object =>
        typeof value === 'function' && Reflect.hasMetadata(PATH_METADATA, value),
    );

/** What the matched route declares; nothing where no route matched. */
export const routeFactsOf = ({ is404, routeOptions }: FastifyRequest): RouteFacts =>
  is404 ? {} : (routeOptions.config as RouteFacts);
