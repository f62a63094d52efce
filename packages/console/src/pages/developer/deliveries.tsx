import type { DeliveriesListAllQuery } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { createCursorQuery, readFirstPage, service } from '../../api/service';
import { Page } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { type DeliveryFilters, DeliveryTable } from './delivery-table';

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
        sdk: `for await (const delivery of service.deliveries.listAll(${search === '' ? '' : JSON.stringify(createQuery(filters))})) {\n  console.log(delivery.event_type, delivery.status);\n}`,
      }}
    >
      <DeliveryTable
        destinationOrAll="all"
        withDestination
        load={(asked, cursor, signal) =>
          readFirstPage(
            service().deliveries.listAll(
              { ...createQuery(asked), ...createCursorQuery(cursor), limit: 100 },
              { signal },
            ),
          )
        }
      />
    </Page>
  );
};

const createQuery = ({ status_code: code, ...rest }: DeliveryFilters): DeliveriesListAllQuery => ({
  ...(rest as DeliveriesListAllQuery),
  ...(code === undefined ? {} : { status_code: Number(code) }),
});
