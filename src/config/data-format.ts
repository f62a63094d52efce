/**
 * Counts the changes of the stored data that an older version cannot work with. A version refuses
 * data with a higher number than its own. New event types and new tables need no new number.
 */
export const DATA_FORMAT = 1;
