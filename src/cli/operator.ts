import type { Command } from 'commander';
import { Client } from './client';
import { type Credential, findApiKey, findOperatorToken } from './credentials';
import { formatFields, listTable, printLine } from './output';
import { findServiceAddress } from './service-address';

interface GlobalOptions {
  readonly service?: string;
  readonly token?: string;
  readonly json?: true;
}

type Json = Record<string, unknown>;

/** A client with one credential, and functions that print its responses. */
export interface Caller {
  readonly client: Client;
  /** Returns a client of the same service with another credential. */
  readonly connect: (credential: string) => Client;
  /** True if the output must be JSON only. */
  readonly asJson: boolean;
  /** Prints one object: all of it as JSON, or the given fields as lines. */
  readonly show: (body: Json, fields: readonly string[]) => void;
  /** Prints a list, one line for each item. */
  readonly showList: (
    items: AsyncIterable<Json> | Iterable<Json>,
    fields: readonly string[],
    /** The text that is printed for an empty list. */
    none?: string,
  ) => Promise<void>;
}

/** Returns a caller of the operator API. */
export const findOperator = (command: Command): Caller => {
  const { token } = command.optsWithGlobals<GlobalOptions>();
  return createCaller(command, findOperatorToken(token));
};

/** Help text of the option `--key`. */
export const KEY_TEXT = 'API key of the tenant (default: API_KEY, else the key of "quickstart")';

/** Returns a caller of a tenant's API with one of its keys. */
export const findTenant = (command: Command): Caller => {
  const { key: given } = command.optsWithGlobals<{ key?: string }>();
  return createCaller(command, findApiKey(given));
};

const createCaller = (command: Command, credential: Credential): Caller => {
  const { service, json = false } = command.optsWithGlobals<GlobalOptions>();
  const { url, origin } = findServiceAddress(process.env, service);
  const onWait = json ? ignoreWait : announceWait;
  const connect = (text: string): Client => new Client(url, text, { origin, onWait });
  return {
    client: new Client(url, credential.text, {
      ...{ origin, onWait },
      credentialOrigin: credential.origin,
    }),
    connect,
    asJson: json,
    show: (body, fields) => {
      printLine(json ? JSON.stringify(body, null, 2) : formatFields(body, fields));
    },
    showList: async (items, fields, none = 'none') => {
      const found: Json[] = [];
      for await (const item of items) found.push(item);
      if (json) printLine(JSON.stringify(found, null, 2));
      else if (found.length === 0) printLine(none);
      else printLine(listTable(found, fields));
    },
  };
};

const ignoreWait = (): void => undefined;

const announceWait = (seconds: number): void => {
  process.stderr.write(
    `Too many requests (429). The command goes on in ${seconds} s, as the service asks.\n`,
  );
};
