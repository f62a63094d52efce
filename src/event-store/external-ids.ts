import type { Entropy } from '../kernel/ids';
import { type Scope, scopeName } from '../kernel/scope';
import type { MasterKey } from './master-key';

/**
 * Our id of an object follows from the tenant's own id of it, so that it is found without a look-up
 * and a repeated registration meets the same stream. Keyed: ids tell nothing of what they came from.
 */
export const externalEntropy = (
  masterKey: MasterKey,
  scope: Scope,
  { kind, externalId }: { readonly kind: string; readonly externalId: string },
): Entropy => {
  const digest = masterKey.digest(`${kind} ${scopeName(scope)} ${externalId}`);
  return (_, bytes) => digest.subarray(0, bytes);
};
