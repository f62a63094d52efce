/**
 * SQL that is true for a delivery whose only attempts are failed ones of a replay, and whose first
 * live attempt is still to come.
 */
const AWAITS_LIVE = `(awaits_live and status = 'failed' and attempt_count = 0)`;

/** SQL for the status of a row of the delivery log as it is shown: such a delivery is pending. */
export const SHOWN_STATUS = `case when ${AWAITS_LIVE} then 'pending' else status end`;

/** SQL conditions for a shown status, written so that they use the indexes of waiting deliveries. */
export const SHOWN_STATUS_CONDITIONS = {
  delivered: 'status = ?',
  pending: `(status = ? or ${AWAITS_LIVE})`,
  failed: `status = ? and not ${AWAITS_LIVE}`,
} as const;
