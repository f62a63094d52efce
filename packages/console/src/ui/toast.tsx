import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { createShared } from '../shared-state';

const SHOWN_MS = 5_000;
/** Maximum number of toasts, because more would cover the page. */
const TOASTS_MAX = 3;
const toasts = createShared<readonly { readonly id: number; readonly text: string }[]>([]);
let lastId = 0;

/** Shows the result of an action in a corner for five seconds. Screen readers read it aloud. */
export const showToast = (text: string): void => {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value, { id, text }].slice(-TOASTS_MAX);
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
  }, SHOWN_MS);
};

export const Toasts = (): JSX.Element => {
  const box = useRef<HTMLDivElement>(null);
  const shown = toasts.value;
  useEffect(() => {
    // Dialogs lie above the page. The popover that was opened last lies above them.
    box.current?.hidePopover();
    if (shown.length > 0) box.current?.showPopover();
  }, [shown]);
  return (
    <div ref={box} popover="manual" class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <div class="toast" key={id}>
          {text}
        </div>
      ))}
    </div>
  );
};
