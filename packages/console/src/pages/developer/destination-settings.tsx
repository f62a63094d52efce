import type { ChangeDestinationBody, Destination } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { service } from '../../api/service';
import { may } from '../../api/session';
import {
  Button,
  Card,
  Copyable,
  Facts,
  Notice,
  showExactTime,
  Time,
  useAction,
} from '../../ui/basics';
import { useChangedFields } from '../../ui/changed-fields';
import { ConfirmButton } from '../../ui/dialog';
import { Form, SelectField, TextField } from '../../ui/form';
import { type ApiCall, createTenantPath } from '../../ui/page';
import { showToast } from '../../ui/toast';
import { getDestinationName, readTarget } from './destinations';
import { EventTypePicker } from './event-type-picker';
import { PRIVACY_MODES } from './privacy-modes';
import { VerifySnippets } from './verify-snippets';

/** The API call that changes a destination, with the settings that it has. */
export const createChangeCall = (destination: Destination): ApiCall => {
  const { id, description, trace_headers: trace } = destination;
  const body =
    destination.type === 'https_webhook'
      ? {
          url: destination.url,
          description,
          event_types: destination.event_types,
          pii_mode: destination.pii_mode,
          trace_headers: trace,
        }
      : { email: readTarget(destination), description };
  return {
    method: 'PATCH',
    path: `/v1/destinations/${id}`,
    body,
    sdk: `await service.destinations.update('${id}', ${JSON.stringify(body, null, 2)});`,
  };
};

/** A form for the settings of a destination, and a button to delete it. */
export const DestinationSettings = ({
  destination,
  onDone,
}: {
  destination: Destination;
  onDone: () => void;
}): JSX.Element => (
  <div class="with-aside">
    <div class="stack wide">
      {!may('destinations.update') ? (
        <Notice>Your role shows the settings and does not change them.</Notice>
      ) : destination.status === 'deleted' ? (
        <Restore destination={destination} onDone={onDone} />
      ) : (
        <>
          <Change destination={destination} onDone={onDone} />
          {destination.type === 'https_webhook' ? <Secret destination={destination} /> : null}
          <End destination={destination} onDone={onDone} />
        </>
      )}
    </div>
    <aside aria-label="Details">
      <Card title="Details">
        <Facts
          items={[
            ['Id', <Copyable text={destination.id} />],
            ['Created', showExactTime(destination.created_at)],
            ['Schema version', destination.schema_version],
            [
              'Event types',
              destination.event_types === null ? 'all' : destination.event_types.join(', '),
            ],
            ['Privacy mode', destination.pii_mode.replace('_', ' ')],
            ['At once at most', `${destination.max_in_flight} requests`],
            [
              'Per second at most',
              destination.rate_limit_per_second === null
                ? 'no limit'
                : String(destination.rate_limit_per_second),
            ],
            ['Order', destination.ordering],
            ['Trace headers', destination.trace_headers],
          ]}
        />
      </Card>
    </aside>
  </div>
);

const Change = ({
  destination,
  onDone,
}: {
  destination: Destination;
  onDone: () => void;
}): JSX.Element => {
  const [target, setTarget] = useState(readTarget(destination));
  const [description, setDescription] = useState(destination.description ?? '');
  const [types, setTypes] = useState<readonly string[] | null>(destination.event_types);
  const [mode, setMode] = useState(destination.pii_mode);
  const [trace, setTrace] = useState(destination.trace_headers);
  const isWebhook = destination.type === 'https_webhook';
  const fields: ChangeDestinationBody = {
    ...(isWebhook
      ? {
          url: target,
          event_types: types === null ? null : [...types],
          pii_mode: mode,
          trace_headers: trace,
        }
      : { email: target }),
    description: description === '' ? null : description,
  };
  const save = useChangedFields(fields, (changed) =>
    service().destinations.update(destination.id, changed),
  );
  const submit = async (): Promise<void> => {
    await save();
    showToast('The destination is changed.');
    onDone();
  };
  return (
    <Card title="Change">
      <Form action="Save" onSubmit={submit}>
        <TextField
          label={isWebhook ? 'URL' : 'Mailbox'}
          name={isWebhook ? 'url' : 'email'}
          type={isWebhook ? 'url' : 'email'}
          required
          value={target}
          onValue={setTarget}
        />
        <TextField
          label="Description"
          name="description"
          value={description}
          onValue={setDescription}
          maxLength={200}
        />
        {isWebhook ? (
          <>
            <EventTypePicker chosen={types} onChosen={setTypes} />
            <SelectField
              label="Privacy mode"
              value={mode}
              onValue={setMode}
              options={PRIVACY_MODES.map(({ mode: each, title }) => [each, title] as const)}
              hint={PRIVACY_MODES.find((each) => each.mode === mode)?.about}
            />
            <SelectField
              label="Trace headers"
              value={trace}
              onValue={setTrace}
              options={[
                ['on', 'Sent'],
                ['off', 'Not sent'],
              ]}
              hint="With traceparent, your own tracing continues the trace of the request that caused the event."
            />
          </>
        ) : null}
      </Form>
    </Card>
  );
};

