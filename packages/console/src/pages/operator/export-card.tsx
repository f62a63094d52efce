import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { callOperator, readEachPage } from '../../api/calls';
import type { ListPage } from '../../api/load';
import { Button, Card } from '../../ui/basics';
import { useCsvExport } from '../../ui/csv-export';
import { Field, Form, SelectField } from '../../ui/form';
import { formatNumber } from '../../ui/format';
import type { ExportedRows } from './operator-answers';
import { useKnownTenants } from './tenant-names';

const EXPORT_VIEWS = [
  ...['subscribers', 'subscriptions', 'tickets', 'events', 'payments', 'payment_events'],
  ...['cohort_members', 'motion_runs', 'daily_counts', 'daily_durations'],
].map((view) => [view, view.replaceAll('_', ' ')] as const);

const CHUNK_ROWS = 1_000;
/**
 * Saves the rows of one tenant in a view of the schema `analytics` as CSV. They contain nothing
 * personal.
 */
export const ExportCard = (): JSX.Element => {
  const listId = useId();
  const tenants = useKnownTenants();
  const [view, setView] = useState('subscribers');
  const [tenantId, setTenantId] = useState('');
  const [environment, setEnvironment] = useState<'live' | 'test'>('live');
  const csv = useCsvExport();
  const submit = (): Promise<void> =>
    csv.save(`${view}.csv`, (write, signal) =>
      readEachPage(
        (after) => readChunk({ view, tenant_id: tenantId.trim(), environment }, after, signal),
        (rows) => {
          const names = Object.keys(rows[0] ?? {});
          write(
            names,
            rows.map((row) => names.map((name) => formatCell(row[name]))),
          );
        },
      ),
    );
  return (
    <Card title="Export">
      <Form action="Save as CSV" onSubmit={submit}>
        <div class="grid-3">
          <SelectField label="View" value={view} onValue={setView} options={EXPORT_VIEWS} />
          <Field label="Tenant" hint="By its name, or its id.">
            {(props) => (
              <>
                <input
                  {...props}
                  list={listId}
                  required
                  autocomplete="off"
                  value={tenantId}
                  onInput={(event) => {
                    setTenantId(event.currentTarget.value);
                  }}
                />
                <datalist id={listId}>
                  {tenants.map(([id, name]) => (
                    <option value={id}>{name}</option>
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <SelectField
            label="Environment"
            value={environment}
            onValue={setEnvironment}
            options={[
              ['live', 'Live'],
              ['test', 'Test'],
            ]}
          />
        </div>
        <p class="small muted">
          The views hold nothing personal. The audit log of the tenant notes each export.{' '}
          <code>npm run cli -- export</code> saves the same rows.
        </p>
        {csv.rows === null ? null : (
          <p class="row" role="status">
            <Button small onClick={csv.stop}>
              Stop
            </Button>
            {formatNumber(csv.rows)} rows are read so far.
          </p>
        )}
      </Form>
    </Card>
  );
};

const readChunk = async (
  asked: Readonly<Record<string, string>>,
  after: string | null,
  signal: AbortSignal,
): Promise<ListPage<ExportedRows['data'][number]>> => {
  const query = new URLSearchParams({ ...asked, rows: String(CHUNK_ROWS) });
  if (after !== null) query.set('after', after);
  const { data, next } = await callOperator<ExportedRows>(`/exports?${query.toString()}`, {
    signal,
  });
  return { data, has_more: next !== null, next_cursor: next };
};

const formatCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string);
};
