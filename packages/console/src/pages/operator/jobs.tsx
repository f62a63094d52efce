import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callOperator } from '../../api/calls';
import { type ListPage, useLoaded } from '../../api/load';
import { may } from '../../api/session';
import {
  Button,
  Card,
  Empty,
  Facts,
  Json,
  Status,
  Time,
  useAction,
  LoadedValue,
} from '../../ui/basics';
import { ConfirmButton } from '../../ui/dialog';
import { formatNumber } from '../../ui/format';
import { formatProgress } from './rebuild-progress';
import { ExportCard } from './export-card';
import { AllImports, AllReplays, LeftOutEvents } from './all-jobs';
import { Page } from '../../ui/page';
import { Table } from '../../ui/table';
import { showToast } from '../../ui/toast';

interface Rebuild {
  readonly id: string;
  readonly projections: readonly string[];
  readonly compare: boolean;
  readonly differences: readonly unknown[] | null;
  readonly status: string;
  readonly events_projected: number;
  readonly position: string;
  readonly target_position: string;
  readonly failure_reason: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

const POLL_MS = 3_000;

/** The page of replays, imports and rebuilds. */
export const Jobs = (): JSX.Element => (
  <Page
    title="Jobs"
    about="Replays, imports and exports of all tenants, rebuilds of the read models, and the check that they say what the log says."
    call={{
      method: 'GET',
      path: '/operator/v1/rebuilds',
      sdk: "// The operator's API is called over HTTP; the SDK is for tenants.",
    }}
  >
    <AllReplays />
    <AllImports />
    <Rebuilds />
    <Verify />
    <ExportCard />
    <LeftOutEvents />
  </Page>
);

const Rebuilds = (): JSX.Element => {
  const { state, reload } = useLoaded(
    'rebuilds',
    (signal) => callOperator<ListPage<Rebuild>>('/rebuilds', { signal }),
    POLL_MS,
  );
  const compare = useAction(async () => {
    await callOperator('/rebuilds', { method: 'POST', body: { compare: true } });
    reload();
  });
  const actions = may('operator.rebuilds.create') ? (
    <>
      <Button small onClick={compare.run}>
        Compare only
      </Button>
      <ConfirmButton
        small
        title="Rebuild all read models"
        action="Rebuild"
        onConfirm={async () => {
          await callOperator('/rebuilds', { method: 'POST', body: {} });
          showToast('The rebuild has begun.');
          reload();
        }}
      >
        <p>They are built beside the ones in use and take their place when they are whole.</p>
      </ConfirmButton>
    </>
  ) : null;
  return (
    <Card title="Rebuilds" flush actions={actions}>
      <LoadedValue state={state} retry={reload}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="Nothing was rebuilt" isGood>
              A rebuild makes the read models anew from the log, beside the ones in use.
            </Empty>
          ) : (
            <RebuildTable rebuilds={data} />
          )
        }
      </LoadedValue>
    </Card>
  );
};

const RebuildTable = ({ rebuilds }: { rebuilds: readonly Rebuild[] }): JSX.Element => (
  <Table
    label="Rebuilds"
    rows={rebuilds}
    getId={({ id }) => id}
    columns={[
      { title: 'What', cell: ({ compare }) => (compare ? 'compare' : 'rebuild') },
      { title: 'Status', cell: ({ status }) => <Status value={status} /> },
      { title: 'Read models', numeric: true, cell: ({ projections }) => projections.length },
      {
        title: 'Events',
        numeric: true,
        cell: ({ events_projected: events }) => formatNumber(events),
      },
      { title: 'Progress', numeric: true, cell: (row) => formatProgress(row) },
      {
        title: 'Differences',
        numeric: true,
        cell: ({ differences }) => differences?.length ?? <span class="muted">–</span>,
      },
      {
        title: 'Failure',
        cell: (row) => row.failure_reason ?? <span class="muted">–</span>,
      },
      { title: 'Asked for', cell: (row) => <Time at={row.created_at} /> },
      { title: 'Ended', cell: (row) => <Time at={row.finished_at} /> },
    ]}
  />
);

type Verification = Readonly<Record<string, unknown>>;

const Verify = (): JSX.Element => {
  const [found, setFound] = useState<Verification | null>(null);
  const verify = useAction(async () => {
    setFound(
      await callOperator<Verification>('/projections/verify', {
        method: 'POST',
        body: { sample: 100 },
      }),
    );
  });
  return (
    <Card
      title="Verify"
      actions={
        may('operator.projections.verify') ? (
          <Button small onClick={verify.run} refusal={verify.isRunning ? 'Comparing …' : null}>
            Verify 100 subscribers
          </Button>
        ) : null
      }
    >
      {found === null ? (
        <p class="muted">
          Projects a sample of subscribers from their events anew and reports every row that
          differs.
        </p>
      ) : (
        <Facts
          items={Object.entries(found).map(([name, value]) => [
            name.replaceAll('_', ' '),
            Array.isArray(value) && value.length > 0 ? (
              <Json label={name} value={value} />
            ) : Array.isArray(value) ? (
              'none'
            ) : (
              String(value)
            ),
          ])}
        />
      )}
    </Card>
  );
};
