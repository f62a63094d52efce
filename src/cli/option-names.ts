import type { Command, Option } from 'commander';

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

const listFields = (option: Option): readonly string[] => {
  const name = option.attributeName();
  return (
    FIELDS_BY_OPTION[name] ?? [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
  );
};

/**
 * Returns the option that sets a field of the API, such as `--events` for `event_types[0]`;
 * undefined if no option of the command does.
 */
export const findOptionOf = (command: Command, param: string): string | undefined => {
  const [field = ''] = /^\w+/.exec(param) ?? [];
  const own = command.options.filter(({ negate }) => !negate);
  return own.find((option) => listFields(option).includes(field))?.long ?? undefined;
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
