import type { DomainError } from '../../kernel/errors';
import { wrongStateError } from '../../kernel/wrong-state';
import type { Subscription } from './subscription';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './subscription.events';

/**
 * The state table of docs/decisions.md as data. Decisions ask it for permission, tests check every step
 * against it, and the API reference's tables are generated from it.
 */

export const COMMANDS = [
  'pause',
  'pause_at_period_end',
  'resume',
  'cancel',
  'cancel_at_period_end',
  'uncancel',
  'change_plan',
  'extend_trial',
  'reactivate',
] as const;
export type SubscriptionCommand = (typeof COMMANDS)[number];

interface Rule {
  /** `no_op` answers 200 and changes nothing. `refused` answers 409. */
  readonly verdict: 'allowed' | 'no_op' | 'refused';
  /** All statuses that the command may lead to. */
  readonly to: readonly SubscriptionStatus[];
  readonly description: string;
}

const createAllowed = (says: string, ...to: SubscriptionStatus[]): Rule => ({
  verdict: 'allowed',
  to,
  description: says,
});
const createNoOp = (status: SubscriptionStatus): Rule => ({
  verdict: 'no_op',
  to: [status],
  description: 'no change',
});
const REFUSED_RULE: Rule = { verdict: 'refused', to: [], description: '409' };

type CommandRules = Readonly<Record<SubscriptionStatus, Rule>>;

export const TRANSITIONS: Readonly<Record<SubscriptionCommand, CommandRules>> = {
  pause: {
    trialing: createAllowed('→ paused, the rest of the trial is frozen', 'paused'),
    active: createAllowed('→ paused, the rest of the period is frozen', 'paused'),
    paused: createNoOp('paused'),
    cancelled: REFUSED_RULE,
    lapsed: REFUSED_RULE,
  },
  pause_at_period_end: {
    trialing: createAllowed('scheduled for the end of the trial', 'trialing'),
    active: createAllowed('scheduled for the end of the period', 'active'),
    paused: createNoOp('paused'),
    cancelled: REFUSED_RULE,
    lapsed: REFUSED_RULE,
  },
  resume: {
    trialing: createAllowed('removes a scheduled pause, else 409', 'trialing'),
    active: createAllowed('removes a scheduled pause, else 409', 'active'),
    paused: createAllowed(
      '→ trialing or active with the frozen time; with none left a new period is charged; ' +
        'if that is declined, it stays paused',
      'trialing',
      'active',
      'paused',
    ),
    cancelled: REFUSED_RULE,
    lapsed: REFUSED_RULE,
  },
  cancel: {
    trialing: createAllowed('→ cancelled', 'cancelled'),
    active: createAllowed('→ cancelled', 'cancelled'),
    paused: createAllowed('→ cancelled', 'cancelled'),
    cancelled: createNoOp('cancelled'),
    lapsed: createAllowed('→ cancelled', 'cancelled'),
  },
  cancel_at_period_end: {
    trialing: createAllowed(
      'cancel_at = trial_end; past due: → cancelled at once',
      'trialing',
      'cancelled',
    ),
    active: createAllowed('cancel_at = current_period_end', 'active'),
    paused: createAllowed('→ cancelled at once', 'cancelled'),
    cancelled: REFUSED_RULE,
    lapsed: REFUSED_RULE,
  },
  uncancel: {
    trialing: createAllowed('removes cancel_at', 'trialing'),
    active: createAllowed('removes cancel_at', 'active'),
    paused: REFUSED_RULE,
    cancelled: REFUSED_RULE,
    lapsed: REFUSED_RULE,
  },
  change_plan: {
    trialing: createAllowed('plan only, no money', 'trialing'),
    active: createAllowed('prorated; while past due only without proration (`none`)', 'active'),
    paused: createAllowed('only without proration (`none`), else 409', 'paused'),
    cancelled: REFUSED_RULE,
    lapsed: REFUSED_RULE,
  },
  extend_trial: {
    trialing: createAllowed('trial_end moves', 'trialing'),
    active: REFUSED_RULE,
    paused: REFUSED_RULE,
    cancelled: REFUSED_RULE,
    lapsed: REFUSED_RULE,
  },
  reactivate: {
    trialing: REFUSED_RULE,
    active: REFUSED_RULE,
    paused: REFUSED_RULE,
    cancelled: createAllowed(
      '→ active with a new period; if the charge is declined, it stays lapsed',
      'active',
      'cancelled',
    ),
    lapsed: createAllowed(
      '→ active: pays the open amount while its period lasts, else a new period; a decline stays',
      'active',
      'lapsed',
    ),
  },
};

interface TimedRule {
  /** The statuses in which the timer applies, each with the statuses that it may lead to. */
  readonly moves: Readonly<Partial<Record<SubscriptionStatus, readonly SubscriptionStatus[]>>>;
  readonly description: string;
}

const UNCHANGED = { trialing: ['trialing'], active: ['active'], paused: ['paused'] } as const;

/**
 * Effects of time alone. Timers of one instant fire in this order: cancel, then the end of grace,
 * then pause, then charges.
 */
