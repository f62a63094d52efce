import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { callOperator } from '../../api/calls';
import { Card } from '../../ui/basics';
import { createCsv } from '../../ui/csv';
import { download } from '../../ui/download';
import { Field, Form, SelectField } from '../../ui/form';
import { showToast } from '../../ui/toast';
import type { ExportedRows } from './operator-answers';
import { useKnownTenants } from './tenant-names';

const EXPORT_VIEWS = [
  ...['subscribers', 'subscriptions', 'tickets', 'events', 'payments', 'payment_events'],
  ...['cohort_members', 'motion_runs', 'daily_counts', 'daily_durations'],
].map((view) => [view, view.replaceAll('_', ' ')] as const);

const CHUNK_ROWS = 1_000;
/**
 * Maximum number of rows, because a browser keeps the file in memory. The command line has no
 * limit.
 */
const ROWS_MAX = 100_000;

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
  const submit = async (): Promise<void> => {
    const rows = await readAll({ view, tenant_id: tenantId.trim(), environment });
    if (rows.length === 0) {
      showToast('The view has no rows.');
      return;
    }
    const names = Object.keys(rows[0] ?? {});
    const lines = rows.map((row) => names.map((name) => formatCell(row[name])));
    download(`${view}.csv`, 'text/csv', createCsv([names, ...lines]));
  };
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
          The views hold nothing personal. Up to 100,000 rows; <code>npm run cli -- export</code>{' '}
          saves any number, and the audit log of the tenant notes each export.
        </p>
      </Form>
    </Card>
  );
};

const readAll = async (asked: Readonly<Record<string, string>>): Promise<ExportedRows['data']> => {
  const rows: ExportedRows['data'][number][] = [];
  let after: string | null = null;
  do {
    const query = new URLSearchParams({ ...asked, rows: String(CHUNK_ROWS) });
    if (after !== null) query.set('after', after);
    const chunk: ExportedRows = await callOperator(`/exports?${query.toString()}`);
    rows.push(...chunk.data);
    after = chunk.next;
  } while (after !== null && rows.length < ROWS_MAX);
  return rows;
};

const formatCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string);
};
