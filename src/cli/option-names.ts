import type { Command, Option } from 'commander';
import { findMeant } from '../kernel/nearest';

/**
 * The fields of the API that an option sets, for options whose name differs from that of the field.
 * The key is the attribute name of the option.
 */
const FIELDS_BY_OPTION: Readonly<Record<string, readonly string[]>> = {
  cohorts: ['cohort_ids'],
  destination: ['destination_id'],
  events: ['event_types', 'event_type'],
  force: ['dedupe_strategy'],
  from: ['from', 'created_after'],
  pii: ['pii_mode'],
  rate: ['rate_per_second'],
  subscriber: ['subscriber_id'],
  subscribers: ['subscriber_ids'],
  tenant: ['tenant_id'],
  to: ['to', 'created_before'],
  whole: ['projections'],
};

/** Other words that people use for an option. The key is the attribute name of the option. */
const WORDS_BY_OPTION: Readonly<Record<string, readonly string[]>> = {
  email: ['mail'],
  environment: ['env'],
  events: ['type', 'types'],
  force: ['redeliver'],
  from: ['since', 'start', 'after'],
  key: ['api_key'],
  limit: ['count', 'max'],
  pii: ['privacy', 'privacy_mode', 'personal_data'],
  service: ['base_url', 'host'],
  to: ['until', 'end', 'before'],
  url: ['endpoint', 'webhook_url'],
};

const listFields = (option: Option): readonly string[] =>
  FIELDS_BY_OPTION[option.attributeName()] ?? [createFieldName(option)];

const createFieldName = (option: Option): string =>
  option.attributeName().replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Returns the option that an unknown one probably means: its own name misspelt or in part, the
 * field of the API that it sets, or another word for it. Undefined if it resembles none.
 */
export const findMeantOption = (command: Command, flag: string): string | undefined => {
  const optionsByWord = new Map<string, string>();
  for (let each: Command | null = command; each !== null; each = each.parent)
    for (const option of each.options) {
      if (option.negate || option.hidden || option.long == null) continue;
      const own = option.attributeName();
      const words = [
        createFieldName(option),
        ...listFields(option),
        ...(WORDS_BY_OPTION[own] ?? []),
      ];
      for (const word of words) if (!optionsByWord.has(word)) optionsByWord.set(word, option.long);
    }
  const meant = findMeant(flag.replace(/^--/, ''), [...optionsByWord.keys()]);
  return meant === undefined ? undefined : optionsByWord.get(meant);
};

/**
 * Returns the option or the argument that sets a field of the API, such as `--events` for
 * `event_types[0]` or `<projections>` for `projections`; undefined if none of the command does.
 */
export const findOptionOf = (command: Command, param: string): string | undefined => {
  const [field = ''] = /^\w+/.exec(param) ?? [];
  const own = command.options.filter(({ negate }) => !negate);
  const option = own.find((each) => listFields(each).includes(field));
  if (option?.long != null) return option.long;
  return command.registeredArguments.some((each) => each.name() === field)
    ? `<${field}>`
    : undefined;
};

/**
 * Writes the name of the option in a message instead of the field: `--pii must be …`,
 * `--allowed-ips: item 1 must be …`, `--settings: settings.grace_days must be …`.
 */
export const nameOption = (message: string, param: string, option: string): string => {
  if (!message.startsWith(`${param} `)) return `${option}: ${message}`;
  const rest = message.slice(param.length);
  if (/^\w+$/.test(param)) return `${option}${rest}`;
  const [, index] = /^\w+\[(\d+)\]$/.exec(param) ?? [];
  return index === undefined
    ? `${option}: ${message}`
    : `${option}: item ${Number(index) + 1}${rest}`;
};
