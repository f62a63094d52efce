import type { ReplayDryRun, RequestReplayBody } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { useKeyedCall } from '../../api/keyed-call';
import { useLoaded } from '../../api/load';
import { readAllPages, service } from '../../api/service';
import { place } from '../../api/session';
import { Button, Card, Empty, LinkButton, Notice, Stat, useAction, Waiting } from '../../ui/basics';
import { Confirm } from '../../ui/dialog';
import { formatCount, formatNumber, formatTime } from '../../ui/format';
import { Form, SelectField } from '../../ui/form';
import { Page, createTenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { getDestinationName } from './destinations';
import { EventTypePicker } from './event-type-picker';
import { describeWindowError, WindowSlider } from './window-slider';

/** A live replay of more events than this is confirmed by typing the destination's name. */
const CONFIRM_ABOVE_EVENTS = 10_000;

type Strategy = NonNullable<RequestReplayBody['dedupe_strategy']>;

const DAY_MS = 86_400_000;

/** Returns the instant of the address; the other one if there is none. */
const readInstant = (text: string | undefined, otherwiseMs: number): string =>
  new Date(Date.parse(text ?? '') || otherwiseMs).toISOString();

/** The choices that the address contains, and a function that changes some of them. */
const useChoices = (): {
  readonly destinationId: string;
  readonly from: string;
  readonly to: string;
  /** Null for all types. */
  readonly types: readonly string[] | null;
  readonly strategy: Strategy;
  readonly set: (changes: Readonly<Record<string, string | null>>) => void;
} => {
  const { query, set } = useQuery();
  const [now] = useState(() => Date.now());
  return {
    destinationId: query['destination_id'] ?? '',
    from: readInstant(query['from'], now - 7 * DAY_MS),
    to: readInstant(query['to'], now),
    types: query['event_types']?.split(',').filter((type) => type !== '') ?? null,
    strategy: query['dedupe_strategy'] === 'force_redeliver' ? 'force_redeliver' : 'skip_existing',
    set,
  };
};

/**
 * Requests a replay in three steps: destination and window, the counts of a dry run, and the start.
 * The choices are in the address.
 */
export const NewReplay = (): JSX.Element => {
  const { destinationId, from, to, types, strategy, set } = useChoices();
  const [dryRun, setDryRun] = useState<ReplayDryRun | null>(null);
  const destinations = useLoaded('webhooks', (signal) =>
    readAllPages(service().destinations.list({ limit: 100 }, { signal })),
  );
  const body: RequestReplayBody = {
    destination_id: destinationId,
    from,
    to,
    dedupe_strategy: strategy,
    ...(types === null ? {} : { event_types: [...types] }),
  };
  useEffect(() => {
    setDryRun(null);
  }, [JSON.stringify(body)]);
  const count = async (): Promise<void> => {
    const answer = await service().replays.create({ ...body, dry_run: true });
    if ('dry_run' in answer) setDryRun(answer);
  };
  const webhooks =
    destinations.state.kind === 'ready'
      ? destinations.state.value.filter(({ type }) => type === 'https_webhook')
      : [];
  const target = webhooks.find(({ id }) => id === destinationId);
  const name = target === undefined ? destinationId : getDestinationName(target);
  return (
    <Page
      title="New replay"
      crumbs={[['Replays', createTenantPath('/replays')]]}
      about="Live deliveries always come first; a replay fills the time between them."
      call={{
        method: 'POST',
        path: '/v1/replay',
        body,
        sdk: `const replay = await service.replays.create(${JSON.stringify(body, null, 2)});`,
      }}
    >
      <Waiting state={destinations.state} retry={destinations.reload} lines={6} />
      {destinations.state.kind === 'ready' && webhooks.length === 0 ? (
        <Card>
          <Empty
            title="There is no webhook to replay to"
            action={
              <LinkButton href={createTenantPath('/destinations/new')} primary icon="plus">
                New destination
              </LinkButton>
            }
          >
            Add the address of your server first. Events that happened before can be replayed to it.
          </Empty>
        </Card>
      ) : null}
      {webhooks.length > 0 ? (
        <div class="grid-2 top">
          <Card title="What is sent where">
            <Form
              action="Count the events"
              onSubmit={count}
              refusal={
                destinationId === '' ? 'Choose a destination.' : describeWindowError({ from, to })
              }
            >
              <SelectField
                label="Destination"
                value={destinationId}
                onValue={(id) => {
                  set({ destination_id: id });
                }}
                options={[
                  ['', 'Choose …'],
                  ...webhooks.map((each) => [each.id, getDestinationName(each)] as const),
                ]}
              />
              <WindowSlider from={from} to={to} onWindow={set} />
              <EventTypePicker
                all="All types that the destination takes"
                chosen={types}
                onChosen={(chosen) => {
                  // A comma alone stands for no type, because an empty parameter is removed.
                  set({ event_types: chosen === null ? null : chosen.join(',') || ',' });
                }}
              />
              <SelectField
                label="Events that were delivered before"
                value={strategy}
                onValue={(chosen) => {
                  set({ dedupe_strategy: chosen === 'skip_existing' ? null : chosen });
                }}
                options={[
                  ['skip_existing', 'Skip them'],
                  ['force_redeliver', 'Send all again'],
                ]}
                hint={
                  strategy === 'skip_existing'
                    ? 'Only what this destination has not confirmed is sent.'
                    : 'The receiver sees the same event ids again.'
                }
              />
            </Form>
          </Card>
          {dryRun === null ? (
            <Card title="Numbers first">
              <p class="muted">
                Count the events to see how many would be sent. Nothing is sent by counting. After
                three counts within a minute, the next one waits.
              </p>
            </Card>
          ) : (
            <Start body={body} dryRun={dryRun} name={name} />
          )}
        </div>
      ) : null}
    </Page>
  );
};

const Start = ({
  body,
  dryRun,
  name,
}: {
  body: RequestReplayBody;
  dryRun: ReplayDryRun;
  /** The name of the destination. */
  name: string;
}): JSX.Element => {
  const { route } = useLocation();
  const [isAsking, setAsking] = useState(false);
  const callOnce = useKeyedCall();
  const start = async (): Promise<void> => {
    const replay = await callOnce((options) => service().replays.create(body, options));
    if ('replay_id' in replay) route(createTenantPath(`/replays/${replay.replay_id}`));
  };
  const action = useAction(start);
  const events = dryRun.estimated_event_count;
  const mustConfirm = place.value?.environment === 'live' && events > CONFIRM_ABOVE_EVENTS;
  return (
    <div class="stack">
      <div class="grid-2">
        <Stat
          label="Would be sent"
          value={formatNumber(events)}
          note={`${formatNumber(dryRun.events_skipped)} skipped of ${formatNumber(dryRun.events_matched)}`}
        />
        <Stat
          label="First and last"
          value={dryRun.first_event === null ? '–' : formatTime(dryRun.first_event.created_at)}
          note={dryRun.last_event === null ? undefined : formatTime(dryRun.last_event.created_at)}
        />
      </div>
      {events === 0 ? (
        <Notice>
          Nothing would be sent. If the events were delivered before, choose “Send all again”.
        </Notice>
      ) : (
        <div>
          <Button
            kind="primary"
            refusal={action.isRunning ? 'Starting …' : null}
            onClick={() => {
              if (mustConfirm) setAsking(true);
              else action.run();
            }}
          >
            Replay {formatCount(events, 'event')}
          </Button>
        </div>
      )}
      <Confirm
        title="Replay to a live receiver"
        open={isAsking}
        onClose={() => {
          setAsking(false);
        }}
        typeToConfirm={name}
        action="Replay"
        onConfirm={start}
      >
        <p>
          {formatCount(events, 'event')} for <strong>{name}</strong>, a live receiver.
        </p>
      </Confirm>
    </div>
  );
};
