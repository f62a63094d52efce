import type { JSX } from 'preact';
import { LoadedValue } from '../../ui/basics';
import { Checks, TextField } from '../../ui/form';
import type { CohortDefinition } from './cohort-definition';
import { usePlans } from './plans';

const STATUSES = ['active', 'trialing', 'paused', 'lapsed', 'cancelled'] as const;

export interface CohortDraft {
  readonly name: string;
  readonly description: string;
  readonly definition: CohortDefinition;
}

/** The fields of a cohort. An empty field sets no condition. */
export const CohortFields = ({
  draft,
  onDraft,
}: {
  draft: CohortDraft;
  onDraft: (draft: CohortDraft) => void;
}): JSX.Element => {
  const { definition } = draft;
  const define = (changes: {
    readonly [K in keyof CohortDefinition]?: CohortDefinition[K] | null;
  }): void => {
    const merged = Object.entries({ ...definition, ...changes }).filter(
      ([, value]) => value !== null && value !== undefined && !isEmptyList(value),
    );
    onDraft({ ...draft, definition: Object.fromEntries(merged) });
  };
  return (
    <div class="stack wide">
      <TextField
        label="Name"
        name="name"
        required
        maxLength={100}
        value={draft.name}
        onValue={(name) => {
          onDraft({ ...draft, name });
        }}
      />
      <TextField
        label="Description"
        name="description"
        maxLength={500}
        value={draft.description}
        onValue={(description) => {
          onDraft({ ...draft, description });
        }}
      />
      <fieldset class="field plain">
        <legend>Status is one of</legend>
        <div class="row">
          {STATUSES.map((status) => (
            <label class="row">
              <input
                type="checkbox"
                checked={definition.status?.includes(status) ?? false}
                onChange={(event) => {
                  const chosen = new Set(definition.status ?? []);
                  if (event.currentTarget.checked) chosen.add(status);
                  else chosen.delete(status);
                  define({ status: [...chosen] });
                }}
              />
              {status}
            </label>
          ))}
        </div>
      </fieldset>
      <PlanChoice
        chosen={definition.plan_ids ?? []}
        onChosen={(ids) => {
          define({ plan_ids: [...ids] });
        }}
      />
      <TextField
        label="Has one of these tags"
        name="tags_include"
        hint="Separated by commas."
        value={(definition.tags_include ?? []).join(', ')}
        onValue={(text) => {
          define({ tags_include: splitWords(text) });
        }}
      />
      <TextField
        label="Has none of these tags"
        name="tags_exclude"
        value={(definition.tags_exclude ?? []).join(', ')}
        onValue={(text) => {
          define({ tags_exclude: splitWords(text) });
        }}
      />
      <div class="grid-3">
        <NumberField
          label="Days since registration, at least"
          name="tenure_days_min"
          value={definition.tenure_days_min}
          onValue={(days) => {
            define({ tenure_days_min: days });
          }}
        />
        <NumberField
          label="Days since registration, at most"
          name="tenure_days_max"
          value={definition.tenure_days_max}
          min={definition.tenure_days_min}
          onValue={(days) => {
            define({ tenure_days_max: days });
          }}
        />
        <NumberField
          label="Engagement score, at least"
          name="engagement_score_min"
          value={definition.engagement_score_min}
          onValue={(score) => {
            define({ engagement_score_min: score });
          }}
        />
      </div>
    </div>
  );
};

const PlanChoice = ({
  chosen,
  onChosen,
}: {
  chosen: readonly string[];
  onChosen: (ids: readonly string[]) => void;
}): JSX.Element => {
  const { state, reload } = usePlans();
  return (
    <fieldset class="field plain">
      <legend>On one of these plans</legend>
      <LoadedValue state={state} retry={reload} lines={1}>
        {(plans) => (
          <>
            <Checks items={plans} chosen={chosen} onChosen={onChosen} />
            <span class="hint">
              {plans.length === 0 ? 'There is no plan yet.' : 'None chosen: any plan, or none.'}
            </span>
          </>
        )}
      </LoadedValue>
    </fieldset>
  );
};

const NumberField = ({
  label,
  name,
  value,
  min,
  onValue,
}: {
  label: string;
  name: keyof CohortDefinition;
  value: number | undefined;
  /** The least number that can be submitted. */
  min?: number | undefined;
  onValue: (value: number | null) => void;
}): JSX.Element => (
  <TextField
    label={label}
    name={name}
    type="number"
    min={min}
    error={min !== undefined && value !== undefined && value < min ? `This is below ${min}.` : null}
    value={value === undefined ? '' : String(value)}
    onValue={(text) => {
      onValue(text === '' ? null : Number(text));
    }}
  />
);

const splitWords = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
