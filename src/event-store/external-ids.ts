import type { Entropy } from '../kernel/ids';
import { type Scope, scopeName } from '../kernel/scope';
import type { MasterKey } from './master-key';

/**
 * Derives the id of an object from the tenant's own id of it. The object is then found without a
 * look-up, and a repeated registration uses the same stream. The derivation is keyed, so ids reveal
 * nothing about their source.
 */
export const createExternalIdEntropy = (
  masterKey: MasterKey,
  scope: Scope,
  { kind, externalId }: { readonly kind: string; readonly externalId: string },
): Entropy => {
  const digest = masterKey.digest(`${kind} ${scopeName(scope)} ${externalId}`);
  return (_, bytes) => digest.subarray(0, bytes);
};
