import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callTenant } from '../../api/calls';
import { membership, place } from '../../api/session';
import { Code, Copyable, Notice } from '../../ui/basics';
import { ConfirmField, Dialog } from '../../ui/dialog';
import { Form, SelectField, TextField } from '../../ui/form';
import { formatDate } from '../../ui/format';
import type { ApiKey, IssuedKey } from './api-key';

interface IssueProps {
  readonly onClose: () => void;
  readonly onIssued: (key: IssuedKey) => void;
}

const PRESETS = [
  ['full', 'All that your role has'],
  ['read_only', 'Read only'],
  ['chosen', 'Chosen scopes'],
] as const;

/** Creates a key. Only scopes of the person's own role can be chosen. */
export const NewKeyDialog = ({ onClose, onIssued }: IssueProps): JSX.Element => {
  const environment = place.value?.environment ?? 'test';
  const given = membership.value?.scopes[environment] ?? [];
  const [name, setName] = useState('');
  const [preset, setPreset] = useState<(typeof PRESETS)[number][0]>('full');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [ips, setIps] = useState('');
  const [expires, setExpires] = useState('');
  const submit = async (): Promise<void> => {
    const allowedIps = ips.split(/[\s,]+/).filter((each) => each !== '');
    const body = {
      environment,
      name,
      scopes:
        preset === 'chosen'
          ? [...chosen]
          : given.filter((scope) => preset === 'full' || scope.endsWith(':read')),
      ...(allowedIps.length === 0 ? {} : { allowed_ips: allowedIps }),
      ...createEnd(expires),
    };
    onIssued(await callTenant<IssuedKey>('/api_keys', { method: 'POST', body }));
  };
  return (
    <Dialog title={`New ${environment} key`} open onClose={onClose}>
      <Form
        action="Create key"
        onSubmit={submit}
        onCancel={onClose}
        refusal={preset === 'chosen' && chosen.size === 0 ? 'Choose a scope.' : null}
      >
        <TextField
          label="Name"
          name="name"
          required
          maxLength={100}
          placeholder="backend"
          value={name}
          onValue={setName}
          hint="What uses it, so that others know what breaks without it."
        />
        <SelectField label="Scopes" value={preset} onValue={setPreset} options={PRESETS} />
        {preset === 'chosen' ? (
          <ScopePicker scopes={given} chosen={chosen} onChosen={setChosen} />
        ) : null}
        <TextField
          label="Allowed addresses"
          name="allowed_ips"
          placeholder="203.0.113.7, 2001:db8::/32"
          value={ips}
          onValue={setIps}
          hint="Left empty, the key works from everywhere."
        />
        <EndField day={expires} onDay={setExpires} />
      </Form>
    </Dialog>
  );
};

/** The end of a key for the API: the end of its last day in UTC; nothing for no end. */
const createEnd = (day: string): { readonly expires_at?: string } =>
  day === '' ? {} : { expires_at: `${day}T23:59:59Z` };

const EndField = ({
  day,
  onDay,
}: {
  /** The last day; empty for no end. */
  day: string;
  onDay: (day: string) => void;
}): JSX.Element => (
  <TextField
    label="Ends on (UTC)"
    name="expires_at"
    type="date"
    value={day}
    onValue={onDay}
    hint="The last day on which the new key works. Left empty, it never ends."
  />
);

const ScopePicker = ({
  scopes,
  chosen,
  onChosen,
}: {
  scopes: readonly string[];
  chosen: ReadonlySet<string>;
  onChosen: (chosen: ReadonlySet<string>) => void;
}): JSX.Element => {
  return (
    <fieldset class="checks">
      <legend class="visually-hidden">Scopes</legend>
      {scopes.map((scope) => (
        <label>
          <input
            type="checkbox"
            checked={chosen.has(scope)}
            onChange={(event) => {
              const next = new Set(chosen);
              if (event.currentTarget.checked) next.add(scope);
              else next.delete(scope);
              onChosen(next);
            }}
          />
          <code>{scope}</code>
        </label>
      ))}
    </fieldset>
  );
};

const OVERLAPS = [
  ['0', 'At once'],
  ['1', 'After an hour'],
  ['24', 'After 24 hours'],
  ['168', 'After 7 days'],
] as const;

/** Creates the successor of a key. The old key stays valid for some time. */
export const RotateKeyDialog = ({
  apiKey,
  end,
  onClose,
  onIssued,
}: IssueProps & {
  readonly apiKey: ApiKey;
  /** The proposed last day of the new key; empty for no end. */
  readonly end: string;
}): JSX.Element => {
  const [expires, setExpires] = useState(end);
  const [hours, setHours] = useState<(typeof OVERLAPS)[number][0]>('24');
  const [typed, setTyped] = useState('');
  const submit = async (): Promise<void> => {
    const body = { overlap_hours: Number(hours), ...createEnd(expires) };
    onIssued(
      await callTenant<IssuedKey>(`/api_keys/${apiKey.id}/rotate`, { method: 'POST', body }),
    );
  };
  return (
    <Dialog title={`Rotate ${apiKey.name}`} open onClose={onClose}>
      <Form
        action="Rotate"
        onSubmit={submit}
        onCancel={onClose}
        refusal={typed === apiKey.name ? null : 'Type the name first.'}
      >
        <p class="muted">
          The new key has the same scopes and addresses. It{' '}
          {expires === '' ? 'never ends' : `ends after ${formatDate(`${expires}T12:00`)}`} and is
          shown once.
        </p>
        <SelectField label="The old key ends" value={hours} onValue={setHours} options={OVERLAPS} />
        <EndField day={expires} onDay={setExpires} />
        <ConfirmField name={apiKey.name} value={typed} onValue={setTyped} />
      </Form>
    </Dialog>
  );
};

/** Shows the text of a new key, which cannot be shown again. */
export const SecretDialog = ({
  issued,
  onClose,
}: {
  issued: IssuedKey;
  onClose: () => void;
}): JSX.Element => (
  <Dialog title={`Key “${issued.name}”`} open isSecret onClose={onClose}>
    <Notice tone="warn">This key is shown once. Store it where your system finds it.</Notice>
    <Copyable text={issued.key} label="the key" />
    <Code
      label="First call"
      text={`curl ${location.origin}/v1/subscribers \\\n  -H "Authorization: Bearer ${issued.key}"`}
    />
  </Dialog>
);