export const TIMERS = {
  trial_will_end: {
    moves: { trialing: ['trialing'] },
    description:
      '3 days before the end of a trial of at least 4 days: `subscription.trial_will_end`',
  },
  renewal_upcoming: {
    moves: { active: ['active'] },
    description: '7 days before the renewal of a longer period: `subscription.renewal_upcoming`',
  },
  method_expiring: {
    moves: UNCHANGED,
    description: '30 days before the payment method expires: `payment.method_expiring`',
  },
  cancel: {
    moves: { trialing: ['cancelled'], active: ['cancelled'], paused: ['cancelled'] },
    description: 'cancel_at: → cancelled',
  },
  grace_end: {
    moves: { trialing: ['lapsed'], active: ['lapsed'], paused: ['lapsed'] },
    description: 'an amount is still unpaid at grace_ends_at: → lapsed',
  },
  pause: {
    moves: { trialing: ['paused'], active: ['paused'] },
    description: 'a scheduled pause: → paused with no time left',
  },
  resume: {
    moves: { paused: ['trialing', 'active', 'lapsed'] },
    description:
      'resumes_at: as `POST …/resume`, but if the charge is declined: → active and past due',
  },
  retry: {
    moves: {
      trialing: ['trialing', 'active', 'lapsed'],
      active: ['active', 'lapsed'],
      paused: ['paused', 'lapsed'],
    },
    description: 'the next attempt of an unpaid payment',
  },
  trial_end: {
    moves: { trialing: ['active', 'trialing', 'lapsed', 'paused', 'cancelled'] },
    description:
      'with a payment method: charge → active; if it is declined, trialing and past due; ' +
      'without: what the tenant set as trial_end_behavior',
  },
  renew: {
    moves: { active: ['active', 'lapsed'] },
    description: 'current_period_end: charge; the period advances even if the charge fails',
  },
} as const satisfies Readonly<Record<string, TimedRule>>;

export type TimerName = keyof typeof TIMERS;

/** True if a timer applies in a status. */
export const appliesIn = (timer: TimerName, status: SubscriptionStatus): boolean =>
  status in TIMERS[timer].moves;

/**
 * Returns true if the command may run and false if it has nothing to do. Throws if it is refused.
 * `refusedToo` names the statuses in which this request would be refused although the table allows
 * the command.
 */
export const checkCommand = (
  command: SubscriptionCommand,
  subscription: Subscription,
  refusedToo: readonly SubscriptionStatus[] = [],
): boolean => {
  const { verdict } = TRANSITIONS[command][subscription.status];
  if (verdict === 'refused') throw invalidTransitionError(command, subscription, refusedToo);
  return verdict === 'allowed';
};

/** While a subscription is paused no period is running, so there is nothing to prorate. */
const ONLY_WITHOUT_PRORATION = {
  hint: ' While it is paused the plan changes only with proration_behavior "none".',
  param: 'proration_behavior',
  details: { allowed_proration_behaviors: ['none'] },
};

/** Commands that continue a subscription. One that has ended is reactivated instead. */
const CONTINUING_COMMANDS: readonly SubscriptionCommand[] = ['resume', 'uncancel'];

/**
 * Refuses a command. The message names the command that leads to the same aim, if there is one. The
 * details name the statuses in which the same request would be allowed.
 */
export const invalidTransitionError = (
  command: SubscriptionCommand,
  { id, status }: Subscription,
  refusedToo: readonly SubscriptionStatus[] = [],
): DomainError => {
  const hint =
    CONTINUING_COMMANDS.includes(command) && TRANSITIONS.reactivate[status].verdict === 'allowed'
      ? ` A ${status} subscription is reactivated: POST /v1/subscriptions/${id}/reactivate.`
      : '';
  const allowed = SUBSCRIPTION_STATUSES.filter(
    (each) =>
      each !== status &&
      !refusedToo.includes(each) &&
      TRANSITIONS[command][each].verdict === 'allowed',
  );
  if (command === 'change_plan' && status === 'paused') {
    return wrongStateError('subscription', { status, allowed, ...ONLY_WITHOUT_PRORATION });
  }
  return wrongStateError('subscription', { status, allowed, hint });
};

const SHOWN_ORDER: readonly SubscriptionStatus[] = [
  'trialing',
  'active',
  'paused',
  'cancelled',
  'lapsed',
];

/** How a caller asks for each command. The paths begin with `/v1/subscriptions/{subscriptionId}`. */
const REQUESTS: Readonly<Record<SubscriptionCommand, string>> = {
  pause: '`POST …/pause`, `effective: immediately`',
  pause_at_period_end: '`POST …/pause`, `effective: period_end`',
  resume: '`POST …/resume`',
  cancel: '`POST …/cancel`, `effective: immediately`',
  cancel_at_period_end: '`POST …/cancel`, `effective: period_end`',
  uncancel: '`POST …/uncancel`',
  change_plan: '`POST …/plan`',
  extend_trial: 'the offer `trial_extension` of a motion',
  reactivate: '`POST …/reactivate`',
};

/** Returns the tables of requests and of timers for the API reference. */
export const describeTransitions = (): string =>
  [
    '| Request | Status | Effect |',
    '|---|---|---|',
    ...COMMANDS.flatMap(listEffects),
    '',
    'In every other status the request is refused with 409 `invalid_state_transition`.',
    '',
    '| Timer | While | Effect |',
    '|---|---|---|',
    ...Object.entries(TIMERS).map(
      ([name, { moves, description }]) =>
        `| ${name} | ${Object.keys(moves).join(', ')} | ${description} |`,
    ),
  ].join('\n');

/** Lists the statuses in which a command is not refused, and what it does in each. */
const listEffects = (command: SubscriptionCommand): string[] =>
  SHOWN_ORDER.filter((status) => TRANSITIONS[command][status].verdict !== 'refused').map(
    (status) =>
      `| ${REQUESTS[command]} | ${status} | ${TRANSITIONS[command][status].description} |`,
  );
