import type { Operations } from './generated/operations';
import { ROUTES } from './generated/routes';
import type { CallOptions, ServiceOptions } from './options';
import { type Cursors, List, type ListBody } from './page';
import { type Call, Transport } from './transport';
import { Webhooks } from './webhooks';

type Method = (...parameters: unknown[]) => unknown;

/** The groups of methods of the client. The generated interface declares their types. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- Its methods come from the table.
const Groups = class {
  constructor(transport: Transport) {
    for (const [group, methods] of Object.entries(ROUTES)) {
      const members = Object.entries(methods).map(([name, route]) => [
        name,
        createMethod(transport, route),
      ]);
      Object.assign(this, { [group]: Object.fromEntries(members) as object });
    }
  }
} as new (transport: Transport) => Operations;

/** A client of the service. Its groups and methods are those of the API reference. */
export class Service extends Groups {
  readonly webhooks: Webhooks;

  constructor(options: ServiceOptions = {}) {
    super(new Transport(options));
    this.webhooks = new Webhooks(options.webhookSecrets ?? []);
  }
}

/**
 * Creates the method of an operation. Its arguments are the path parameters, the body, the query
 * and the options of the call, in this order.
 */
const createMethod = (transport: Transport, route: string): Method => {
  const [method, template, takes = '', contentType] = route.split(' ') as [
    string,
    string,
    string?,
    string?,
  ];
  return (...left) => {
    const path = `/v1/${template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const id = encodeURIComponent((left.shift() ?? '') as string);
      if (id === '') throw new TypeError(`${name} is missing`);
      return id;
    })}`;
    const body = takes.includes('b') ? left.shift() : undefined;
    const query = takes.includes('q') ? (left.shift() as Cursors | undefined) : undefined;
    const options = left.shift() as CallOptions | undefined;
    const call: Call = { method, path, query, body, contentType, options };
    if (!takes.includes('l')) return transport.send(call).then((answer) => answer.body);
    // A list is read in one direction, so its next cursor replaces the one that was given.
    const load = async (cursors?: Cursors): Promise<ListBody<unknown>> =>
      (await transport.send({ ...call, query: { ...query, ...cursors } }))
        .body as ListBody<unknown>;
    return new List(load, query ?? {});
  };
};
