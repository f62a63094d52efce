import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { callOperator } from '../../api/calls';
import { mayOperate } from '../../api/session';
import { Button } from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { Form, TextField } from '../../ui/form';
import type { Tenant } from './tenant-record';

/** A button with the form of a new tenant behind it. */
export const CreateTenant = (): JSX.Element | null => {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [currency, setCurrency] = useState('USD');
  const { route } = useLocation();
  if (!mayOperate()) return null;
  const submit = async (): Promise<void> => {
    const body = { name, settings: { currency } };
    const tenant = await callOperator<Tenant>('/tenants', { method: 'POST', body });
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
          <TextField
            label="Name"
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
      </Dialog>
    </>
  );
};
