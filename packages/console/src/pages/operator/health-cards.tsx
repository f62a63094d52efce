import type { JSX } from 'preact';
import { Card, Facts, Notice, Stat, Status } from '../../ui/basics';
import { formatCount, formatNumber, formatNumberShort } from '../../ui/format';
import { Table } from '../../ui/table';
import type { InstallationOverview } from './operator-answers';

const CHECK_TITLES: Readonly<Record<string, string>> = {
  api_keys: 'API keys',
  category_links: 'index of the event store',
  subscriptions: 'readers of the event store',
};

const nameCheck = (name: string): string => CHECK_TITLES[name] ?? name.replaceAll('_', ' ');

/**
 * Shows the readiness checks. Failing checks come first with their message. Of the others only the
 * names are shown.
 */
export const Readiness = ({
  checks,
}: {
  checks: Readonly<Record<string, string>>;
}): JSX.Element => {
  const all = Object.entries(checks);
  const broken = all.filter(([, said]) => said !== 'ok');
  const well = all.filter(([, said]) => said === 'ok');
  return (
    <Card title="Stores and parts">
      <div class="stack">
        <Notice tone={broken.length === 0 ? 'ok' : 'bad'}>
          {broken.length === 0
            ? `All ${all.length} answer.`
            : `${broken.length} of ${all.length} do not answer.`}
        </Notice>
        {broken.length === 0 ? null : (
          <Facts
            items={broken.map(([name, said]) => [
              nameCheck(name),
              <Status value={said} tone="bad" />,
            ])}
          />
        )}
        <p class="small muted">
          Answering: {well.map(([name]) => nameCheck(name)).join(' · ')}. Event store, disk and
          database keep data; all others read it.
        </p>
      </div>
    </Card>
  );
};

/** Shows four numbers about the installation. */
export const InstallationNumbers = ({ found }: { found: InstallationOverview }): JSX.Element => {
  const running = found.replays_running + found.imports_running + found.rebuilds_running;
  return (
    <div class="grid-4">
      <Stat
        label="Tenants"
        value={formatNumber(found.tenants)}
        note={
          found.tenants_suspended === 0
            ? 'none is suspended'
            : `${formatNumber(found.tenants_suspended)} suspended`
        }
      />
      <Stat
        label="Failing destinations"
        value={formatNumber(found.destinations_failing)}
        note={`of ${formatNumber(found.destinations)}`}
      />
      <Stat
        label="Jobs under way"
        value={formatNumber(running)}
        note={
          <a href="/console/operator/jobs">
            {[
              formatCount(found.replays_running, 'replay'),
              formatCount(found.imports_running, 'import'),
              formatCount(found.rebuilds_running, 'rebuild'),
            ].join(', ')}
          </a>
        }
      />
      <Stat label="Read models" value={describeLag(found)} note={describeUnprojected(found)} />
    </div>
  );
};

/**
 * Read models count as up to date up to this lag. The last entries of the log change no rows, so
 * there is always some lag.
 */
const BEHIND_BYTES = 64 * 1024;

/** Returns the lag of the read models. Positions of the log count bytes. */
const describeLag = ({ projector }: InstallationOverview): string => {
  if (projector.process === null) return 'Nobody writes';
  const behind = Number(projector.log_end ?? 0) - Number(projector.projected_to ?? 0);
  return behind <= BEHIND_BYTES
    ? 'Up to date'
    : `${formatNumberShort(behind / 1024 / 1024)} MB behind`;
};

const describeUnprojected = ({ unprojected_events: events }: InstallationOverview): string =>
  events === 0 ? 'no event is left out' : `${formatNumber(events)} events are left out`;

export const Processes = ({ processes }: Pick<InstallationOverview, 'processes'>): JSX.Element => (
  <Card title="Processes" flush>
    <Table
      label="Processes"
      rows={processes}
      getId={({ id }) => id}
      columns={[
        { title: 'Process', cell: ({ id }) => <code>{id}</code> },
        {
          title: 'Runs',
          wrap: true,
          cell: ({ runs }) =>
            runs.length === 0 ? <span class="muted">requests only</span> : runs.join(', '),
        },
      ]}
    />
  </Card>
);

export const ProblemTenants = ({
  tenants,
}: {
  tenants: InstallationOverview['problem_tenants'];
}): JSX.Element | null =>
  tenants.length === 0 ? null : (
    <Card title="Tenants in trouble" flush>
      <Table
        label="Tenants in trouble"
        rows={tenants}
        getId={({ tenant_id: id }) => id}
        columns={[
          {
            title: 'Tenant',
            cell: ({ tenant_id: id, name }) => (
              <a class="cell" href={`/console/operator/tenants/${id}`}>
                {name}
              </a>
            ),
          },
          {
            title: 'Failing destinations',
            numeric: true,
            cell: ({ destinations_failing: failing }) => formatNumber(failing),
          },
        ]}
      />
    </Card>
  );
