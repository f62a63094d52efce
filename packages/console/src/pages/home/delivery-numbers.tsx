import type { Destination, MetricSeries } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { inTurn } from '../../api/turns';
import { may } from '../../api/session';
import { Skeleton, Stat } from '../../ui/basics';
import { formatDuration, formatNumber, formatShare } from '../../ui/format';
import { Sparkline } from '../../ui/sparkline';

const NAMES = ['delivery_success', 'delivery_latency_p50', 'delivery_latency_p95'] as const;

/** How deliveries of the last days went, over all destinations. */
export const DeliveryNumbers = ({
  destinations,
}: {
  destinations: readonly Destination[];
}): JSX.Element | null => {
  const { state } = useLoaded('numbers', async (signal) =>
    Promise.all(
      (may('metrics:read') ? NAMES : []).map((name) =>
        inTurn(signal, () =>
          service().metrics.get(name, { window: 'last_30d', granularity: 'day' }, { signal }),
        ),
      ),
    ),
  );
  if (state.kind === 'loading') return <Skeleton lines={3} />;
  const [success, median, p95] = state.kind === 'ready' ? state.value : [];
  if (success === undefined || median === undefined || p95 === undefined) return null;
  const today = success.points.at(-1);
  const active = destinations.filter(({ status }) => status === 'active').length;
  return (
    <div class="grid-4">
      <Stat
        label="Events to deliver today"
        value={formatNumber(today?.sample_size ?? 0)}
        note="since midnight UTC, per destination"
      >
        <Sparkline
          values={success.points.map(({ sample_size: size }) => size)}
          label="Events to deliver on each of 30 days"
        />
      </Stat>
      <Stat label="Delivered within 24 h" value={shareOver(success)} note="of 30 days">
        <Sparkline
          values={success.points.map(({ value }) => value)}
          label="Share that was delivered on each of 30 days"
        />
      </Stat>
      <Stat
        label="Latency p95, last day"
        value={formatDuration((lastOf(p95) ?? 0) * 1000)}
        note={`median ${formatDuration((lastOf(median) ?? 0) * 1000)}`}
      >
        <Sparkline
          values={p95.points.map(({ value }) => value)}
          label="Latency p95 on each of 30 days"
        />
      </Stat>
      <Stat
        label="Destinations"
        value={`${active} of ${destinations.length}`}
        note={active === destinations.length ? 'all are active' : 'are active'}
      />
    </div>
  );
};

const shareOver = ({ points }: MetricSeries): string => {
  const due = points.reduce((sum, point) => sum + point.sample_size, 0);
  const delivered = points.reduce((sum, point) => sum + point.value * point.sample_size, 0);
  return due === 0 ? '–' : formatShare(delivered / due);
};

const lastOf = ({ points }: MetricSeries): number | undefined =>
  points.findLast(({ sample_size: size }) => size > 0)?.value;
