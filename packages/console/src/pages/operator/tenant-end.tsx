import type { JSX } from 'preact';
import { callOperator } from '../../api/calls';
import { Button, useAction } from '../../ui/basics';
import { ConfirmButton } from '../../ui/dialog';
import { showToast } from '../../ui/toast';
import type { Tenant } from './tenant-record';

interface EndProps {
  readonly tenant: Tenant;
  readonly onDone: () => void;
}

/** Suspends a tenant, so that its keys and members are refused, or resumes it. No data is lost. */
export const Suspension = ({ tenant, onDone }: EndProps): JSX.Element => {
  const resume = useAction(async () => {
    await callOperator(`/tenants/${tenant.id}/resume`, { method: 'POST' });
    showToast('The tenant goes on.');
    onDone();
  });
  if (tenant.status === 'suspended') return <Button onClick={resume.run}>Resume</Button>;
  return (
    <ConfirmButton
      title={`Suspend ${tenant.name}`}
      typeToConfirm={tenant.name}
      action="Suspend"
      onConfirm={async () => {
        await callOperator(`/tenants/${tenant.id}/suspend`, { method: 'POST', body: {} });
        showToast('The tenant is suspended.');
        onDone();
      }}
    >
      <p>
        Its team and its API keys are refused until an operator resumes it. Renewals, payments and
        deliveries go on.
      </p>
    </ConfirmButton>
  );
};

/** Deletes a tenant for good. The person must type its name. */
export const DeleteTenant = ({ tenant, onDone }: EndProps): JSX.Element => {
  return (
    <ConfirmButton
      label="Delete"
      kind="danger"
      title={`Delete ${tenant.name}`}
      typeToConfirm={tenant.name}
      action="Delete for good"
      onConfirm={async () => {
        await callOperator(`/tenants/${tenant.id}`, { method: 'DELETE' });
        showToast('The tenant is deleted.');
        onDone();
      }}
    >
      <p>
        Its keys and its team are refused at once. Its destinations are deleted and all of its
        subscribers are erased, live and test. Nobody can undo this; to stop it for a while, suspend
        it.
      </p>
    </ConfirmButton>
  );
};
