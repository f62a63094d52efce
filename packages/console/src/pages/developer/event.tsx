import type { AuditItem, EventDelivery, ServiceEvent } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLastPart } from '../../ui/address';
import { useLoaded } from '../../api/load';
import { readAllPages, service } from '../../api/service';
import { may } from '../../api/session';
import {
  Card,
  Copyable,
  Empty,
  Facts,
  LinkButton,
  LoadedValue,
  showExactTime,
  Status,
  Time,
  Waiting,
} from '../../ui/basics';
import { Page, createTenantPath } from '../../ui/page';
import { Table } from '../../ui/table';
import { DestinationLink, SubscriberLink } from '../links';
import { DeliverAgainButton, DeliverAgainDialog, NO_ATTEMPT } from './deliver-again';
import { EventInMode } from './event-in-mode';
import { ModeSwitch, useMode } from './mode-switch';

/** The page of an event: its content in each privacy mode, and its delivery to each destination. */
export const EventPage = (): JSX.Element => {
  const id = useLastPart();
  const { state, reload } = useLoaded(id, (signal) => service().events.get(id, { signal }));
  const event = state.kind === 'ready' ? state.value : null;
  return (
    <Page
      title={event?.type ?? 'Event'}
      crumbs={[['Events', createTenantPath('/events')]]}
      actions={
        event === null || !may('replays.create') ? null : (
          <LinkButton
            icon="replays"
            href={createTenantPath(`/replays/new?from=${encodeURIComponent(event.created_at)}`)}
          >
            Replay from here
          </LinkButton>
        )
      }
      call={{
        method: 'GET',
        path: `/v1/events/${id}`,
        sdk: `const event = await service.events.get('${id}');`,
      }}
    >
      <Waiting state={state} retry={reload} lines={8} />
      {event === null ? null : (
        <div class="with-aside">
          <div class="stack wide">
            <Deliveries event={event} />
            <Envelope event={event} />
          </div>
          <aside aria-label="What happened">
            <Card title="What happened">
              <Facts items={listFacts(event)} />
            </Card>
            {may('auditLog.list') ? <Origin event={event} /> : null}
          </aside>
        </div>
      )}
    </Page>
  );
};

const listFacts = (
  event: ServiceEvent,
): readonly (readonly [string, JSX.Element | string | null])[] => {
  const data = event.data as { readonly actor?: unknown; readonly reason?: unknown };
  return [
    ['Id', <Copyable text={event.id} />],
    ['Happened', showExactTime(event.created_at)],
    [
      'Subscriber',
      <SubscriberLink id={event.subscriber.id} email={event.subscriber.email ?? null} />,
    ],
    ['Sequence', `event number ${event.sequence} of the subscriber`],
    ['Asked for by', typeof data.actor === 'string' ? data.actor : null],
    ['Reason', typeof data.reason === 'string' ? data.reason.replaceAll('_', ' ') : null],
  ];
};

/**
 * Shows the cause of the event: the request of a key, a member or an operator, or the service
 * itself.
 */
const Origin = ({ event }: { event: ServiceEvent }): JSX.Element => {
  const { state, reload } = useLoaded(`origin/${event.id}`, (signal) => findOrigin(event, signal));
  return (
    <Card title="Who asked for it">
      <LoadedValue state={state} retry={reload} lines={3}>
        {(item) =>
          item === null ? (
            <p class="muted">
              Not known: the service did it by itself, such as a renewal, it has a test clock, or it
              is older than the audit log.
            </p>
          ) : (
            <Facts
              items={[
                [ACTORS[item.actor.type] ?? 'By', item.actor.name],
                ['Action', item.action],
                ['Appended', showExactTime(item.at)],
                ['Request', item.request_id === null ? null : <Copyable text={item.request_id} />],
                ['From', item.address],
              ]}
            />
          )
        }
      </LoadedValue>
    </Card>
  );
};

const ACTORS: Readonly<Record<string, string>> = {
  api_key: 'API key',
  member: 'Member',
  operator: 'Operator',
};

