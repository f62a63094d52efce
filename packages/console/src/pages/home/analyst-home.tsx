import type { JSX } from 'preact';
import { Page } from '../../ui/page';
import { findEntry } from '../business/metric-catalogue';
import { readPeriod } from '../business/metric-window';
import { MetricCard } from '../business/metrics';

/** The first page of an analyst: the main metrics of the last 30 days with their changes. */
export const AnalystHome = (): JSX.Element => (
  <Page
    title="Home"
    call={{
      method: 'GET',
      path: '/v1/metrics/mrr?window=last_30d',
      sdk: "const series = await service.metrics.get('mrr', { window: 'last_30d' });",
    }}
  >
    <div class="grid-3">
      {['mrr', 'active_subscribers', 'churn_rate', 'past_due'].map((name) => (
        <MetricCard entry={findEntry(name)} period={readPeriod({})} />
      ))}
    </div>
  </Page>
);
