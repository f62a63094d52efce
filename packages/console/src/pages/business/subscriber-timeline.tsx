import type { TimelineItem } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useList } from '../../api/load';
import { after, firstPage, service } from '../../api/service';
import { Button, Card, Empty, Failure, Json, Skeleton, Time } from '../../ui/basics';
import { tenantPath } from '../../ui/page';

/** Everything that happened to a subscriber, the newest first, with who caused it. */
export const Timeline = ({ subscriberId }: { subscriberId: string }): JSX.Element => {
  const list = useList<TimelineItem>({
    key: subscriberId,
    idOf: ({ id }) => id,
    load: (cursor, signal) =>
      firstPage(
        service().subscribers.timeline(subscriberId, { ...after(cursor), limit: 50 }, { signal }),
      ),
  });
  return (
    <Card title="Timeline">
      {list.error !== null && list.rows.length === 0 ? (
        <Failure error={list.error} retry={list.reload} />
      ) : null}
      {list.isLoading && list.rows.length === 0 ? <Skeleton lines={6} /> : null}
      {!list.isLoading && list.error === null && list.rows.length === 0 ? (
        <Empty title="Nothing has happened yet">
          Events appear here as soon as they are stored.
        </Empty>
      ) : null}
      {list.newRows.length === 0 ? null : (
        <p style="text-align:center">
          <Button small onClick={list.showNew}>
            {list.newRows.length} new
          </Button>
        </p>
      )}
      <ol class="timeline">
        {list.rows.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ol>
      {list.hasMore ? (
        <Button small onClick={list.loadMore} refusal={list.isLoading ? 'Loading …' : null}>
          Show older
        </Button>
      ) : null}
    </Card>
  );
};

const Item = ({ item }: { item: TimelineItem }): JSX.Element => (
  <li>
    <details>
      <summary style="cursor:pointer">
        <strong>{titleOf(item.type)}</strong>{' '}
        {item.reason === null ? null : (
          <span class="muted">{item.reason.replaceAll('_', ' ')}</span>
        )}
        <span class="muted small" style="display:block">
          <Time at={item.created_at} />
          {item.actor === null ? null : ` · by ${item.actor}`} · #{item.sequence}
        </span>
      </summary>
      <div class="stack" style="margin-top:8px">
        <Json label={`Data of ${item.type}`} value={item.data} />
        <a href={tenantPath(`/events/${item.id}`)}>Open the event and its deliveries</a>
      </div>
    </details>
  </li>
);

/** `payment.succeeded` as "Payment succeeded". */
const titleOf = (type: string): string => {
  const text = type.replace('.', ' ').replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
};
