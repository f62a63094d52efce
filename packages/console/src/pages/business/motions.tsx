import type { Motion } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useList } from '../../api/load';
import { createLoader, service } from '../../api/service';
import { Card, Empty, LinkButton, Status, Time } from '../../ui/basics';
import { may } from '../../api/session';
import { formatNumber, formatShare } from '../../ui/format';
import { Page, createTenantPath } from '../../ui/page';
import { type Column, ListTable } from '../../ui/table';

const COLUMNS: readonly Column<Motion>[] = [
  {
    title: 'Motion',
    cell: ({ id, name }) => (
      <a class="cell" href={createTenantPath(`/motions/${id}`)}>
        {name}
      </a>
    ),
  },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  { title: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  { title: 'Offer', cell: ({ offer }) => offer?.type.replaceAll('_', ' ') ?? 'none' },
  { title: 'Triggered', numeric: true, cell: ({ stats }) => formatNumber(stats.triggered) },
  {
    title: 'Accepted',
    numeric: true,
    cell: ({ stats }) =>
      stats.presented === 0 ? (
        <span class="muted">–</span>
      ) : (
        formatShare(stats.accepted / stats.presented)
      ),
  },
  { title: 'Changed', cell: (row) => <Time at={row.updated_at} /> },
];

/** The list of motions: the offer, the target cohorts, and the results of each. */
export const Motions = (): JSX.Element => {
  const list = useList<Motion>({
    key: 'motions',
    getId: ({ id }) => id,
    load: createLoader((page, options) => service().motions.list(page, options)),
  });
  const create = may('motions.create') ? (
    <LinkButton href={createTenantPath('/motions/new')} primary icon="plus">
      New motion
    </LinkButton>
  ) : null;
  return (
    <Page
      title="Motions"
      about="Targeted actions for cohorts: what is offered, to whom, and what came of it."
      actions={create}
      call={{
        method: 'GET',
        path: '/v1/motions',
        sdk: 'for await (const motion of service.motions.list()) {\n  console.log(motion.name, motion.stats);\n}',
      }}
    >
      <Card flush>
        <ListTable
          label="Motions"
          list={list}
          getId={({ id }) => id}
          columns={COLUMNS}
          empty={
            <Empty title="No motions yet" action={create}>
              A motion offers something to a cohort: a pause instead of a cancellation, a discount
              to win somebody back. A holdout group shows what it changed.
            </Empty>
          }
        />
      </Card>
    </Page>
  );
};
