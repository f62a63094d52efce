import { signal } from '@preact/signals';
import type { JSX } from 'preact';

const SHOWN_MS = 5_000;
/** Maximum number of toasts, because more would cover the page. */
const TOASTS_MAX = 3;
const toasts = signal<readonly { readonly id: number; readonly text: string }[]>([]);
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

export const Toasts = (): JSX.Element => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, text }) => (
      <div class="toast" key={id}>
        {text}
      </div>
    ))}
  </div>
);
