import { useRef } from 'preact/hooks';
import { readStatus } from './load';

/**
 * Returns a function that makes a call with an Idempotency-Key. All tries have the same key, so a
 * second try after a lost response does nothing twice. A refusal ends the key: what was refused is
 * corrected, and a key belongs to one body.
 */
export const useKeyedCall = (): (<T>(
  call: (options: { readonly idempotencyKey: string }) => Promise<T>,
) => Promise<T>) => {
  const key = useRef('');
  return async (call) => {
    key.current ||= crypto.randomUUID();
    try {
      return await call({ idempotencyKey: key.current });
    } catch (error) {
      if (isRefusal(error)) key.current = '';
      throw error;
    }
  };
};

/** True if nothing was done. After a conflict, an earlier try with the key may still succeed. */
const isRefusal = (error: unknown): boolean => {
  const status = readStatus(error);
  const { code } = error as { readonly code?: string };
  return status >= 400 && status < 500 && status !== 409 && code !== 'idempotency_key_reused';
};
