import { useLayoutEffect, useState } from 'preact/hooks';

/** Values that several pages read while they are drawn: the session, the address, loaded names. */
interface SharedValue<T> {
  readonly value: T;
}

const redraws = new Set<() => void>();

/** Creates a shared value. The console is drawn again when it is set to another value. */
export const createShared = <T>(first: T): { value: T } => {
  let current = first;
  return {
    get value() {
      return current;
    },
    set value(next) {
      if (next === current) return;
      current = next;
      for (const redraw of redraws) redraw();
    },
  };
};

/** Creates a value that is computed from shared values whenever it is read. */
export const createComputed = <T>(compute: () => T): SharedValue<T> => ({
  get value() {
    return compute();
  },
});

/** Draws a component, and all that it contains, again when a shared value has changed. */
export const useSharedValues = (): void => {
  const [, setCount] = useState(0);
  useLayoutEffect(() => {
    const redraw = (): void => {
      setCount((count) => count + 1);
    };
    redraws.add(redraw);
    return () => {
      redraws.delete(redraw);
    };
  }, []);
};
