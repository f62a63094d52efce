import { ApiExtension } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { RouteSays } from './route-facts';
import type { MemberRight } from './roles';
import type { ScopeName } from './scopes';

type RouteDecorator = MethodDecorator & ClassDecorator;

/** For API keys that have all of these scopes (D-93). */
export const Requires = (...scopes: [ScopeName, ...ScopeName[]]): RouteDecorator =>
  applyDecorators(
    RouteSays({ audience: { kind: 'tenant', scopes } }),
    ApiExtension('x-required-scopes', scopes),
  );

/** For the operator: with the token, or signed in to the console. */
export const ForOperator = (): RouteDecorator => RouteSays({ audience: { kind: 'operator' } });

/** For members who are signed in to the console and have this right. */
export const ForMember = (right: MemberRight): RouteDecorator =>
  applyDecorators(
    RouteSays({ audience: { kind: 'member', right } }),
    ApiExtension('x-member-right', right),
  );

/** For people who are about to sign in. */
export const ForVisitor = (): RouteDecorator => RouteSays({ audience: { kind: 'visitor' } });

/** For whoever holds the token that the service was started with. */
export const ForRootOperator = (): MethodDecorator =>
  RouteSays({ audience: { kind: 'operator', rootOnly: true } });

/** For load balancers and monitoring. */
export const ForMonitoring = (): RouteDecorator => RouteSays({ audience: { kind: 'monitoring' } });

/** For monitoring that may see the metrics. */
export const ForMetrics = (): RouteDecorator => RouteSays({ audience: { kind: 'metrics' } });

/** For test environments only. */
export const TestOnly = (): RouteDecorator =>
  applyDecorators(RouteSays({ testOnly: true }), ApiExtension('x-test-only', true));

/**
 * For calls that append nothing but show what must be accounted for (personal data, exports): each
 * stands in the audit log under this action. The object is the last parameter of the path.
 */
export const Audited = (action: string, object: string): RouteDecorator =>
  RouteSays({ audited: { action, object } });
