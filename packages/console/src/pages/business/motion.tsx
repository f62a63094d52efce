import type { Motion, MotionPerformance, MotionRun } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useLastPart } from '../../ui/address';
import { useList, useLoaded } from '../../api/load';
import { useNames } from '../../api/names';
import { createLoader, service } from '../../api/service';
import { may } from '../../api/session';
import {
  Button,
  Card,
  Copyable,
  Empty,
  Facts,
  Stat,
  Status,
  Time,
  useAction,
  Waiting,
} from '../../ui/basics';
import { formatDay, formatMoney, formatNumber, formatPoints, formatShare } from '../../ui/format';
import { Page, createTenantPath } from '../../ui/page';
import { Plot } from '../../ui/plot';
import { ListTable } from '../../ui/table';
import { SubscriberLink } from '../links';
import { listOfferFacts } from './motion-offer';

/** The page of a motion: its funnel, its lift over the holdout, and its runs. */
export const MotionPage = (): JSX.Element => {
  const id = useLastPart();
  const { state, reload } = useLoaded(
    id,
    async (signal) => {
      const [motion, performance] = await Promise.all([
        service().motions.get(id, { signal }),
        may('motions.performance')
          ? service().motions.performance(id, { window: 'last_90d' }, { signal })
          : null,
      ]);
      return { motion, performance };
    },
    15_000,
  );
  const motion = state.kind === 'ready' ? state.value.motion : null;
  return (
    <Page
      title={motion?.name ?? 'Motion'}
      crumbs={[['Motions', createTenantPath('/motions')]]}
      about={motion?.description ?? undefined}
      badge={motion === null ? null : <Status value={motion.status} />}
      actions={motion === null ? null : <MotionActions motion={motion} onDone={reload} />}
      call={{
        method: 'GET',
        path: `/v1/motions/${id}/performance?window=last_90d`,
        sdk: `const performance = await service.motions.performance('${id}', { window: 'last_90d' });`,
      }}
    >
      <Waiting state={state} retry={reload} lines={8} />
      {state.kind === 'ready' ? (
        <>
          {state.value.performance === null ? null : (
            <Performance motion={state.value.motion} performance={state.value.performance} />
          )}
          <Definition motion={state.value.motion} />
          <Runs motionId={id} />
        </>
      ) : null}
    </Page>
  );
};

const MotionActions = ({
  motion,
  onDone,
}: {
  motion: Motion;
  onDone: () => void;
}): JSX.Element | null => {
  const activate = useAction(async () => {
    await service().motions.activate(motion.id);
    onDone();
  });
  const pause = useAction(async () => {
    await service().motions.pause(motion.id);
    onDone();
  });
  if (!may('motions.activate')) return null;
  if (motion.status === 'active') return <Button onClick={pause.run}>Pause</Button>;
  if (motion.status === 'archived') return null;
  return (
    <Button kind="primary" onClick={activate.run}>
      Activate
    </Button>
  );
};

const FUNNEL = ['triggered', 'presented', 'accepted', 'applied'] as const;
const OTHER_STATES = ['declined', 'expired', 'failed', 'suppressed'] as const;

const explainLift = (motion: Motion, { counts, lift }: MotionPerformance): string => {
  if (lift === null && motion.holdout_percent === 0) return 'The motion has no holdout.';
  const groups = `${formatNumber(counts.triggered)} triggered, ${formatNumber(counts.suppressed)} held out`;
  return lift === null ? `Both groups are needed: ${groups}` : `who stayed: ${groups}`;
};

