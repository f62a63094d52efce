import { Readable } from 'node:stream';
import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../kernel/errors';
import type { CommandContext, TenantContext } from '../kernel/scope';
import { wrongMediaType } from './bodies';
import { AnsweredBefore } from './idempotency';
import { factsOf, type Principal, principalOf } from './request-facts';
import { RouteSays } from './route-facts';
import { requireScopes, type ScopeName } from './scopes';

const REQUIRED_SCOPES = 'required-scopes';
const TEST_ONLY = 'test-only';

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

/** The scopes an operation needs (D-93); all of them. */
export const Requires = (...scopes: ScopeName[]): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(REQUIRED_SCOPES, scopes), ApiExtension('x-required-scopes', scopes));

/** A change that looks something up in the read models: it waits for the tenant's writes, as reads do. */
export const ReadsOwnWrites = (): MethodDecorator => RouteSays({ readsOwnWrites: true });

/** For test environments only. */
export const TestOnly = (): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(TEST_ONLY, true), ApiExtension('x-test-only', true));

/** Who may do what; a request that was answered before goes no further than this. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { principal, repeats } = factsOf(requestOf(context));
    this.assertAllowed(principal, context);
    if (repeats !== null) throw new AnsweredBefore(repeats);
    return true;
  }

  private assertAllowed(principal: Principal | null, context: ExecutionContext): void {
    if (principal === null) return;
    const targets = [context.getHandler(), context.getClass()];
    // Said first: no live key has the scope either.
    const testOnly = this.reflector.getAllAndOverride<boolean | undefined>(TEST_ONLY, targets);
    if (testOnly === true && principal.scope.environment !== 'test') {
      throw new DomainError(
        'test_helpers_live_forbidden',
        'Test helpers work with test keys only.',
      );
    }
    requireScopes(
      principal.scopes,
      this.reflector.getAllAndOverride<ScopeName[] | undefined>(REQUIRED_SCOPES, targets) ?? [],
    );
  }
}

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

/** The command context of an operator's request. */
export const AsOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext): CommandContext => commandOf(requestOf(context)),
);

/** The body as it comes in, for operations that read it line by line. */
export const StreamedBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): Readable => {
    const request = requestOf(context);
    if (request.body instanceof Readable) return request.body;
    throw wrongMediaType(request);
  },
);

const commandOf = (request: FastifyRequest): CommandContext => {
  const { command } = factsOf(request);
  if (command === null) throw new Error('the route changes nothing, so it has no command');
  return command;
};
