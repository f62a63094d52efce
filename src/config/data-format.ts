/**
 * The number of changes of the stored data that an older version cannot read. A version refuses
 * data with a higher number than its own. New event types and new tables do not change it.
 */
export const DATA_FORMAT = 1;
