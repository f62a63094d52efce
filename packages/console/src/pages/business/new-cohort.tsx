import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { describeError, useLoaded } from '../../api/load';
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
  const body = {
    name: draft.name,
    ...(draft.description === '' ? {} : { description: draft.description }),
    definition: draft.definition,
  };
  const submit = async (): Promise<void> => {
    const cohort = await service().cohorts.create(body);
    showToast('The cohort is created.');
    route(createTenantPath(`/cohorts/${cohort.id}`));
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
            refusal={draft.name.trim() === '' ? 'Give it a name.' : null}
          >
            <CohortFields draft={draft} onDraft={setDraft} />
          </Form>
        </Card>
        <LiveCount definition={draft.definition} />
      </div>
    </Page>
  );
};

const LiveCount = ({ definition }: { definition: CohortDefinition }): JSX.Element => {
  const key = useSettled(JSON.stringify(definition), SETTLE_MS);
  const { state } = useLoaded(key, (signal) =>
    service().cohorts.preview({ definition: JSON.parse(key) as CohortDefinition }, { signal }),
  );
  return (
    <Card title="Who would belong to it now">
      <div class="stack" aria-live="polite">
        <p class="muted">
          <Definition definition={definition} />
        </p>
        {state.kind === 'loading' ? <Skeleton lines={3} /> : null}
        {state.kind === 'failed' ? <p class="muted">{describeError(state.error)}</p> : null}
        {state.kind === 'ready' ? (
          <>
            <p class="large">{formatNumber(state.value.member_count)}</p>
            <ul class="stack">
              {state.value.examples.map((example) => (
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
};
