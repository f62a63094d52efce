import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callTenant } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { may } from '../../api/session';
import { Card, Facts, Notice, LoadedValue } from '../../ui/basics';
import { useChangedFields } from '../../ui/changed-fields';
import { Form, SelectField, TextField } from '../../ui/form';
import { showToast } from '../../ui/toast';
import { SETTING_NAMES, TRIAL_ENDS } from '../setting-names';

/** The settings of a tenant, as the service returns them. Members can change some of them. */
interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly settings: {
    readonly currency: string;
    readonly grace_days: number;
    readonly trial_end_behavior: 'lapse' | 'pause' | 'cancel';
    readonly ticket_auto_close_hours: number;
    readonly support_refund_limit: number | null;
    readonly max_destinations: number;
    readonly alert_emails: readonly string[];
  };
}

/** The settings of the tenant's billing, and the addresses for alerts. */
export const TenantSettings = (): JSX.Element => {
  const { state, reload } = useLoaded('settings', (signal) =>
    callTenant<Tenant>('/settings', { signal }),
  );
  return (
    <LoadedValue state={state} retry={reload} lines={8}>
      {(tenant) => (
        <>
          {may('console.settings.update') ? (
            <SettingsForm key={JSON.stringify(tenant)} tenant={tenant} onDone={reload} />
          ) : (
            <Notice>Owners and admins change the settings.</Notice>
          )}
          <Card title="Set by the operator">
            <Facts
              items={[
                ['Tenant id', <code>{tenant.id}</code>],
                ['Currency', tenant.settings.currency],
                [
                  SETTING_NAMES.max_destinations,
                  `${tenant.settings.max_destinations} per environment`,
                ],
              ]}
            />
          </Card>
        </>
      )}
    </LoadedValue>
  );
};

const SettingsForm = ({ tenant, onDone }: { tenant: Tenant; onDone: () => void }): JSX.Element => {
  const { settings } = tenant;
  const [name, setName] = useState(tenant.name);
  const [emails, setEmails] = useState(settings.alert_emails.join(', '));
  const [grace, setGrace] = useState(String(settings.grace_days));
  const [trial, setTrial] = useState(settings.trial_end_behavior);
  const [closing, setClosing] = useState(String(settings.ticket_auto_close_hours));
  const [refunds, setRefunds] = useState(String(settings.support_refund_limit ?? ''));
  const fields = {
    name,
    alert_emails: emails.split(/[\s,]+/).filter((each) => each !== ''),
    grace_days: Number(grace),
    trial_end_behavior: trial,
    ticket_auto_close_hours: Number(closing),
    support_refund_limit: refunds === '' ? null : Number(refunds),
  };
  const save = useChangedFields(fields, ({ name: newName, ...changed }) => {
    const body = { ...(newName === undefined ? {} : { name: newName }), settings: changed };
    return callTenant('/settings', { method: 'PATCH', body });
  });
  const submit = async (): Promise<void> => {
    await save();
    showToast('The settings are saved.');
    onDone();
  };
  return (
    <Card title="Settings">
      <Form action="Save" onSubmit={submit}>
        <TextField
          label="Name"
          name="name"
          required
          maxLength={200}
          value={name}
          onValue={setName}
        />
        <TextField
          label={SETTING_NAMES.alert_emails}
          name="alert_emails"
          value={emails}
          onValue={setEmails}
          placeholder="developers@example.com"
          hint="Told when a destination fails, is disabled or enabled, and when a replay ends. At most 10, separated by commas."
        />
        <div class="grid-3">
          <TextField
            label={SETTING_NAMES.grace_days}
            name="grace_days"
            type="number"
            required
            value={grace}
            onValue={setGrace}
            hint="How long an unpaid subscription goes on."
          />
          <SelectField
            label={SETTING_NAMES.trial_end_behavior}
            value={trial}
            onValue={setTrial}
            options={TRIAL_ENDS}
          />
          <TextField
            label={SETTING_NAMES.ticket_auto_close_hours}
            name="ticket_auto_close_hours"
            type="number"
            required
            value={closing}
            onValue={setClosing}
          />
          <TextField
            label={SETTING_NAMES.support_refund_limit}
            name="support_refund_limit"
            type="number"
            value={refunds}
            onValue={setRefunds}
            hint="Of the payment’s currency: 10000 is $100 or ¥10,000. Left empty, there is no limit."
          />
        </div>
      </Form>
    </Card>
  );
};
