import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CommandContext, TenantContext } from '../../kernel/scope';
import { factsOf, type Principal, principalOf } from './request-facts';
import { RouteSays } from './route-facts';

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

/** A change that looks something up in the read models: it waits for the tenant's writes, as reads do. */
export const ReadsOwnWrites = (): MethodDecorator => RouteSays({ readsOwnWrites: true });

/** Whose key the request carries. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal =>
  principalOf(requestOf(context)),
);

/** The command context of a tenant's request. */
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

/** The command context of an operator's request. */
export const AsOperator = (): ParameterDecorator => withCommand();

/** The command context of a member's request to the console. */
export const AsMember = (): ParameterDecorator => withCommand();

const commandOf = (request: FastifyRequest): CommandContext => {
  const { command } = factsOf(request);
  if (command === null) throw new Error('the route changes nothing, so it has no command');
  return command;
};
