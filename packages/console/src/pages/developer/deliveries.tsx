import type { JSX } from 'preact';
import { Page } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { createDeliveriesQuery, DeliveryTable } from './delivery-table';

/** The deliveries to all destinations. They show why an event did not arrive. */
export const Deliveries = (): JSX.Element => {
  const { query } = useQuery();
  const { delivery: _, ...filters } = query;
  const search = new URLSearchParams(filters).toString();
  return (
    <Page
      title="Deliveries"
      about="What was sent to all destinations in the last 30 days, the newest events first."
      call={{
        method: 'GET',
        path: `/v1/deliveries${search === '' ? '' : `?${search}`}`,
        sdk: `for await (const delivery of service.deliveries.listAll(${search === '' ? '' : JSON.stringify(createDeliveriesQuery(filters))})) {\n  console.log(delivery.event_type, delivery.status);\n}`,
      }}
    >
      <DeliveryTable />
    </Page>
  );
};
