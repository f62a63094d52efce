import { getComponentName, isNode, mapValues, type Node, resolveReference } from './openapi-node';

/** The path parameter that names an object of a component, and the field that contains its id. */
const ID_PARAMETERS: Readonly<Record<string, readonly [parameter: string, field: string]>> = {
  Subscriber: ['subscriberId', 'id'],
  Subscription: ['subscriptionId', 'id'],
  Plan: ['planId', 'id'],
  Ticket: ['ticketId', 'id'],
  Payment: ['paymentId', 'id'],
  Refund: ['refundId', 'id'],
  Credit: ['creditId', 'id'],
  Cohort: ['cohortId', 'id'],
  Motion: ['motionId', 'id'],
  MotionRun: ['runId', 'id'],
  Event: ['eventId', 'id'],
  RegisteredDestination: ['destinationId', 'id'],
  Destination: ['destinationId', 'id'],
  Replay: ['replay_id', 'replay_id'],
  Import: ['importId', 'id'],
  TestClock: ['clockId', 'id'],
  Tenant: ['tenantId', 'id'],
  EventType: ['eventType', 'type'],
};

interface Target {
  readonly operationId: string;
  readonly path: string;
  readonly parameters: readonly string[];
}

/**
 * Adds links from a response that contains an object to the operations on this object. The response
 * of a read links to all of them. The response of a creation links to the read only. The response
 * of a change has no links, because its caller already knows the id.
 */
export const addLinks = (document: Node): Node => {
  const paths = document['paths'] as Record<string, Record<string, Node>>;
  const targets = listTargets(paths);
  const links: Record<string, Node> = {};
  const linked = mapValues(paths, (methods, path) =>
    mapValues(methods, (operation, method) => {
      const prefix = findPrefix(path);
      const responses = mapValues(operation['responses'] as Record<string, Node>, (response) => {
        const found = createLinks(document, response, {
          targets,
          prefix,
          changed: method === 'get' ? null : path,
        });
        if (Object.keys(found).length === 0) return response;
        Object.assign(links, found);
        return {
          ...response,
          links: mapValues(found, (_, name) => ({ $ref: `#/components/links/${name}` })),
        };
      });
      return { ...operation, responses };
    }),
  );
  return {
    ...document,
    paths: linked,
    components: { ...(document['components'] as Node), links },
  };
};

const findPrefix = (path: string): string => (path.startsWith('/v1/') ? '/v1/' : '/operator/');

const listTargets = (paths: Record<string, Record<string, Node>>): Target[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId }) => ({
      operationId: String(operationId),
      path,
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
    })),
  );

interface Context {
  readonly targets: readonly Target[];
  readonly prefix: string;
  /** The path of an operation that changes an object; null for one that reads. */
  readonly changed: string | null;
}

const createLinks = (document: Node, response: Node, context: Context): Record<string, Node> => {
  const { content = {} } = response as { content?: Record<string, { schema?: Node }> };
  const schema = content['application/json']?.schema;
  const component = getComponentName(schema);
  if (component === undefined) return {};
  const item = getItemName(document, component);
  if (item !== undefined) return createOperationLinks(item, 'data/0/', context);
  return createOperationLinks(component, '', context);
};

/** Returns the component of a list's items; undefined if the component is not a list. */
const getItemName = (document: Node, component: string): string | undefined => {
  const { properties } = resolveReference(document, `#/components/schemas/${component}`);
  const data = isNode(properties) ? properties['data'] : undefined;
  return isNode(data) && isNode(data['items']) ? getComponentName(data['items']) : undefined;
};

/**
 * Returns the links of a component. A read of an object links to every operation on it; a list and
 * a creation link only to reading the object.
 */
const createOperationLinks = (
  component: string,
  pointer: string,
  { targets, prefix, changed }: Context,
): Record<string, Node> => {
  const [parameter, field] = ID_PARAMETERS[component] ?? [];
  if (parameter === undefined || field === undefined) return {};
  if (changed?.includes(`{${parameter}}`) === true) return {};
  const isWhole = pointer === '' && changed === null;
  const found = targets.filter(
    ({ parameters, path, operationId }) =>
      parameters.join() === parameter &&
      path.startsWith(prefix) &&
      (isWhole || operationId.endsWith('.get')),
  );
  return Object.fromEntries(
    found.map(({ operationId }) => [
      pointer === '' ? operationId : `${operationId}.first`,
      {
        operationId,
        parameters: { [parameter]: `$response.body#/${pointer}${field}` },
      },
    ]),
  );
};
