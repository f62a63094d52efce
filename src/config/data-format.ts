/**
 * Counts the changes of the stored data that an older version cannot work with. A version refuses
 * data with a higher number than its own. New event types and new tables need no new number,
 * unless an older version that ignores them would decide wrongly.
 */
export const DATA_FORMAT = 1;
