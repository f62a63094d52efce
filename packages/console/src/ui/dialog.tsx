import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, type ButtonProps, Copyable } from './basics';
import { Form, mayDiscard, TextField } from './form';
import { SignedOut } from './signed-out';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  /** `panel` is a dialog at the right edge, over the full height. */
  readonly shape?: 'dialog' | 'panel';
  /** True if the dialog shows a secret, which cannot be shown again. Only "Done" closes it. */
  readonly isSecret?: boolean;
  readonly children: ComponentChildren;
}

/** After this time, in ms, an action has removed the button that opened its dialog. */
const FOCUS_WAIT_MS = 300;

/** Moves a lost focus to the content of the page. */
const focusContent = (): void => {
  if (document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true });
};

/**
 * A native modal dialog. Escape and a click beside it close it; if something was typed in it, only
 * after a question. The focus returns to the element that opened it, or to the content of the page if that is gone.
 */
export const Dialog = ({
  title,
  open,
  onClose,
  shape,
  isSecret = false,
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
      setTimeout(focusContent, FOCUS_WAIT_MS);
    };
  }, [open]);
  if (!open) return null;
  const close = (): void => {
    if (!isSecret && mayDiscard(element.current)) onClose();
  };
  return (
    <dialog
      ref={element}
      class={shape ?? 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (!event.cancelable) return;
        event.preventDefault();
        close();
      }}
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return;
        // Browsers close a dialog at the second Escape, whatever the page says.
        currentTarget.showModal();
        close();
      }}
      onClick={(event) => {
        if (event.target === element.current) close();
      }}
    >
      <div class="body">
        <div class="row spread">
          <h2 id={titleId}>{title}</h2>
          {isSecret ? null : (
            <Button kind="quiet" small icon="bad" aria-label="Close" onClick={close} />
          )}
        </div>
        <SignedOut />
        {children}
        {isSecret ? (
          <footer>
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </footer>
        ) : null}
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
  /** The text of the button that closes the dialog. */
  readonly cancel?: string;
  readonly onConfirm: () => Promise<void>;
  readonly children: ComponentChildren;
}

/** Asks for confirmation of an action that cannot be undone. */
export const Confirm = ({ open, ...props }: ConfirmProps): JSX.Element | null =>
  // Each opening mounts a new component, so nothing is left of what was typed the last time.
  open ? <OpenConfirm {...props} /> : null;

/** A button that asks for confirmation before it does something. */
export const ConfirmButton = ({
  label,
  kind,
  small,
  refusal,
  ...props
}: Omit<ConfirmProps, 'open' | 'onClose'> &
  Pick<ButtonProps, 'kind' | 'small' | 'refusal'> & {
    /** The text of the button; without it, the action. */
    readonly label?: string;
  }): JSX.Element => {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        {...{ kind, small, refusal }}
        onClick={() => {
          setAsking(true);
        }}
      >
        {label ?? props.action} …
      </Button>
      <Confirm
        {...props}
        open={isAsking}
        onClose={() => {
          setAsking(false);
        }}
      />
    </>
  );
};

const OpenConfirm = ({
  title,
  onClose,
  typeToConfirm,
  action,
  cancel = 'Cancel',
  onConfirm,
  children,
}: Omit<ConfirmProps, 'open'>): JSX.Element => {
  const [typed, setTyped] = useState('');
  const isConfirmed = typeToConfirm === undefined || typed === typeToConfirm;
  return (
    <Dialog title={title} open onClose={onClose}>
      <Form
        action={action}
        danger
        onSubmit={async () => {
          await onConfirm();
          onClose();
        }}
        onCancel={onClose}
        cancel={cancel}
        refusal={isConfirmed ? null : 'Type the name first.'}
      >
        <div class="stack">{children}</div>
        {typeToConfirm === undefined ? null : (
          <ConfirmField name={typeToConfirm} value={typed} onValue={setTyped} />
        )}
      </Form>
    </Dialog>
  );
};

/** A field for the name of an object. Not every keyboard has all of its characters: it can be copied. */
export const ConfirmField = ({
  name,
  ...props
}: {
  name: string;
  value: string;
  onValue: (typed: string) => void;
}): JSX.Element => (
  <TextField {...props} label={`Type ${name} to confirm`} hint={<Copyable text={name} />} />
);
