/**
 * Returns the number of runs of a property: all of them in `npm run test:long`, a share of them in
 * `npm test`, which must not take longer than five minutes. The Jest configurations set the share.
 */
export const countRuns = (all: number): number =>
  Math.ceil(all * (globalThis as unknown as { readonly propertyShare: number }).propertyShare);
