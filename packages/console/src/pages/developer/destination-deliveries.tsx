import type { Delivery, Destination } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useList } from '../../api/load';
import { after, firstPage, service } from '../../api/service';
import { Card, Empty, Status, Time } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { useQuery } from '../../ui/query';
import { ListTable } from '../../ui/table';
import { DeliveryPanel } from './delivery-panel';

type Filters = { readonly status?: Delivery['status']; readonly event_type?: string };

/** Everything that was sent to a destination; a row opens its attempts at the side. */
export const DestinationDeliveries = ({
  destination,
}: {
  destination: Destination;
}): JSX.Element => {
  const { query, set, href } = useQuery();
  const filters = {
    ...(query['status'] === undefined ? {} : { status: query['status'] }),
    ...(query['event_type'] === undefined ? {} : { event_type: query['event_type'] }),
  } as Filters;
  const list = useList<Delivery>({
    key: `${destination.id}/${JSON.stringify(filters)}`,
    idOf: (row) => row.event_id,
    load: (cursor, signal) =>
      firstPage(
        service().deliveries.list(
          destination.id,
          { ...filters, ...after(cursor), limit: 100 },
          { signal },
        ),
      ),
  });
  const opened = query['delivery'];
  return (
    <>
      <div class="filters">
        <Choice
          name="status"
          title="Any status"
          options={(['delivered', 'pending', 'failed'] as const).map((each) => [each, each])}
        />
      </div>
      <Card flush>
        <ListTable
          label="Deliveries"
          list={list}
          idOf={(row) => row.event_id}
          empty={
            <Empty title="No deliveries">
              The log keeps 30 days. Older events can be replayed for 24 months.
            </Empty>
          }
          columns={[
            {
              title: 'Event',
              cell: (row) => <a href={href({ delivery: row.event_id })}>{row.event_type}</a>,
            },
            { title: 'Status', cell: ({ status }) => <Status value={status} /> },
            {
              title: 'Answer',
              cell: (row) => row.last_status_code ?? row.last_error ?? <span class="muted">–</span>,
            },
            { title: 'Tries', numeric: true, cell: (row) => row.attempt_count },
            { title: 'Last try', cell: (row) => <Time at={row.last_attempt_at} /> },
            { title: 'Next try', cell: (row) => <Time at={row.next_attempt_at} /> },
            {
              title: 'Replay',
              cell: (row) => row.replay_id ?? <span class="muted">–</span>,
            },
          ]}
        />
      </Card>
      {opened === undefined ? null : (
        <DeliveryPanel
          destinationId={destination.id}
          eventId={opened}
          onClose={() => {
            set({ delivery: null });
          }}
        />
      )}
    </>
  );
};
