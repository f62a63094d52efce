import type { ImportLine, PaymentLine } from './import.lines';

/** A line with its number in the file, counted from 1. */
export interface NumberedLine<Line extends ImportLine = ImportLine> {
  readonly line: number;
  readonly value: Line;
}

export interface GroupedLines {
  /** The lines of each subscriber. The key is the subscriber's `external_id`. */
  readonly subscribers: ReadonlyMap<string, readonly NumberedLine[]>;
  /** Payments whose subscriber is not known from these lines. */
  readonly payments: readonly NumberedLine<PaymentLine>[];
}

/** Groups lines by subscriber, so that one append can store all lines of one. */
export const groupLines = (lines: readonly NumberedLine[]): GroupedLines => {
  const owners = findSubscriptionOwners(lines);
  const subscribers = new Map<string, NumberedLine[]>();
  const payments: NumberedLine<PaymentLine>[] = [];
  for (const { line, value } of lines) {
    const owner =
      value.kind === 'payment' ? owners.get(value.subscription_external_id) : readSubscriber(value);
    if (owner != null) addTo(subscribers, owner, { line, value });
    else if (value.kind === 'payment') payments.push({ line, value });
  }
  return { subscribers, payments };
};

export const groupBySubscription = (
  payments: readonly NumberedLine<PaymentLine>[],
): ReadonlyMap<string, readonly NumberedLine<PaymentLine>[]> => {
  const groups = new Map<string, NumberedLine<PaymentLine>[]>();
  for (const each of payments) addTo(groups, each.value.subscription_external_id, each);
  return groups;
};

export const filterByKind = <Kind extends ImportLine['kind']>(
  kind: Kind,
  lines: readonly NumberedLine[],
): NumberedLine<Extract<ImportLine, { kind: Kind }>>[] =>
  lines.filter(
    (each): each is NumberedLine<Extract<ImportLine, { kind: Kind }>> => each.value.kind === kind,
  );

const addTo = <T>(groups: Map<string, T[]>, name: string, one: T): void => {
  const group = groups.get(name);
  if (group === undefined) groups.set(name, [one]);
  else group.push(one);
};

const readSubscriber = (value: Exclude<ImportLine, PaymentLine>): string =>
  value.kind === 'subscriber' ? value.external_id : value.subscriber_external_id;

/** Returns the subscriber of each named subscription; null if two subscribers claim one name. */
const findSubscriptionOwners = (lines: readonly NumberedLine[]): Map<string, string | null> => {
  const owners = new Map<string, string | null>();
  for (const { value } of filterByKind('subscription', lines)) {
    const known = owners.get(value.external_id);
    const owner = value.subscriber_external_id;
    owners.set(value.external_id, known === undefined || known === owner ? owner : null);
  }
  return owners;
};