/**
 * Finds the item of the audit log for the command that caused an event. The item has the time of
 * the event (not under a test clock), and its object is the event's subscriber or a part of it.
 */
const findOrigin = async (event: ServiceEvent, signal: AbortSignal): Promise<AuditItem | null> => {
  const end = new Date(Date.parse(event.created_at) + 1).toISOString();
  const items = await readAllPages(
    service().auditLog.list(
      { created_after: event.created_at, created_before: end, limit: 100 },
      { signal },
    ),
  );
  const text = JSON.stringify(event);
  return items.find(({ object }) => text.includes(object.id)) ?? null;
};

/** What a pending delivery waits for. A planned retry shows its last error instead. */
const WAITS_FOR: Readonly<Record<string, string>> = {
  earlier_event: 'An older event of this subscriber goes first.',
  destination: 'The destination is down and only probed.',
};

const Deliveries = ({ event }: { event: ServiceEvent }): JSX.Element => {
  const [again, setAgain] = useState<EventDelivery | null>(null);
  const { state, reload } = useLoaded(
    `deliveries/${event.id}`,
    (signal) => readAllPages(service().events.listDeliveries(event.id, { limit: 100 }, { signal })),
    5_000,
  );
  return (
    <Card title="At each destination" flush>
      <Waiting state={state} retry={reload} />
      {state.kind === 'ready' && state.value.length === 0 ? (
        <Empty
          title="There is no destination"
          action={
            may('destinations.create') ? (
              <LinkButton href={createTenantPath('/destinations/new')} icon="plus">
                New destination
              </LinkButton>
            ) : null
          }
        >
          Add one, then replay this event to it.
        </Empty>
      ) : null}
      {state.kind === 'ready' && state.value.length > 0 && !may('destinations.list') ? (
        <p class="muted waiting">
          Your role does not see destinations, so only their ids are shown. A developer finds a
          destination by its id.
        </p>
      ) : null}
      {state.kind === 'ready' && state.value.length > 0 ? (
        <Table
          label="Deliveries of this event"
          rows={state.value}
          getId={(row: EventDelivery) => row.destination_id}
          columns={[
            {
              title: 'Destination',
              cell: ({ destination_id: id }) => (
                <>
                  {may('destinations.list') ? (
                    <DestinationLink id={id} search={`?tab=deliveries&delivery=${event.id}`} />
                  ) : null}
                  <div class="small muted">
                    <code>{id}</code>
                  </div>
                </>
              ),
            },
            { title: 'Status', cell: ({ status }) => <Status value={status} /> },
            {
              title: 'Why',
              wrap: true,
              cell: (row) =>
                NO_ATTEMPT[row.status] ??
                WAITS_FOR[row.waiting_for ?? ''] ??
                (row.status === 'delivered'
                  ? ''
                  : (row.last_error?.replaceAll('_', ' ') ?? row.last_status_code)),
            },
            { title: 'Tries', numeric: true, cell: (row) => row.attempt_count },
            { title: 'Delivered', cell: (row) => <Time at={row.delivered_at} /> },
            ...(may('deliveries.retry')
              ? [
                  {
                    title: '',
                    cell: (row: EventDelivery) => (
                      <DeliverAgainButton
                        delivery={row}
                        onClick={() => {
                          setAgain(row);
                        }}
                      />
                    ),
                  },
                ]
              : []),
          ]}
        />
      ) : null}
      {again === null ? null : (
        <DeliverAgainDialog
          delivery={again}
          onClose={() => {
            setAgain(null);
            reload();
          }}
        />
      )}
    </Card>
  );
};

const Envelope = ({ event }: { event: ServiceEvent }): JSX.Element => {
  const { mode, setMode } = useMode();
  return (
    <Card title="Envelope" actions={<ModeSwitch mode={mode} onMode={setMode} />}>
      <EventInMode event={event} mode={mode} />
    </Card>
  );
};
