import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { may } from '../../api/session';
import { Button } from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { useTenantForm } from './tenant-fields';

/** A button that opens the form of a new tenant. */
export const CreateTenant = (): JSX.Element | null => {
  const [isOpen, setOpen] = useState(false);
  const { fields, create } = useTenantForm();
  const { route } = useLocation();
  if (!may('operator.tenants.create')) return null;
  const submit = async (): Promise<void> => {
    const tenant = await create();
    route(`/console/operator/tenants/${tenant.id}`);
  };
  const close = (): void => {
    setOpen(false);
  };
  return (
    <>
      <Button
        kind="primary"
        icon="plus"
        onClick={() => {
          setOpen(true);
        }}
      >
        New tenant
      </Button>
      <Dialog title="New tenant" open={isOpen} onClose={close}>
        <Form action="Create tenant" onSubmit={submit} onCancel={close}>
          {fields}
        </Form>
      </Dialog>
    </>
  );
};
