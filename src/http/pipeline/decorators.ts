import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CommandContext, TenantContext } from '../../kernel/scope';
import { factsOf, type Principal, principalOf } from './request-facts';
import { RouteSays } from './route-facts';

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

/**
 * Makes a change wait for the tenant's own writes, as reads do, because it looks something up in
 * the read models.
 */
export const ReadsOwnWrites = (): MethodDecorator => RouteSays({ readsOwnWrites: true });

/** Injects the principal of the request's key. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal =>
  principalOf(requestOf(context)),
);

/** Injects the command context of a tenant's request. */
export const InTenant = createParamDecorator(
  (_: unknown, context: ExecutionContext): TenantContext => {
    const request = requestOf(context);
    const { scope, tenant } = principalOf(request);
    return { ...commandOf(request), scope, tenant };
  },
);

const withCommand = createParamDecorator((_: unknown, context: ExecutionContext): CommandContext =>
  commandOf(requestOf(context)),
);

/** Injects the command context of an operator's request. */
export const AsOperator = (): ParameterDecorator => withCommand();

/** Injects the command context of a member's request to the console. */
export const AsMember = (): ParameterDecorator => withCommand();

const commandOf = (request: FastifyRequest): CommandContext => {
  const { command } = factsOf(request);
  if (command === null) throw new Error('the route changes nothing, so it has no command');
  return command;
};
