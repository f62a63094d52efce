import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callOperator } from '../../api/calls';
import { TextField } from '../../ui/form';
import type { Tenant } from './tenant-record';

interface TenantForm {
  /** The fields of a new tenant, for a form. */
  readonly fields: JSX.Element;
  /** Creates the tenant that the fields describe. */
  readonly create: () => Promise<Tenant>;
}

/** The form of a new tenant: its name and its currency. */
export const useTenantForm = (): TenantForm => {
  const [name, setName] = useState('');
  const [currency, setCurrency] = useState('USD');
  const create = (): Promise<Tenant> =>
    callOperator<Tenant>('/tenants', { method: 'POST', body: { name, settings: { currency } } });
  const fields = (
    <>
      <TextField
        label="Name of the company"
        name="name"
        required
        maxLength={200}
        placeholder="Acme Magazine"
        value={name}
        onValue={setName}
      />
      <TextField
        label="Currency"
        name="currency"
        required
        minLength={3}
        maxLength={3}
        value={currency}
        onValue={(text) => {
          setCurrency(text.toUpperCase());
        }}
        hint="Of amounts that name none."
      />
    </>
  );
  return { fields, create };
};
