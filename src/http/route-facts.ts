import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { FastifyRequest } from 'fastify';
import type { TSchema } from '@sinclair/typebox';

/** The schema of an answer, or of a list's items. */
export interface AnswerSchema {
  readonly schema: TSchema;
  readonly list: boolean;
}

/** What a route says of itself to the pipeline. */
export interface RouteFacts {
  readonly readsOwnWrites?: boolean;
  readonly answer?: AnswerSchema;
}

/** Adds to what a route says of itself. */
export const RouteSays =
  (facts: RouteFacts): MethodDecorator =>
  (target, key, descriptor) => {
    const said = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value as object) as
      RouteFacts | undefined;
    RouteConfig({ ...said, ...facts })(target, key, descriptor);
  };

export const routeFactsOf = ({ routeOptions }: FastifyRequest): RouteFacts =>
  routeOptions.config as RouteFacts;
