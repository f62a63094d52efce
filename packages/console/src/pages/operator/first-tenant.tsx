import type { JSX } from 'preact';
import { useLocation } from '../../ui/address';
import { Card } from '../../ui/basics';
import { Form } from '../../ui/form';
import { openDashboard } from './open-dashboard';
import { useTenantForm } from './tenant-fields';

/**
 * The first step of an operator: a form that creates a tenant and opens its dashboard in the test
 * environment.
 */
export const FirstTenant = (): JSX.Element => {
  const { fields, create } = useTenantForm();
  const { route } = useLocation();
  const submit = async (): Promise<void> => {
    const { id } = await create();
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
          {fields}
        </Form>
      </div>
    </Card>
  );
};
