import type { JSX } from 'preact';
import { Page } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { createDeliveriesCall, DeliveryTable } from './delivery-table';

/** The deliveries to all destinations. They show why an event did not arrive. */
export const Deliveries = (): JSX.Element => {
  const { query } = useQuery();
  return (
    <Page
      title="Deliveries"
      about="What was sent to all destinations in the last 30 days, the newest events first."
      call={createDeliveriesCall(query)}
    >
      <DeliveryTable />
    </Page>
  );
};
