/** Advice in messages of the service that names a call of the API, and the same as a command. */
const COMMANDS_BY_CALL: readonly (readonly [call: string, command: string])[] = [
  ['PATCH it with {"status":"active"}.', '"destination enable <tenant> <destination>".'],
  ['POST …/restore.', '"destination restore <tenant> <destination>".'],
  ['GET /v1/event_types lists the types.', '"events types" lists the types.'],
  [
    'GET /v1/subscribers?external_id= finds one by your own id',
    '"subscribers list --external-id <id>" finds one by your own id',
  ],
];

/** Names commands in a message of the service instead of calls of the API. */
export const nameCommands = (message: string): string =>
  COMMANDS_BY_CALL.reduce((text, [call, command]) => text.replaceAll(call, command), message);
