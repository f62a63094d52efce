import type { Cohort } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useList } from '../../api/load';
import { createLoader, service } from '../../api/service';
import { may } from '../../api/session';
import { Card, Empty, LinkButton, Time } from '../../ui/basics';
import { formatNumber } from '../../ui/format';
import { Page, createTenantPath } from '../../ui/page';
import { type Column, ListTable } from '../../ui/table';
import { Definition } from './cohort-definition';

const COLUMNS: readonly Column<Cohort>[] = [
  {
    title: 'Cohort',
    cell: ({ id, name }) => (
      <a class="cell" href={createTenantPath(`/cohorts/${id}`)}>
        {name}
      </a>
    ),
  },
  {
    title: 'Members',
    numeric: true,
    cell: ({ member_count: members }) => formatNumber(members),
  },
  {
    title: 'Who',
    cell: ({ definition }) => (
      <span class="cell muted">
        <Definition definition={definition} />
      </span>
    ),
  },
  {
    title: 'Motions',
    numeric: true,
    cell: ({ used_by_motions: motions }) => formatNumber(motions.length),
  },
  { title: 'Changed', cell: (row) => <Time at={row.updated_at} /> },
];

/** The list of cohorts, which are groups of subscribers that match a definition. */
export const Cohorts = (): JSX.Element => {
  const list = useList<Cohort>({
    key: 'cohorts',
    getId: ({ id }) => id,
    load: createLoader((page, options) => service().cohorts.list(page, options)),
  });
  const create = may('cohorts.create') ? (
    <LinkButton href={createTenantPath('/cohorts/new')} primary icon="plus">
      New cohort
    </LinkButton>
  ) : null;
  return (
    <Page
      title="Cohorts"
      about="Groups of subscribers by what is true of them. Membership follows every change by itself."
      actions={create}
      call={{
        method: 'GET',
        path: '/v1/cohorts',
        sdk: 'for await (const cohort of service.cohorts.list()) {\n  console.log(cohort.name, cohort.member_count);\n}',
      }}
    >
      <Card flush>
        <ListTable
          label="Cohorts"
          list={list}
          getId={({ id }) => id}
          columns={COLUMNS}
          empty={
            <Empty title="No cohorts yet" action={create}>
              A cohort selects subscribers by status, plan, tags, tenure and engagement. Motions aim
              at cohorts.
            </Empty>
          }
        />
      </Card>
    </Page>
  );
};
