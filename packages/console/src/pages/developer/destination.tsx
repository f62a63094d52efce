import type { Destination } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLastPart } from '../../ui/address';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { may } from '../../api/session';
import { Button, LinkButton, Notice, Time, useAction, Waiting } from '../../ui/basics';
import { Page, Tabs, createTenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { showToast } from '../../ui/toast';
import { createDeliveriesCall, DeliveryTable } from './delivery-table';
import { DestinationOverview } from './destination-overview';
import { createChangeCall, DestinationSettings } from './destination-settings';
import { DestinationStatus, getDestinationName, readTarget } from './destinations';
import { useFailing } from './failing';

const TABS = [
  ['overview', 'Overview'],
  ['deliveries', 'Deliveries'],
  ['settings', 'Settings'],
] as const;

/** The page of a destination: its health, its deliveries, and its settings. */
export const DestinationPage = (): JSX.Element => {
  const id = useLastPart();
  const { query, href } = useQuery();
  const tab = TABS.find(([name]) => name === query['tab'])?.[0] ?? 'overview';
  const { state, reload } = useLoaded(
    id,
    (signal) => service().destinations.get(id, { signal }),
    10_000,
  );
  const destination = state.kind === 'ready' ? state.value : null;
  const failing = useFailing();
  return (
    <Page
      title={destination === null ? 'Destination' : getDestinationName(destination)}
      crumbs={[['Destinations', createTenantPath('/destinations')]]}
      about={destination === null ? undefined : readTarget(destination)}
      badge={
        destination === null ? null : (
          <DestinationStatus destination={destination} isFailing={failing.has(id)} />
        )
      }
      actions={destination === null ? null : <Actions destination={destination} onDone={reload} />}
      call={
        tab === 'deliveries'
          ? createDeliveriesCall(query, id)
          : tab === 'settings' && destination !== null && may('destinations.update')
            ? createChangeCall(destination)
            : {
                method: 'GET',
                path: `/v1/destinations/${id}`,
                sdk: `const destination = await service.destinations.get('${id}');`,
              }
      }
    >
      <Waiting state={state} retry={reload} lines={8} />
      {destination === null ? null : (
        <>
          <Trouble destination={destination} />
          <Tabs
            label="About this destination"
            current={tab}
            tabs={TABS.map(([name, title]) => [
              name,
              title,
              href({ tab: name === 'overview' ? null : name, delivery: null }),
            ])}
          />
          {tab === 'overview' ? (
            <DestinationOverview destination={destination} isFailing={failing.has(id)} />
          ) : null}
          {tab === 'deliveries' ? <DeliveryTable destinationId={id} /> : null}
          {tab === 'settings' ? (
            <DestinationSettings destination={destination} onDone={reload} />
          ) : null}
        </>
      )}
    </Page>
  );
};

const Trouble = ({ destination }: { destination: Destination }): JSX.Element | null => {
  if (destination.status === 'deleted') {
    return (
      <Notice tone="warn">
        This destination is deleted. It can be restored in its settings until{' '}
        <Time at={destination.recoverable_until} exact />.
      </Notice>
    );
  }
  if (destination.status !== 'disabled') return null;
  return (
    <Notice tone="bad">
      Nothing has been sent since <Time at={destination.disabled_at} exact />. Nothing is lost: what
      waits is delivered when the destination is enabled again.
    </Notice>
  );
};

const Actions = ({
  destination,
  onDone,
}: {
  destination: Destination;
  onDone: () => void;
}): JSX.Element | null => {
  const test = useAction(async () => {
    const {
      status_code: status,
      error,
      duration_ms: ms,
    } = await service().destinations.test(destination.id);
    showToast(
      error === null ? `The receiver answered ${status ?? ''} in ${ms} ms.` : `Failed: ${error}.`,
    );
  });
  const enable = useAction(async () => {
    await service().destinations.update(destination.id, { status: 'active' });
    showToast('The destination is enabled. What waited goes out now.');
    onDone();
  });
  if (!may('destinations.test') || destination.status === 'deleted') return null;
  return (
    <>
      {destination.status === 'disabled' ? (
        <Button kind="primary" onClick={enable.run}>
          Enable
        </Button>
      ) : null}
      <Button onClick={test.run} refusal={test.isRunning ? 'Sending …' : null}>
        Send test
      </Button>
      {destination.type === 'https_webhook' && may('replays.create') ? (
        <LinkButton
          href={createTenantPath(`/replays/new?destination_id=${destination.id}`)}
          icon="replays"
        >
          Replay
        </LinkButton>
      ) : null}
    </>
  );
};
