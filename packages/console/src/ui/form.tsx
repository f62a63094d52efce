import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from './basics';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
  readonly children: (props: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
  }) => ComponentChildren;
}

/** A label, its control, and below it a hint or what is wrong. */
export const Field = ({ label, hint, error, children }: FieldProps): JSX.Element => {
  const id = useId();
  const about = `${id}-about`;
  const isWrong = error !== null && error !== undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': isWrong })}
      <span id={about} class={isWrong ? 'error' : 'hint'}>
        {isWrong ? error : hint}
      </span>
    </div>
  );
};

interface FormProps {
  readonly action: string;
  readonly onSubmit: () => Promise<void>;
  readonly onCancel?: () => void;
  /** Why the form cannot be sent yet. */
  readonly refusal?: string | null;
  readonly danger?: boolean;
  readonly children: ComponentChildren;
}

/** A form that is sent once at a time and shows the service's answer when it is refused. */
export const Form = ({
  action,
  onSubmit,
  onCancel,
  refusal,
  danger,
  children,
}: FormProps): JSX.Element => {
  const [error, setError] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isRunning) return;
    setRunning(true);
    setError(null);
    try {
      await onSubmit();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'This did not work.');
    }
    setRunning(false);
  };
  return (
    <form class="stack" style="padding:0;gap:16px" onSubmit={(event) => void submit(event)}>
      {children}
      {error === null ? null : (
        <p class="notice bad" role="alert">
          {error}
        </p>
      )}
      <footer class="row" style="justify-content:flex-end">
        {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
        <Button
          type="submit"
          kind={danger === true ? 'danger primary' : 'primary'}
          refusal={isRunning ? 'Working …' : (refusal ?? null)}
        >
          {action}
        </Button>
      </footer>
    </form>
  );
};

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'search' | 'date';
  readonly autocomplete?: 'off' | 'name' | 'username' | 'current-password' | 'new-password';
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export const TextField = ({
  label,
  value,
  onValue,
  hint,
  error,
  type = 'text',
  autocomplete = 'off',
  required = false,
  placeholder = '',
  minLength = 0,
  maxLength = 2_000,
}: TextFieldProps): JSX.Element => (
  <Field label={label} hint={hint} error={error ?? null}>
    {(props) => (
      <input
        {...props}
        type={type as 'text'}
        autocomplete={autocomplete}
        required={required}
        placeholder={placeholder}
        minLength={minLength}
        maxLength={maxLength}
        value={value}
        onInput={(event) => {
          onValue(event.currentTarget.value);
        }}
      />
    )}
  </Field>
);

export const SelectField = <T extends string>({
  label,
  value,
  onValue,
  options,
  hint,
}: {
  label: string;
  value: T;
  onValue: (value: T) => void;
  options: readonly (readonly [T, string])[];
  hint?: ComponentChildren;
}): JSX.Element => (
  <Field label={label} hint={hint}>
    {(props) => (
      <select
        {...props}
        value={value}
        onChange={(event) => {
          onValue(event.currentTarget.value as T);
        }}
      >
        {options.map(([option, text]) => (
          <option value={option}>{text}</option>
        ))}
      </select>
    )}
  </Field>
);

interface RadioCardProps {
  /** The name of the group, of which one is chosen. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly checked: boolean;
  readonly onChosen: () => void;
}

/** One of several choices, with a sentence about it. */
export const RadioCard = ({
  name,
  title,
  about,
  checked,
  onChosen,
}: RadioCardProps): JSX.Element => (
  <label class="choice">
    <input type="radio" name={name} checked={checked} onChange={onChosen} />
    <span>
      <strong>{title}</strong>
      <br />
      <span class="muted">{about}</span>
    </span>
  </label>
);

interface ChecksProps {
  readonly of: readonly { readonly id: string; readonly name: string }[];
  /** The ids of the checked ones. */
  readonly chosen: readonly string[];
  readonly onChosen: (ids: readonly string[]) => void;
}

/** A box for each of several objects, any of which can be checked. */
export const Checks = ({ of, chosen, onChosen }: ChecksProps): JSX.Element => (
  <div class="checks">
    {of.map(({ id, name }) => (
      <label>
        <input
          type="checkbox"
          checked={chosen.includes(id)}
          onChange={(event) => {
            const others = chosen.filter((each) => each !== id);
            onChosen(event.currentTarget.checked ? [...others, id] : others);
          }}
        />
        {name}
      </label>
    ))}
  </div>
);
