import type { Command } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import { locateOperatorToken } from '../config/secrets';
import { Client } from './client';
import { CallFailed, EXIT } from './failures';
import { formatFields, listTable, printLine } from './output';
import { readQuickstartTenant } from './quickstart-tenant';
import { findServiceAddress, readDataDir } from './service-address';

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
  return createCaller(command, token ?? process.env['OPERATOR_TOKEN'] ?? readStoredToken());
};

/** Help text of the option `--key`. */
export const KEY_TEXT = 'API key of the tenant (default: API_KEY, else the key of "quickstart")';

/** Returns a caller of a tenant's API with one of its keys. */
export const findTenant = (command: Command): Caller => {
  const { key: given } = command.optsWithGlobals<{ key?: string }>();
  const key = given ?? process.env['API_KEY'] ?? readQuickstartTenant()?.key;
  if (key === undefined) {
    throw new CallFailed(
      'No API key: set API_KEY or pass --key ("quickstart" or "key create" issues one).',
      EXIT.credential,
    );
  }
  return createCaller(command, key);
};

const createCaller = (command: Command, credential: string): Caller => {
  const { service, json = false } = command.optsWithGlobals<GlobalOptions>();
  const { url, origin } = findServiceAddress(process.env, service);
  const onWait = json ? undefined : announceWait;
  const connect = (secret: string): Client =>
    new Client(url, secret, { origin, ...(onWait === undefined ? {} : { onWait }) });
  return {
    client: connect(credential),
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

const announceWait = (seconds: number): void => {
  process.stderr.write(
    `Too many requests (429). The command goes on in ${seconds} s, as the service asks.\n`,
  );
};

const readStoredToken = (): string => {
  const file = process.env['OPERATOR_TOKEN_FILE'] ?? locateOperatorToken(readDataDir(process.env));
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new CallFailed(
    `No operator token in ${file}. If the service was never started here, start it with "npm start" in another terminal. Otherwise point DATA_DIR to its data, set OPERATOR_TOKEN, or pass --token.`,
    EXIT.credential,
  );
};