const Secret = ({ destination }: { destination: Destination }): JSX.Element => {
  const [rotated, setRotated] = useState<{ secret: string; until: string } | null>(null);
  const oldEnds = destination.previous_secret_expires_at;
  const isOverlap = oldEnds !== null && Date.parse(oldEnds) > Date.now();
  return (
    <Card title="Signing secret">
      {rotated === null ? (
        <div class="stack">
          <p class="muted">
            A rotation makes a new secret. The old one stays valid for 24 hours, and deliveries
            carry a signature by each.
          </p>
          {isOverlap ? (
            <Notice>
              The secret was rotated. The old one ends <Countdown until={oldEnds} />.
            </Notice>
          ) : null}
          <div>
            <ConfirmButton
              title="Rotate the signing secret"
              typeToConfirm={getDestinationName(destination)}
              action="Rotate"
              onConfirm={async () => {
                const answer = await service().destinations.rotateSecret(destination.id);
                setRotated({
                  secret: answer.signing_secret,
                  until: answer.previous_secret_expires_at,
                });
              }}
            >
              <p>Your receiver must know the new secret within 24 hours.</p>
            </ConfirmButton>
          </div>
        </div>
      ) : (
        <div class="stack">
          <Notice tone="ok">
            The new secret is shown this once. The old one ends <Countdown until={rotated.until} />.
          </Notice>
          <Copyable text={rotated.secret} label="the signing secret" />
          <VerifySnippets />
        </div>
      )}
    </Card>
  );
};

const Countdown = ({ until }: { until: string }): JSX.Element => {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      tick((count) => count + 1);
    }, 30_000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return <Time at={until} />;
};

const Restore = ({
  destination,
  onDone,
}: {
  destination: Destination;
  onDone: () => void;
}): JSX.Element => {
  const restore = useAction(async () => {
    await service().destinations.restore(destination.id);
    showToast('The destination is restored. It continues where it stopped.');
    onDone();
  });
  return (
    <Card title="Restore">
      <div class="stack">
        <p class="muted">
          The destination continues where it stopped: what happened since is delivered.
        </p>
        <div>
          <Button kind="primary" onClick={restore.run}>
            Restore
          </Button>
        </div>
      </div>
    </Card>
  );
};

const End = ({
  destination,
  onDone,
}: {
  destination: Destination;
  onDone: () => void;
}): JSX.Element => {
  const { route } = useLocation();
  return (
    <Card title="Stop">
      <div class="row">
        {destination.status === 'active' ? (
          <ConfirmButton
            title="Disable this destination"
            action="Disable"
            onConfirm={async () => {
              await service().destinations.update(destination.id, { status: 'disabled' });
              showToast('The destination is disabled. Events wait for it.');
              onDone();
            }}
          >
            <p>Nothing is sent any more. Events wait until it is enabled again.</p>
          </ConfirmButton>
        ) : null}
        <ConfirmButton
          kind="danger"
          title="Delete this destination"
          action="Delete"
          onConfirm={async () => {
            await service().destinations.delete(destination.id);
            showToast('The destination is deleted. It can be restored for 30 days.');
            onDone();
          }}
        >
          <p>Nothing is sent any more. It can be restored for 30 days and then continues.</p>
        </ConfirmButton>
        <ConfirmButton
          kind="danger"
          title="Delete this destination for good"
          typeToConfirm={getDestinationName(destination)}
          action="Delete for good"
          onConfirm={async () => {
            await service().destinations.delete(destination.id, { force: true });
            showToast('The destination is gone.');
            route(createTenantPath('/destinations'));
          }}
        >
          <p>What waits for it is never sent. Nobody can undo this.</p>
        </ConfirmButton>
      </div>
    </Card>
  );
};
