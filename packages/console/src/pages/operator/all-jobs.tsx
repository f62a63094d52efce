import type { JSX } from 'preact';
import { createPageLoader } from '../../api/calls';
import { useList } from '../../api/load';
import { Card, Empty, Status, Time } from '../../ui/basics';
import { formatNumber } from '../../ui/format';
import { ListTable } from '../../ui/table';
import { REPLAY_POLL_MS, ReplayProgress } from '../developer/replay-progress';
import { createFindHref } from './open-dashboard';
import type { LeftOutEvent, TenantImport, TenantReplay } from './operator-answers';
import { useTenantNames } from './tenant-names';

/** The replays of all tenants, the newest first. */
export const AllReplays = (): JSX.Element => {
  const findName = useTenantNames();
  const list = useList<TenantReplay>({
    key: 'replays',
    pollMs: REPLAY_POLL_MS,
    getId: ({ replay }) => replay.replay_id,
    load: createPageLoader<TenantReplay>('/replays'),
  });
  return (
    <Card title="Replays of all tenants" flush>
      <ListTable
        label="Replays of all tenants"
        list={list}
        getId={({ replay }) => replay.replay_id}
        empty={
          <Empty
            title="No replay yet"
            action={<a href="/console/operator/tenants">Open a tenant</a>}
          >
            Tenants start replays in their dashboards.
          </Empty>
        }
        columns={[
          {
            title: 'Replay',
            cell: ({ tenant_id: tenant, environment, replay: { replay_id: id } }) => (
              <a href={createFindHref(tenant, environment, id)}>
                <code>{id}</code>
              </a>
            ),
          },
          { title: 'Tenant', cell: (row) => <TenantCell row={row} findName={findName} /> },
          { title: 'Status', cell: ({ replay }) => <ReplayProgress replay={replay} /> },
          { title: 'Asked for', cell: ({ replay }) => <Time at={replay.created_at} /> },
        ]}
      />
    </Card>
  );
};

/** The imports of all tenants, the newest first. */
export const AllImports = (): JSX.Element => {
  const findName = useTenantNames();
  const list = useList<TenantImport>({
    key: 'imports',
    getId: (row) => row.import.id,
    load: createPageLoader<TenantImport>('/imports'),
  });
  return (
    <Card title="Imports of all tenants" flush>
      <ListTable
        label="Imports of all tenants"
        list={list}
        getId={(row) => row.import.id}
        empty={
          <Empty title="No import yet">
            Tenants move existing subscribers in with <code>POST /v1/imports</code>.
          </Empty>
        }
        columns={[
          { title: 'Import', cell: (row) => <code>{row.import.id}</code> },
          { title: 'Tenant', cell: (row) => <TenantCell row={row} findName={findName} /> },
          { title: 'Status', cell: (row) => <Status value={row.import.status} /> },
          {
            title: 'Done',
            numeric: true,
            cell: ({ import: { lines_ok: ok, lines_failed: failed, lines_total: all } }) =>
              `${formatNumber(ok + failed)} of ${formatNumber(all)}`,
          },
          {
            title: 'Failed',
            numeric: true,
            cell: (row) => formatNumber(row.import.lines_failed),
          },
          { title: 'Asked for', cell: (row) => <Time at={row.import.created_at} /> },
        ]}
      />
    </Card>
  );
};

const TenantCell = ({
  row: { tenant_id: id, environment },
  findName,
}: {
  row: { readonly tenant_id: string; readonly environment: string };
  findName: (id: string) => string;
}): JSX.Element => (
  <span class="row tight">
    <a class="cell" href={`/console/operator/tenants/${id}`}>
      {findName(id)}
    </a>
    <span class="muted">{environment}</span>
  </span>
);

/**
 * The list of events that could not be projected. They are in the log and are delivered, but no
 * list shows them.
 */
export const LeftOutEvents = (): JSX.Element => {
  const list = useList<LeftOutEvent>({
    key: 'left-out',
    getId: ({ id }) => id,
    load: createPageLoader<LeftOutEvent>('/unprojected_events'),
  });
  return (
    <Card title="Events that the read models leave out" flush>
      <ListTable
        label="Events that the read models leave out"
        list={list}
        getId={({ id }) => id}
        empty={
          <Empty title="None is left out" isGood>
            Every event of the log is in the lists.
          </Empty>
        }
        columns={[
          { title: 'Type', cell: ({ type }) => <strong>{type}</strong> },
          { title: 'Error', cell: ({ error }) => <span class="cell">{error}</span> },
          { title: 'Stream', cell: ({ stream }) => <code class="cell">{stream}</code> },
          { title: 'Happened', cell: (row) => <Time at={row.created_at} /> },
        ]}
      />
    </Card>
  );
};
