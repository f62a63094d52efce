import type { ImportLine, PaymentLine } from './import.lines';

/** A line with its number in the file, counted from 1. */
export interface Numbered<Line extends ImportLine = ImportLine> {
  readonly line: number;
  readonly value: Line;
}

export interface Grouped {
  /** What the lines say of each subscriber, by the name that the tenant gave it. */
  readonly subscribers: ReadonlyMap<string, readonly Numbered[]>;
  /** Payments, by subscription, of which these lines do not tell whose they are. */
  readonly payments: readonly Numbered<PaymentLine>[];
}

/** Lines by subscriber, so that one append can hold all that is said of one. */
export const groupLines = (lines: readonly Numbered[]): Grouped => {
  const owners = subscriptionOwners(lines);
  const subscribers = new Map<string, Numbered[]>();
  const payments: Numbered<PaymentLine>[] = [];
  for (const { line, value } of lines) {
    const owner =
      value.kind === 'payment' ? owners.get(value.subscription_external_id) : subscriberOf(value);
    if (owner != null) addTo(subscribers, owner, { line, value });
    else if (value.kind === 'payment') payments.push({ line, value });
  }
  return { subscribers, payments };
};

export const bySubscription = (
  payments: readonly Numbered<PaymentLine>[],
): ReadonlyMap<string, readonly Numbered<PaymentLine>[]> => {
  const groups = new Map<string, Numbered<PaymentLine>[]>();
  for (const each of payments) addTo(groups, each.value.subscription_external_id, each);
  return groups;
};

export const ofKind = <Kind extends ImportLine['kind']>(
  kind: Kind,
  lines: readonly Numbered[],
): Numbered<Extract<ImportLine, { kind: Kind }>>[] =>
  lines.filter(
    (each): each is Numbered<Extract<ImportLine, { kind: Kind }>> => each.value.kind === kind,
  );

const addTo = <T>(groups: Map<string, T[]>, name: string, one: T): void => {
  const group = groups.get(name);
  if (group === undefined) groups.set(name, [one]);
  else group.push(one);
};

const subscriberOf = (value: Exclude<ImportLine, PaymentLine>): string =>
  value.kind === 'subscriber' ? value.external_id : value.subscriber_external_id;

/** Whose the named subscriptions are; null where two subscribers claim one name. */
const subscriptionOwners = (lines: readonly Numbered[]): Map<string, string | null> => {
  const owners = new Map<string, string | null>();
  for (const { value } of ofKind('subscription', lines)) {
    const known = owners.get(value.external_id);
    const owner = value.subscriber_external_id;
    owners.set(value.external_id, known === undefined || known === owner ? owner : null);
  }
  return owners;
};
