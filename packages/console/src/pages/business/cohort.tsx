import type { Cohort, CohortMember } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useLastPart } from '../../ui/address';
import { useList, useLoaded } from '../../api/load';
import { useNames } from '../../api/names';
import { createLoader, service } from '../../api/service';
import { may } from '../../api/session';
import { Card, Copyable, Empty, Facts, Time, Waiting } from '../../ui/basics';
import { ConfirmButton } from '../../ui/dialog';
import { useChangedFields } from '../../ui/changed-fields';
import { formatNumber } from '../../ui/format';
import { Form } from '../../ui/form';
import { Page, createTenantPath } from '../../ui/page';
import { ListTable } from '../../ui/table';
import { showToast } from '../../ui/toast';
import { PageLink, SubscriberLink } from '../links';
import { Definition } from './cohort-definition';
import { type CohortDraft, CohortFields } from './cohort-form';

/** The page of a cohort: its conditions, its members, and the motions that target it. */
export const CohortPage = (): JSX.Element => {
  const id = useLastPart();
  const { state, reload } = useLoaded(
    id,
    (signal) => service().cohorts.get(id, { signal }),
    10_000,
  );
  const cohort = state.kind === 'ready' ? state.value : null;
  const findName = useNames('motions');
  return (
    <Page
      title={cohort?.name ?? 'Cohort'}
      crumbs={[['Cohorts', createTenantPath('/cohorts')]]}
      about={cohort?.description ?? undefined}
      actions={cohort === null || !may('cohorts.delete') ? null : <DeleteCohort cohort={cohort} />}
      call={{
        method: 'GET',
        path: `/v1/cohorts/${id}`,
        sdk: `const cohort = await service.cohorts.get('${id}');`,
      }}
    >
      <Waiting state={state} retry={reload} lines={6} />
      {cohort === null ? null : (
        <div class="with-aside">
          <div class="stack wide">
            <Members cohortId={cohort.id} />
            {may('cohorts.update') ? <EditCohort cohort={cohort} onDone={reload} /> : null}
          </div>
          <aside aria-label="Who belongs to it">
            <Card title="Who belongs to it">
              <Facts
                items={[
                  ['Members', formatNumber(cohort.member_count)],
                  ['Definition', <Definition definition={cohort.definition} />],
                  ['Id', <Copyable text={cohort.id} />],
                  [
                    'Motions',
                    cohort.used_by_motions.length === 0 ? null : (
                      <span class="row">
                        {cohort.used_by_motions.map((motionId) => (
                          <a href={createTenantPath(`/motions/${motionId}`)}>
                            {findName(motionId)}
                          </a>
                        ))}
                      </span>
                    ),
                  ],
                ]}
              />
            </Card>
          </aside>
        </div>
      )}
    </Page>
  );
};

const Members = ({ cohortId }: { cohortId: string }): JSX.Element => {
  const list = useList<CohortMember>({
    key: cohortId,
    getId: (member) => member.subscriber_id,
    load: createLoader((page, options) => service().cohorts.listMembers(cohortId, page, options)),
  });
  return (
    <Card
      title="Members"
      flush
      actions={
        may('subscribers.list') ? (
          <a href={createTenantPath(`/subscribers?cohort_id=${cohortId}`)}>Who they are</a>
        ) : null
      }
    >
      <ListTable
        label="Members"
        list={list}
        getId={(member) => member.subscriber_id}
        empty={
          <Empty
            title="Nobody yet"
            action={<PageLink to="/subscribers">Look at the subscribers</PageLink>}
          >
            Subscribers enter as soon as the definition fits.
          </Empty>
        }
        columns={[
          {
            title: 'Subscriber',
            cell: (member) => <SubscriberLink id={member.subscriber_id} />,
          },
          { title: 'Entered', cell: (member) => <Time at={member.entered_at} /> },
        ]}
      />
    </Card>
  );
};

const EditCohort = ({ cohort, onDone }: { cohort: Cohort; onDone: () => void }): JSX.Element => {
  const [draft, setDraft] = useState<CohortDraft>({
    name: cohort.name,
    description: cohort.description ?? '',
    definition: cohort.definition,
  });
  const save = useChangedFields(
    { ...draft, description: draft.description === '' ? null : draft.description },
    (changed) => service().cohorts.update(cohort.id, changed),
  );
  const submit = async (): Promise<void> => {
    await save();
    showToast('The cohort is changed. Members follow within a second or two.');
    onDone();
  };
  return (
    <Card title="Change the cohort">
      <Form action="Save" onSubmit={submit}>
        <CohortFields draft={draft} onDraft={setDraft} />
      </Form>
    </Card>
  );
};

const DeleteCohort = ({ cohort }: { cohort: Cohort }): JSX.Element => {
  const { route } = useLocation();
  return (
    <ConfirmButton
      kind="danger"
      refusal={
        cohort.used_by_motions.length === 0
          ? null
          : 'A motion aims at it. Archive the motion first.'
      }
      title="Delete this cohort"
      typeToConfirm={cohort.name}
      action="Delete"
      onConfirm={async () => {
        await service().cohorts.delete(cohort.id);
        showToast('The cohort is deleted.');
        route(createTenantPath('/cohorts'));
      }}
    >
      <p>Memberships end without an event. The subscribers stay as they are.</p>
    </ConfirmButton>
  );
};
