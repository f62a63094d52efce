import { useRef } from 'preact/hooks';
import { pickChanges } from './pick-changes';

/**
 * Returns a function that sends the fields of a form that were changed since the form was opened or
 * saved. Fields that somebody else has changed meanwhile keep their new value.
 */
export const useChangedFields = <T extends object>(
  fields: T,
  send: (changed: Partial<T>) => Promise<unknown>,
): (() => Promise<void>) => {
  const saved = useRef(fields);
  return async () => {
    await send(pickChanges(saved.current, fields));
    saved.current = fields;
  };
};
