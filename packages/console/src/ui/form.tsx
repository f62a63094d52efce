import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext, useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { describeError, isSessionOver, readFieldErrors } from '../api/load';
import { createNameChoices } from '../api/name-choices';
import { Button } from './basics';
import { nameField } from './name-field';

/** The data that a form shares with its fields. */
interface FormFields {
  /** The names of the fields that the form shows. */
  readonly names: Set<string>;
  readonly errors: ReadonlyMap<string, string>;
}

const FormFieldsContext = createContext<FormFields>({ names: new Set(), errors: new Map() });

interface FieldProps {
  readonly label: string;
  /**
   * The name of the field in the API, without the objects that contain it. Errors about this name are
   * shown at the field.
   */
  readonly name?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
  readonly children: (props: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
  }) => ComponentChildren;
}

/** A label and its control, with a hint or an error below. */
export const Field = ({ label, name, hint, error, children }: FieldProps): JSX.Element => {
  const id = useId();
  const about = `${id}-about`;
  const form = useContext(FormFieldsContext);
  const [outdated, setOutdated] = useState<unknown>(null);
  if (name !== undefined) form.names.add(name);
  const refused =
    name === undefined || outdated === form.errors ? undefined : form.errors.get(name);
  const wrong = error ?? (refused === undefined ? null : nameField(refused, name ?? '', label));
  const isWrong = wrong !== null;
  return (
    <div
      class="field"
      onInput={() => {
        // What the service said about the old value does not hold for the new one.
        setOutdated(form.errors);
      }}
    >
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': isWrong })}
      <span id={about} class={isWrong ? 'error' : 'hint'}>
        {wrong ?? hint}
      </span>
    </div>
  );
};

interface FormProps {
  readonly action: string;
  readonly onSubmit: () => Promise<void>;
  readonly onCancel?: () => void;
  /** The text of the button that calls `onCancel`. */
  readonly cancel?: string;
  /** The error of the form, if it was submitted elsewhere. */
  readonly failure?: unknown;
  /** The error of a preview of what was typed. It is shown at its fields only. */
  readonly previewFailure?: unknown;
  /** The reason why the form cannot be submitted yet. */
  readonly refusal?: string | null;
  readonly danger?: boolean;
  readonly children: ComponentChildren;
}

/** Marks a form that a person has filled in and not submitted, for the end of the session. */
const markTyped = ({ currentTarget }: { currentTarget: HTMLFormElement }): void => {
  currentTarget.dataset['typed'] = '';
};

/** Asks before what was typed in a dialog is lost. */
export const mayDiscard = (dialog: Element | null | undefined): boolean =>
  dialog?.querySelector('form[data-typed]') == null || confirm('Discard what was typed?');

/**
 * A form, which is submitted once at a time. Errors about fields are shown at the fields, and the
 * first of them gets the focus. Other errors are shown below.
 */
export const Form = ({
  action,
  onSubmit,
  onCancel,
  cancel = 'Cancel',
  failure: firstFailure = null,
  previewFailure,
  refusal,
  danger,
  children,
}: FormProps): JSX.Element => {
  const [failure, setFailure] = useState(firstFailure);
  const [isRunning, setRunning] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const names = useRef(new Set<string>()).current;
  const errors = useMemo(
    () => readFieldErrors(failure ?? previewFailure),
    [failure, previewFailure],
  );
  const fields = useMemo(() => ({ names, errors }), [names, errors]);
  useEffect(() => {
    if (failure === null) return;
    element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [failure]);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isRunning) return;
    setRunning(true);
    setFailure(null);
    try {
      await onSubmit();
      delete element.current?.dataset['typed'];
    } catch (error) {
      setFailure(error);
    }
    setRunning(false);
  };
  return (
    <form ref={element} class="stack" onInput={markTyped} onSubmit={(event) => void submit(event)}>
      <FormFieldsContext.Provider value={fields}>{children}</FormFieldsContext.Provider>
      <FormError failure={failure} fields={fields} />
      <footer class="row">
        {refusal == null ? null : <span class="small muted">{refusal}</span>}
        {onCancel === undefined ? null : (
          <Button
            onClick={() => {
              if (mayDiscard(element.current?.closest('dialog'))) onCancel();
            }}
          >
            {cancel}
          </Button>
        )}
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

/** Shows an error that belongs to no field of the form. */
const FormError = ({
  failure,
  fields: { names, errors },
}: {
  failure: unknown;
  fields: FormFields;
}): JSX.Element | null => {
  const isAtFields = errors.size > 0 && [...errors.keys()].every((name) => names.has(name));
  if (failure === null || isAtFields) return null;
  return (
    <p class="notice bad" role="alert">
      {describeError(failure)}{' '}
      {isSessionOver(failure) ? (
        // What was typed here stays.
        <a href="/console/sign-in" target="_blank">
          Sign in in another tab, then try again here
        </a>
      ) : null}
    </p>
  );
};

interface TextFieldProps {
  readonly label: string;
  readonly name?: string;
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
  readonly min?: number | undefined;
}

export const TextField = ({
  label,
  name,
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
  min,
}: TextFieldProps): JSX.Element => (
  <Field label={label} name={name} hint={hint} error={error ?? null}>
    {(props) => (
      <input
        {...props}
        type={type as 'text'}
        autocomplete={autocomplete}
        required={required}
        placeholder={placeholder}
        minLength={minLength}
        maxLength={maxLength}
        min={min}
        // Otherwise a year of six digits can be typed.
        max={type === 'date' ? '9999-12-31' : undefined}
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
  name,
  value,
  onValue,
  options,
  hint,
}: {
  label: string;
  name?: string;
  value: T;
  onValue: (value: T) => void;
  options: readonly (readonly [T, string])[];
  hint?: ComponentChildren;
}): JSX.Element => (
  <Field label={label} name={name} hint={hint}>
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
  /** The name of the radio group. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly checked: boolean;
  readonly onChosen: () => void;
}

/** A radio button with a description. */
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
  readonly items: readonly { readonly id: string; readonly name: string }[];
  /** The ids of the checked items. */
  readonly chosen: readonly string[];
  readonly onChosen: (ids: readonly string[]) => void;
}

/** A list of check boxes, one for each object. */
export const Checks = ({ items, chosen, onChosen }: ChecksProps): JSX.Element => (
  <div class="checks">
    {createNameChoices(items).map(([id, name]) => (
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
