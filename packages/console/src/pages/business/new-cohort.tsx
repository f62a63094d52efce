import type { CohortPreview } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { describeError, type Loaded, readFieldErrors, useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { Card, Skeleton } from '../../ui/basics';
import { formatNumber } from '../../ui/format';
import { Form } from '../../ui/form';
import { Page, createTenantPath } from '../../ui/page';
import { useSettled } from '../../ui/settled';
import { showToast } from '../../ui/toast';
import { type CohortDefinition, Definition } from './cohort-definition';
import { type CohortDraft, CohortFields } from './cohort-form';

/** The count is loaded when the definition has not changed for this time, in ms. */
const SETTLE_MS = 300;

/** A form for a new cohort. It shows how many subscribers match now, with examples. */
export const NewCohort = (): JSX.Element => {
  const [draft, setDraft] = useState<CohortDraft>({ name: '', description: '', definition: {} });
  const { route } = useLocation();
  const preview = usePreview(draft.definition);
  const body = {
    name: draft.name,
    ...(draft.description === '' ? {} : { description: draft.description }),
    definition: draft.definition,
  };
  const submit = async (): Promise<void> => {
    const cohort = await service().cohorts.create(body);
    showToast('The cohort is created.');
    // Back leads to the list and not to an empty form.
    route(createTenantPath(`/cohorts/${cohort.id}`), true);
  };
  return (
    <Page
      title="New cohort"
      crumbs={[['Cohorts', createTenantPath('/cohorts')]]}
      call={{
        method: 'POST',
        path: '/v1/cohorts',
        body,
        sdk: `const cohort = await service.cohorts.create(${JSON.stringify(body, null, 2)});`,
      }}
    >
      <div class="grid-2 top">
        <Card title="Definition">
          <Form
            action="Create"
            onSubmit={submit}
            previewFailure={preview.kind === 'failed' ? preview.error : null}
            refusal={draft.name.trim() === '' ? 'Give it a name.' : null}
          >
            <CohortFields draft={draft} onDraft={setDraft} />
          </Form>
        </Card>
        <LiveCount definition={draft.definition} preview={preview} />
      </div>
    </Page>
  );
};

/** Counts the subscribers who match the definition now. */
const usePreview = (definition: CohortDefinition): Loaded<CohortPreview> => {
  const key = useSettled(JSON.stringify(definition), SETTLE_MS);
  return useLoaded(key, (signal) =>
    service().cohorts.preview({ definition: JSON.parse(key) as CohortDefinition }, { signal }),
  ).state;
};

const LiveCount = ({
  definition,
  preview,
}: {
  definition: CohortDefinition;
  preview: Loaded<CohortPreview>;
}): JSX.Element => (
  <Card title="Who would belong to it now">
    <div class="stack" aria-live="polite">
      <p class="muted">
        <Definition definition={definition} />
      </p>
      {preview.kind === 'loading' ? <Skeleton lines={3} /> : null}
      {preview.kind === 'failed' ? (
        <p class="muted">
          {readFieldErrors(preview.error).size > 0
            ? 'Correct the marked field first.'
            : describeError(preview.error)}
        </p>
      ) : null}
      {preview.kind === 'ready' ? (
        <>
          <p class="large">{formatNumber(preview.value.member_count)}</p>
          <ul class="stack">
            {preview.value.examples.map((example) => (
              <li>
                <a href={createTenantPath(`/subscribers/${example.id}`)}>
                  {example.email ?? example.id}
                </a>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  </Card>
);
