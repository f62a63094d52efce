import type { Destination, RegisteredDestination } from '@subscription-event-service/sdk';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { readFirstPage, service } from '../../api/service';
import { may } from '../../api/session';
import {
  Button,
  Card,
  Code,
  Copyable,
  LinkButton,
  Notice,
  Status,
  useAction,
} from '../../ui/basics';
import { Form, TextField } from '../../ui/form';
import { Icon } from '../../ui/icons';
import { createTenantPath } from '../../ui/page';
import { ReceiverAnswer } from '../developer/receiver-answer';

interface FirstRunProps {
  readonly destination: Destination | null;
  readonly hasEvents: boolean;
  readonly onDone: () => void;
}

/** The first steps in an empty environment: a destination, an event, and an API key. */
export const FirstRun = ({ destination, hasEvents, onDone }: FirstRunProps): JSX.Element => {
  const [created, setCreated] = useState<RegisteredDestination | null>(null);
  const target = created ?? destination;
  return (
    <Card title="Three steps to the first webhook">
      <ol class="steps">
        <Step title="Say where events go" isDone={target !== null}>
          {target === null ? (
            <AddDestination onCreated={setCreated} />
          ) : (
            <p>
              <a href={createTenantPath(`/destinations/${target.id}?tab=settings`)}>
                {target.url ?? target.email}
              </a>
            </p>
          )}
          {created?.signing_secret === undefined ? null : (
            <div class="stack" data-secret="">
              <Notice tone="warn">
                The signing secret is shown once. Your receiver verifies each webhook with it.
              </Notice>
              <Copyable text={created.signing_secret} label="the signing secret" />
            </div>
          )}
        </Step>
        <Step title="Let something happen" isDone={hasEvents}>
          {may('testHelpers.createEvent') ? (
            <SendEvent target={target} />
          ) : (
            <Code label="Create a subscriber" text={createSubscriber()} />
          )}
        </Step>
        <Step title="Call the API from your backend" isDone={false}>
          <p class="muted">
            Each system has a key of its own. This call registers a subscriber, and its event goes
            to your destination.
          </p>
          <Code label="Create a subscriber" text={createSubscriber()} />
          <div class="row">
            {may('console.apiKeys.create') ? (
              <LinkButton href={createTenantPath('/api-keys')}>Create an API key</LinkButton>
            ) : null}
            {hasEvents && target !== null ? (
              <Button onClick={onDone}>Go on to the numbers</Button>
            ) : null}
          </div>
        </Step>
      </ol>
    </Card>
  );
};

const Step = ({
  title,
  isDone,
  children,
}: {
  title: string;
  isDone: boolean;
  children: ComponentChildren;
}): JSX.Element => (
  <li data-done={isDone}>
    <span class="mark">{isDone ? <Icon name="ok" size={12} /> : null}</span>
    <div class="stack">
      <h3>
        {title}
        {isDone ? <span class="visually-hidden"> (done)</span> : null}
      </h3>
      {children}
    </div>
  </li>
);

const AddDestination = ({
  onCreated,
}: {
  onCreated: (destination: RegisteredDestination) => void;
}): JSX.Element => {
  const [url, setUrl] = useState('');
  if (!may('destinations.create')) return <p class="muted">A developer of your team adds it.</p>;
  const submit = async (): Promise<void> => {
    onCreated(await service().destinations.create({ type: 'https_webhook', url }));
  };
  return (
    <Form action="Add destination" onSubmit={submit}>
      <TextField
        label="URL of your receiver"
        type="url"
        required
        placeholder="https://example.com/webhooks"
        value={url}
        onValue={setUrl}
        hint={
          <>
            All events, with all fields.{' '}
            <a href={createTenantPath('/destinations/new')}>Choose types and privacy mode</a>
          </>
        }
      />
    </Form>
  );
};

const POLL_MS = 1_000;

/** Creates an event and shows its delivery as soon as there is one. */
const SendEvent = ({ target }: { target: Pick<Destination, 'id'> | null }): JSX.Element => {
  const [eventId, setEventId] = useState<string | null>(null);
  const send = useAction(async () => {
    setEventId((await service().testHelpers.createEvent({ type: 'subscriber.created' })).id);
  });
  return (
    <>
      <div>
        <Button
          kind="primary"
          onClick={send.run}
          refusal={
            target === null ? 'Add a destination first.' : send.isRunning ? 'Sending …' : null
          }
        >
          Send a test event
        </Button>
      </div>
      {eventId === null || target === null ? null : (
        <FirstDelivery key={eventId} destinationId={target.id} eventId={eventId} />
      )}
    </>
  );
};

const FirstDelivery = ({
  destinationId,
  eventId,
}: {
  destinationId: string;
  eventId: string;
}): JSX.Element => {
  const { state } = useLoaded(
    `first/${eventId}`,
    async (signal) =>
      (
        await readFirstPage(service().deliveries.list(destinationId, { limit: 100 }, { signal }))
      ).data.find((delivery) => delivery.event_id === eventId) ?? null,
    POLL_MS,
  );
  const delivery = state.kind === 'ready' ? state.value : null;
  return (
    <div class="stack" role="status">
      {delivery === null ? (
        <span class="muted">On its way …</span>
      ) : (
        <p class="row">
          <Status value={delivery.status} />
          <a
            href={createTenantPath(
              `/destinations/${destinationId}?tab=deliveries&delivery=${eventId}`,
            )}
          >
            {delivery.event_type}
          </a>
          <span class="muted">
            {delivery.last_status_code === null
              ? delivery.last_error === null && 'not tried yet'
              : `your receiver answered ${delivery.last_status_code}`}
          </span>
        </p>
      )}
      {delivery === null || delivery.last_error === null ? null : (
        <ReceiverAnswer
          answer={{ status_code: null, duration_ms: 0, error: delivery.last_error }}
        />
      )}
    </div>
  );
};

const createSubscriber = (): string =>
  `curl ${location.origin}/v1/subscribers \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@example.com", "external_id": "42" }'`;
