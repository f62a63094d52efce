import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { callOperator } from '../../api/calls';
import { Card } from '../../ui/basics';
import { Form, TextField } from '../../ui/form';
import { openDashboard } from './open-dashboard';
import type { Tenant } from './tenant-record';

/** What an operator does first: one form, and the tenant's dashboard opens in its test environment. */
export const FirstTenant = (): JSX.Element => {
  const [name, setName] = useState('');
  const [currency, setCurrency] = useState('USD');
  const { route } = useLocation();
  const submit = async (): Promise<void> => {
    const body = { name, settings: { currency } };
    const { id } = await callOperator<Tenant>('/tenants', { method: 'POST', body });
    await openDashboard(id, 'owner');
    route(`/console/t/${id}/test`);
  };
  return (
    <Card title="Make the first tenant">
      <div class="stack narrow">
        <p class="muted">
          A tenant is a company whose subscribers are kept apart from all others. Its dashboard
          opens at once and leads to the first webhook.
        </p>
        <Form action="Create and open its dashboard" onSubmit={submit}>
          <TextField
            label="Name of the company"
            required
            maxLength={200}
            placeholder="Acme Magazine"
            value={name}
            onValue={setName}
          />
          <TextField
            label="Currency"
            required
            minLength={3}
            maxLength={3}
            value={currency}
            onValue={(text) => {
              setCurrency(text.toUpperCase());
            }}
            hint="Of amounts that name none."
          />
        </Form>
      </div>
    </Card>
  );
};
