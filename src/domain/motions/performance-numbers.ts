/** The numbers of the performance of a motion. None of them is a metric of the environment. */
export const PERFORMANCE_NUMBERS: readonly string[] = [
  'acceptance_rate',
  'save_rate',
  'retained_revenue',
  'offer_cost',
  'lift',
];
