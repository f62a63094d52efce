import type { RunningService } from '../../support/service';

type Json = Record<string, unknown>;

/** An operation as the OpenAPI document declares it. */
export interface Declared {
  readonly id: string;
  readonly method: string;
  /** The path with each parameter as `{}`. */
  readonly path: string;
  /** The rights as the console's table writes them; null for operations that need no role. */
  readonly rights: string | null;
}

export const readDeclared = async ({ url }: RunningService): Promise<readonly Declared[]> => {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Json>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, operation]) => ({
      id: String(operation['operationId']),
      method: verb.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, '{}'),
      rights: readRights(verb, path, operation),
    })),
  );
};

const readRights = (verb: string, path: string, operation: Json): string | null => {
  if (path.startsWith('/operator/')) return verb === 'get' ? 'operator:read' : 'operator:write';
  if (path.startsWith('/console/')) {
    const right = (operation['x-member-right'] as string | undefined) ?? 'session';
    return right === 'session' ? null : right;
  }
  const security = operation['security'] as readonly Json[];
  const session = security.find((each) => 'session' in each)?.['session'] as string[] | undefined;
  return session?.join(' ') ?? null;
};
