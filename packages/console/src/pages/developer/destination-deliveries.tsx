import type { DeliveriesListQuery, Destination } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { createCursorQuery, readFirstPage, service } from '../../api/service';
import { DeliveryTable } from './delivery-table';

/** The deliveries to a destination. */
export const DestinationDeliveries = ({
  destination: { id },
}: {
  destination: Destination;
}): JSX.Element => (
  <DeliveryTable
    destinationOrAll={id}
    load={({ status_code: _, ...filters }, cursor, signal) => {
      const asked = {
        ...(filters as DeliveriesListQuery),
        ...createCursorQuery(cursor),
        limit: 100,
      };
      return readFirstPage(service().deliveries.list(id, asked, { signal }));
    }}
  />
);
