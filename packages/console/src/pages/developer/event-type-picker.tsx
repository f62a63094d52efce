import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { readFirstPage, service } from '../../api/service';
import { LoadedValue } from '../../ui/basics';

/** Chooses event types from a tree of families; null = all types. */
export const EventTypePicker = ({
  all = 'All types, also those that will be added',
  chosen,
  onChosen,
}: {
  /** The text of the choice of all types. */
  all?: string;
  chosen: readonly string[] | null;
  onChosen: (chosen: readonly string[] | null) => void;
}): JSX.Element => {
  return (
    <fieldset class="field plain">
      <legend>Event types</legend>
      <label class="row">
        <input
          type="checkbox"
          checked={chosen === null}
          onChange={(event) => {
            onChosen(event.currentTarget.checked ? null : []);
          }}
        />
        {all}
      </label>
      {chosen === null ? null : <TypeChoice chosen={chosen} onChosen={onChosen} />}
    </fieldset>
  );
};

const TypeChoice = ({
  chosen,
  onChosen,
}: {
  chosen: readonly string[];
  onChosen: (chosen: readonly string[]) => void;
}): JSX.Element => {
  const [text, setText] = useState('');
  const { state, reload } = useLoaded('event-types', (signal) =>
    readFirstPage(service().eventTypes.list({}, { signal })),
  );
  return (
    <div class="card event-types">
      <input
        type="search"
        aria-label="Search event types"
        placeholder="Search"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
        }}
      />
      <LoadedValue state={state} retry={reload}>
        {({ data }) => (
          <Tree
            types={data.map(({ type }) => type).filter((type) => type.includes(text))}
            chosen={chosen}
            onChosen={onChosen}
          />
        )}
      </LoadedValue>
    </div>
  );
};

const Tree = ({
  types,
  chosen,
  onChosen,
}: {
  types: readonly string[];
  chosen: readonly string[];
  onChosen: (chosen: readonly string[]) => void;
}): JSX.Element => {
  const families = [...new Set(types.map(readFamily))].sort();
  const toggle = (pattern: string, isOn: boolean): void => {
    const others = chosen.filter(
      (each) =>
        each !== pattern && !(pattern.endsWith('.*') && readFamily(each) === readFamily(pattern)),
    );
    onChosen(isOn ? [...others, pattern] : others);
  };
  return (
    <ul class="stack">
      {families.map((family) => {
        const isWhole = chosen.includes(`${family}.*`);
        return (
          <li>
            <label class="row">
              <input
                type="checkbox"
                checked={isWhole}
                onChange={(event) => {
                  toggle(`${family}.*`, event.currentTarget.checked);
                }}
              />
              <strong>{family}.*</strong>
            </label>
            <ul>
              {types
                .filter((type) => readFamily(type) === family)
                .map((type) => (
                  <li>
                    <label class="row">
                      <input
                        type="checkbox"
                        disabled={isWhole}
                        checked={isWhole || chosen.includes(type)}
                        onChange={(event) => {
                          toggle(type, event.currentTarget.checked);
                        }}
                      />
                      {type}
                    </label>
                  </li>
                ))}
            </ul>
          </li>
        );
      })}
    </ul>
  );
};

const readFamily = (type: string): string => type.split('.', 1)[0] ?? type;
