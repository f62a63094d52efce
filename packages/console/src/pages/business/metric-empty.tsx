import type { ComponentChildren, JSX } from 'preact';
import { Empty } from '../../ui/basics';
import { createTenantPath } from '../../ui/page';
import type { MetricEntry } from './metric-catalogue';

/** Shown instead of a plot if nothing was counted: what starts the plot. */
export const EmptyMetric = ({
  entry,
  action,
}: {
  entry: MetricEntry;
  action?: ComponentChildren;
}): JSX.Element => (
  <Empty title="Nothing to draw yet" action={action}>
    {describeStart(entry)}
  </Empty>
);

const describeStart = ({ name, group }: MetricEntry): ComponentChildren => {
  if (name === 'motion_acceptance')
    return (
      <>
        The first run of a <a href={createTenantPath('/motions')}>motion</a> starts this plot.
      </>
    );
  if (group === 'Deliveries')
    return (
      <>
        The first delivery to a <a href={createTenantPath('/destinations')}>destination</a> starts
        this plot.
      </>
    );
  if (group === 'Help')
    return (
      <>
        The first {name === 'credit_outstanding' ? 'credit' : 'ticket'} starts this plot: your
        backend creates one with{' '}
        <code>
          POST /v1/{name === 'credit_outstanding' ? 'subscribers/{id}/credits' : 'tickets'}
        </code>
        .
      </>
    );
  return (
    <>
      The first active subscription starts this plot: your backend creates one with{' '}
      <code>POST /v1/subscriptions</code>.
    </>
  );
};
