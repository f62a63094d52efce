import type { Ticket } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLastPart } from '../../ui/address';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { hasRight, may } from '../../api/session';
import {
  Button,
  Card,
  Copyable,
  Facts,
  showExactTime,
  Status,
  useAction,
  Waiting,
} from '../../ui/basics';
import { ConfirmButton, Dialog } from '../../ui/dialog';
import { Field, Form } from '../../ui/form';
import { Page, createTenantPath } from '../../ui/page';
import { PlanName } from '../links';
import { nameSubscriber } from './subscribers';

/** The page of a ticket: its text and the possible actions. */
export const TicketPage = (): JSX.Element => {
  const id = useLastPart();
  const { state, reload } = useLoaded(
    id,
    (signal) => service().tickets.get(id, { signal }),
    10_000,
  );
  const ticket = state.kind === 'ready' ? state.value : null;
  return (
    <Page
      title={ticket?.subject ?? ticket?.topic.replaceAll('_', ' ') ?? 'Ticket'}
      crumbs={[['Tickets', createTenantPath('/tickets')]]}
      badge={ticket === null ? null : <Status value={ticket.status} />}
      actions={ticket === null ? null : <TicketActions ticket={ticket} onDone={reload} />}
      call={{
        method: 'GET',
        path: `/v1/tickets/${id}`,
        sdk: `const ticket = await service.tickets.get('${id}');`,
      }}
    >
      <Waiting state={state} retry={reload} lines={6} />
      {ticket === null ? null : (
        <div class="with-aside">
          <Card title="What was asked">
            <p class="typed">
              {ticket.body ??
                `There is no text${hasRight('pii:read') ? '' : ', or your role may not see it'}.`}
            </p>
            {ticket.resolution_note == null ? null : (
              <div class="notice ok">
                <p class="typed">
                  <strong>What was done:</strong> {ticket.resolution_note}
                </p>
              </div>
            )}
          </Card>
          <aside aria-label="Details">
            <Card title="Details">
              <Facts
                items={[
                  ['Subscriber', <Asker subscriberId={ticket.subscriber_id} />],
                  ['Topic', ticket.topic.replaceAll('_', ' ')],
                  ['Priority', ticket.priority],
                  ['From', ticket.source.replaceAll('_', ' ')],
                  ['Submitted', showExactTime(ticket.created_at)],
                  ['Resolved', showExactTime(ticket.resolved_at)],
                  ['Closes by itself', showExactTime(ticket.auto_close_at)],
                  ['Id', <Copyable text={ticket.id} />],
                ]}
              />
            </Card>
          </aside>
        </div>
      )}
    </Page>
  );
};

/**
 * Shows the subscriber of a ticket: the address and the plan if the role may see them, otherwise
 * the id.
 */
const Asker = ({ subscriberId }: { subscriberId: string }): JSX.Element => {
  const { state } = useLoaded(subscriberId, async (signal) =>
    may('subscribers.get') ? service().subscribers.get(subscriberId, {}, { signal }) : null,
  );
  const found = state.kind === 'ready' ? state.value : null;
  return (
    <>
      <a href={createTenantPath(`/subscribers/${subscriberId}`)}>
        {found === null ? subscriberId : nameSubscriber(found)}
      </a>
      {found?.subscription == null ? null : (
        <span class="row tight">
          <Status value={found.subscription.status} />
          <span class="muted">
            <PlanName id={found.subscription.plan} />
          </span>
        </span>
      )}
    </>
  );
};

const TicketActions = ({
  ticket,
  onDone,
}: {
  ticket: Ticket;
  onDone: () => void;
}): JSX.Element | null => {
  const [isResolving, setResolving] = useState(false);
  const [note, setNote] = useState('');
  const stopResolving = (): void => {
    setResolving(false);
  };
  const reopen = useAction(async () => {
    await service().tickets.reopen(ticket.id);
    onDone();
  });
  const close = async (): Promise<void> => {
    await service().tickets.close(ticket.id);
    onDone();
  };
  if (!may('tickets.resolve') || ticket.status === 'closed') return null;
  const resolve = async (): Promise<void> => {
    await service().tickets.resolve(ticket.id, note === '' ? {} : { resolution_note: note });
    setResolving(false);
    onDone();
  };
  return (
    <>
      {ticket.status === 'open' ? (
        <Button
          kind="primary"
          onClick={() => {
            setResolving(true);
          }}
        >
          Resolve …
        </Button>
      ) : (
        <Button onClick={reopen.run}>Reopen</Button>
      )}
      <ConfirmButton
        label="Close"
        title="Close the ticket"
        action="Close the ticket"
        onConfirm={close}
      >
        <p>A closed ticket cannot be opened again.</p>
      </ConfirmButton>
      <Dialog title="Resolve the ticket" open={isResolving} onClose={stopResolving}>
        <Form action="Resolve" onSubmit={resolve} onCancel={stopResolving}>
          <Field label="What was done" hint="Kept with the ticket and delivered to your systems.">
            {(props) => (
              <textarea
                {...props}
                value={note}
                maxLength={5_000}
                onInput={(event) => {
                  setNote(event.currentTarget.value);
                }}
              />
            )}
          </Field>
        </Form>
      </Dialog>
    </>
  );
};