const Performance = ({
  motion,
  performance,
}: {
  motion: Motion;
  performance: MotionPerformance;
}): JSX.Element => {
  const { counts, currency } = performance;
  const most = Math.max(1, counts.triggered);
  const plot = useMemo(
    () => ({
      times: performance.points.map(({ timestamp }) => timestamp),
      series: [
        {
          label: 'Triggered',
          token: '--plot-7',
          values: performance.points.map((point) => point.counts.triggered),
        },
        {
          label: 'Accepted',
          token: '--accent',
          values: performance.points.map((point) => point.counts.accepted),
        },
      ],
    }),
    [performance],
  );
  return (
    <>
      <div class="grid-4">
        <Stat
          label="Accepted"
          value={counts.presented === 0 ? '–' : formatShare(performance.acceptance_rate)}
          note={`of ${formatNumber(counts.presented)} presented`}
        />
        <Stat
          label="Saved after 30 days"
          value={counts.accepted === 0 ? '–' : formatShare(performance.save_rate)}
          note={`of ${formatNumber(counts.accepted)} accepted${performance.maturing ? ', not final' : ''}`}
        />
        <Stat
          label="Revenue kept"
          value={formatMoney(performance.retained_revenue, currency)}
          note={`${formatMoney(performance.offer_cost, currency)} offered`}
        />
        <Stat
          label="Lift"
          value={
            performance.lift === null ? (
              <span class="words">Not enough data</span>
            ) : (
              formatPoints(performance.lift)
            )
          }
          note={explainLift(motion, performance)}
        />
      </div>
      <div class="grid-2">
        <Card title="Funnel, last 90 days">
          <ol class="stack">
            {FUNNEL.map((step) => (
              <li>
                <div class="row spread">
                  <span>{step}</span>
                  <strong>{formatNumber(counts[step])}</strong>
                </div>
                <div class="progress">
                  <span style={`width:${(counts[step] / most) * 100}%`} />
                </div>
              </li>
            ))}
          </ol>
          <p class="small muted">
            {OTHER_STATES.map((step) => `${step} ${formatNumber(counts[step])}`).join(' · ')}
          </p>
        </Card>
        <Card title="By day">
          <Plot
            label="Triggered and accepted runs by day"
            times={plot.times}
            series={plot.series}
            format={(value) => formatNumber(Math.round(value))}
            formatTime={formatDay}
            isCount
            height={200}
          />
        </Card>
      </div>
    </>
  );
};

const Definition = ({ motion }: { motion: Motion }): JSX.Element => {
  const findName = useNames('cohorts');
  const findPlanName = useNames('plans');
  return (
    <div class="grid-2">
      <Card title="What it is">
        <Facts
          items={[
            ['Kind', motion.kind.replaceAll('_', ' ')],
            [
              'Triggered',
              motion.trigger_mode === 'manual' ? 'by your backend' : 'on entering a cohort',
            ],
            [
              'Cohorts',
              motion.cohort_ids.length === 0 ? (
                'every subscriber'
              ) : (
                <span class="row">
                  {motion.cohort_ids.map((cohortId) => (
                    <a href={createTenantPath(`/cohorts/${cohortId}`)}>{findName(cohortId)}</a>
                  ))}
                </span>
              ),
            ],
            ['Holdout', formatShare(motion.holdout_percent / 100)],
            ['Offer valid', `${motion.offer_valid_hours} h`],
            ['Revenue counts', `${motion.attribution_days} days after acceptance`],
            ['Id', <Copyable text={motion.id} />],
          ]}
        />
      </Card>
      <Card title="Offer">
        {motion.offer === null ? (
          <p class="muted">Nothing is offered; the motion only tells.</p>
        ) : (
          <Facts items={listOfferFacts(motion.offer, findPlanName)} />
        )}
      </Card>
    </div>
  );
};

const Runs = ({ motionId }: { motionId: string }): JSX.Element => {
  const list = useList<MotionRun>({
    key: motionId,
    getId: ({ id }) => id,
    load: createLoader((page, options) => service().motions.listRuns(motionId, page, options)),
  });
  return (
    <Card title="Runs" flush>
      <ListTable
        label="Runs"
        list={list}
        getId={({ id }) => id}
        empty={
          <Empty title="No runs yet">
            A run begins when the motion is triggered: by your backend with{' '}
            <code>POST /v1/motions/{'{id}'}/trigger</code>, by your support on the page of a
            subscriber, or on entering a cohort.
          </Empty>
        }
        columns={[
          {
            title: 'Subscriber',
            cell: (row) => <SubscriberLink id={row.subscriber_id} />,
          },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          {
            title: 'Reason',
            // Only those who are held out are suppressed. Other reasons are texts of people.
            cell: ({ status, reason }) =>
              status === 'suppressed' ? 'held out' : (reason ?? <span class="muted">–</span>),
          },
          { title: 'Began', cell: (row) => <Time at={row.created_at} /> },
          { title: 'Ended', cell: (row) => <Time at={row.ended_at} /> },
        ]}
      />
    </Card>
  );
};
