import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { describeError } from '../api/load';
import { Button } from './basics';
import { SignedOut } from './signed-out';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** `panel` is a dialog at the right edge, over the full height. */
  readonly shape?: 'dialog' | 'panel';
  readonly children: ComponentChildren;
}

/** A native modal dialog. Escape closes it, and the focus returns to the element that opened it. */
export const Dialog = ({
  title,
  open,
  onClose,
  shape,
  children,
}: DialogProps): JSX.Element | null => {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    if (!open) return undefined;
    const dialog = element.current;
    dialog?.showModal();
    // The dialog must be closed before it is removed. Otherwise the focus does not return to its
    // opener.
    return () => {
      dialog?.close();
    };
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={element}
      class={shape ?? 'dialog'}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected) onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="body">
        <div class="row" style="justify-content:space-between">
          <h2 id={titleId}>{title}</h2>
          <Button kind="quiet" small icon="bad" aria-label="Close" onClick={onClose} />
        </div>
        <SignedOut />
        {children}
      </div>
    </dialog>
  );
};

interface ConfirmProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** The text that the person must type to confirm. Without it a click is enough. */
  readonly typeToConfirm?: string;
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
  readonly children: ComponentChildren;
}

/** Asks for confirmation of an action that cannot be undone. */
export const Confirm = ({ open, ...props }: ConfirmProps): JSX.Element | null =>
  // Each opening mounts a new component, so nothing is left of what was typed the last time.
  open ? <OpenConfirm {...props} /> : null;

const OpenConfirm = ({
  title,
  onClose,
  typeToConfirm,
  action,
  onConfirm,
  children,
}: Omit<ConfirmProps, 'open'>): JSX.Element => {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const inputId = useId();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setRunning(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(describeError(failure));
    }
    setRunning(false);
  };
  const isConfirmed = typeToConfirm === undefined || typed === typeToConfirm;
  return (
    <Dialog title={title} open onClose={onClose}>
      <form style="padding:0" onSubmit={(event) => void submit(event)}>
        <div class="stack">{children}</div>
        {typeToConfirm === undefined ? null : (
          <div class="field">
            <label for={inputId}>
              Type <code>{typeToConfirm}</code> to confirm
            </label>
            <input
              id={inputId}
              value={typed}
              autocomplete="off"
              onInput={(event) => {
                setTyped(event.currentTarget.value);
              }}
            />
          </div>
        )}
        {error === null ? null : (
          <p class="notice bad" role="alert">
            {error}
          </p>
        )}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="danger primary"
            refusal={isRunning ? 'Working …' : isConfirmed ? null : 'Type the name first.'}
          >
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
};
