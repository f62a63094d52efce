import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Button } from './basics';

export interface FilterText {
  readonly name: string;
  /** The label. It is shown while the field is empty, and read aloud. */
  readonly title: string;
  /** The value in the address of the page. */
  readonly value: string | undefined;
}

/**
 * The filters of a list in one line. The button Find applies the text fields together. Choices and
 * buttons apply at once.
 */
export const FilterForm = ({
  label,
  texts,
  onFind,
  children,
}: {
  label: string;
  texts: readonly FilterText[];
  onFind: (values: Readonly<Record<string, string>>) => void;
  children?: ComponentChildren;
}): JSX.Element => {
  const given = Object.fromEntries(texts.map(({ name, value }) => [name, value ?? '']));
  const [values, setValues] = useState<Readonly<Record<string, string>>>(given);
  // Before the next paint, so that nothing that was typed meanwhile is lost.
  useLayoutEffect(() => {
    setValues(given);
  }, [JSON.stringify(given)]);
  return (
    <form
      class="filters"
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onFind(Object.fromEntries(texts.map(({ name }) => [name, (values[name] ?? '').trim()])));
      }}
    >
      {texts.map(({ name, title }) => (
        <input
          aria-label={title}
          placeholder={title}
          value={values[name] ?? ''}
          onInput={(event) => {
            setValues({ ...values, [name]: event.currentTarget.value });
          }}
        />
      ))}
      <Button type="submit" small>
        Find
      </Button>
      {children}
    </form>
  );
};
