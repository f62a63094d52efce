import { useEffect, useState } from 'preact/hooks';

/** The value after it has not changed for some time: a slider passes many that nobody asks for. */
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
