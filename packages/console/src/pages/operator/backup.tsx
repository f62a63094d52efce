import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callOperator } from '../../api/calls';
import { may } from '../../api/session';
import { Button } from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { Form, SelectField, TextField } from '../../ui/form';
import { showToast } from '../../ui/toast';

/** A button that opens the form for a backup of the event store. */
export const StartBackup = ({ onStarted }: { onStarted: () => void }): JSX.Element | null => {
  const [isOpen, setOpen] = useState(false);
  const [directory, setDirectory] = useState('');
  const [masterKey, setMasterKey] = useState<'with' | 'without'>('with');
  if (!may('operator.store.backup')) return null;
  const close = (): void => {
    setOpen(false);
  };
  const submit = async (): Promise<void> => {
    const body = { directory, master_key: masterKey === 'with' };
    await callOperator('/store/backup', { method: 'POST', body });
    showToast('The backup has started.');
    close();
    onStarted();
  };
  return (
    <>
      <Button
        small
        onClick={() => {
          setOpen(true);
        }}
      >
        Back up …
      </Button>
      <Dialog title="Back up the event store" open={isOpen} onClose={close}>
        <Form action="Back up" onSubmit={submit} onCancel={close}>
          <p class="muted">
            Copies the log and the keys while the service runs. <code>npm run cli -- restore</code>{' '}
            reads the copy.
          </p>
          <TextField
            label="Directory"
            name="directory"
            required
            placeholder="/var/backups/2026-11-23"
            value={directory}
            onValue={setDirectory}
            hint="The absolute path of a new or empty directory on the machine of the service."
          />
          <SelectField
            label="Master key"
            value={masterKey}
            onValue={setMasterKey}
            options={[
              ['with', 'Part of the backup'],
              ['without', 'Left out, because it is kept elsewhere'],
            ]}
          />
        </Form>
      </Dialog>
    </>
  );
};
