import { useEffect, useState } from 'preact/hooks';

/**
 * Returns the value after it has not changed for some time. A slider passes many values that nobody
 * needs.
 */
export const useSettled = <T>(value: T, restMs: number): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(() => value);
    }, restMs);
    return () => {
      clearTimeout(timer);
    };
  }, [value, restMs]);
  return settled;
};
