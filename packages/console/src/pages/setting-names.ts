/** The names of a tenant's settings for people, by their names in the API. */
export const SETTING_NAMES = {
  alert_emails: 'Alert e-mails',
  grace_days: 'Days of grace',
  trial_end_behavior: 'A trial without payment method',
  ticket_auto_close_hours: 'Hours until a resolved ticket closes',
  support_refund_limit: 'Largest refund by support, in minor units',
  max_destinations: 'Destinations at most',
} as const;

/** What the end of a trial without payment method does to the subscription. */
export const TRIAL_ENDS = [
  ['lapse', 'lapses'],
  ['pause', 'pauses'],
  ['cancel', 'is cancelled'],
] as const;
