import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CommandContext, TenantContext } from '../../kernel/scope';
import { getFacts, type Principal, getPrincipal } from './request-facts';
import { AddRouteFacts } from './route-facts';

const getRequest = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

/**
 * Makes a change wait for the tenant's own writes, as reads do, because it looks something up in
 * the read models.
 */
export const ReadsOwnWrites = (): MethodDecorator => AddRouteFacts({ readsOwnWrites: true });

/** Shows a call in the audit log by its event of one of these types or families (`subscription.*`). */
export const ShownBy = (...types: readonly string[]): MethodDecorator =>
  AddRouteFacts({ shownBy: types });

/** Injects the principal of the request's key. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal =>
  getPrincipal(getRequest(context)),
);

/** Injects the command context of a tenant's request. */
export const InTenant = createParamDecorator(
  (_: unknown, context: ExecutionContext): TenantContext => {
    const request = getRequest(context);
    const { scope, tenant } = getPrincipal(request);
    return { ...createCommandContext(request), scope, tenant };
  },
);

const withCommand = createParamDecorator((_: unknown, context: ExecutionContext): CommandContext =>
  createCommandContext(getRequest(context)),
);

/** Injects the command context of an operator's request. */
export const AsOperator = (): ParameterDecorator => withCommand();

/** Injects the command context of a member's request to the console. */
export const AsMember = (): ParameterDecorator => withCommand();

const createCommandContext = (request: FastifyRequest): CommandContext => {
  const { command } = getFacts(request);
  if (command === null) throw new Error('the route changes nothing, so it has no command');
  return command;
};
