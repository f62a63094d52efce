import { ApiExtension } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { AddRouteFacts } from './route-facts';
import type { MemberRight } from './roles';
import type { ScopeName } from './scopes';

type RouteDecorator = MethodDecorator & ClassDecorator;

/** Admits API keys that have all of these scopes (D-93). */
export const Requires = (...scopes: [ScopeName, ...ScopeName[]]): RouteDecorator =>
  applyDecorators(
    AddRouteFacts({ audience: { kind: 'tenant', scopes } }),
    ApiExtension('x-required-scopes', scopes),
  );

/** Admits operators, by token or by a session of the console. */
export const ForOperator = (): RouteDecorator => AddRouteFacts({ audience: { kind: 'operator' } });

/** Admits members who are signed in to the console and have this right. */
export const ForMember = (right: MemberRight): RouteDecorator =>
  applyDecorators(
    AddRouteFacts({ audience: { kind: 'member', right } }),
    ApiExtension('x-member-right', right),
  );

/** Admits visitors who are about to sign in. */
export const ForVisitor = (): RouteDecorator => AddRouteFacts({ audience: { kind: 'visitor' } });

/** Admits only the operator token with which the service was started. */
export const ForRootOperator = (): MethodDecorator =>
  AddRouteFacts({ audience: { kind: 'operator', rootOnly: true } });

/** Admits load balancers and monitoring. */
export const ForMonitoring = (): RouteDecorator =>
  AddRouteFacts({ audience: { kind: 'monitoring' } });

/** Admits monitoring that may read the metrics. */
export const ForMetrics = (): RouteDecorator => AddRouteFacts({ audience: { kind: 'metrics' } });

/** Restricts a route to test environments. */
export const TestOnly = (): RouteDecorator =>
  applyDecorators(AddRouteFacts({ testOnly: true }), ApiExtension('x-test-only', true));

/**
 * Records a call in the audit log under this action, although it appends no event: for example a
 * call that shows personal data. The object is the last parameter of the path.
 */
export const Audited = (action: string, object: string): RouteDecorator =>
  AddRouteFacts({ audited: { action, object } });
