import type { JSX } from 'preact';
import { useLoaded } from '../../api/load';
import { useNameChoices } from '../../api/names';
import { service } from '../../api/service';
import { Card, Empty, LoadedValue } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { formatMonth, formatNumber } from '../../ui/format';
import { useQuery } from '../../ui/query';

const MONTHS = 12;

interface Month {
  readonly month: string;
  readonly subscribers: number;
  readonly kept: readonly number[];
}

/** Shows how many of each month's new subscribers stayed, as a triangle. */
export const RetentionCard = (): JSX.Element => {
  const { query } = useQuery();
  const cohort = query['cohort_id'];
  const { state, reload } = useLoaded(`retention/${cohort ?? ''}`, (signal) =>
    service().metrics.retention(
      { months: MONTHS, ...(cohort === undefined ? {} : { cohort_id: cohort }) },
      { signal },
    ),
  );
  const cohorts = useNameChoices('cohorts');
  return (
    <Card
      title="Retention by month"
      flush
      actions={
        cohorts.length === 0 ? null : (
          <Choice name="cohort_id" title="Everybody" options={cohorts} />
        )
      }
    >
      <LoadedValue state={state} retry={reload} lines={8}>
        {({ data }) => <Triangle months={data.filter(({ subscribers }) => subscribers > 0)} />}
      </LoadedValue>
    </Card>
  );
};

const Triangle = ({ months }: { months: readonly Month[] }): JSX.Element =>
  months.length === 0 ? (
    <Empty title="Nobody has begun in these twelve months">
      The first active subscription of a subscriber begins a row: your backend creates one with{' '}
      <code>POST /v1/subscriptions</code>.
    </Empty>
  ) : (
    <>
      <div class="table-wrap" tabIndex={0} role="region" aria-label="Retention by month">
        <table class="triangle">
          <thead>
            <tr>
              <td colSpan={2} />
              <th scope="colgroup" colSpan={countColumns(months)}>
                Kept after months
              </th>
            </tr>
            <tr>
              <th scope="col">First active</th>
              <th scope="col" class="num">
                Subscribers
              </th>
              {listIndexes(countColumns(months)).map((i) => (
                <th scope="col" class="num">
                  {i}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map((row) => (
              <TriangleRow row={row} columns={countColumns(months)} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="small muted waiting">
        The share that had a subscription at the end of the month in which they began, and of each
        month after it; the last value of a row is the current one. A pause does not count as an
        end, and a subscriber who came back counts as kept. Months are in UTC.
      </p>
    </>
  );

const countColumns = (months: readonly Month[]): number =>
  Math.max(...months.map(({ kept }) => kept.length));

const listIndexes = (length: number): readonly number[] => Array.from({ length }, (_, i) => i);

/** A row has empty cells to the last column, so that its numbers stand below those of other rows. */
const TriangleRow = ({
  row: { month, subscribers, kept },
  columns,
}: {
  row: Month;
  columns: number;
}): JSX.Element => (
  <tr>
    <th scope="row">{formatMonth(`${month}-01`)}</th>
    <td class="num">{formatNumber(subscribers)}</td>
    {kept.map((count) => (
      <td
        class="num"
        style={`--share:${count / subscribers}`}
        title={`${formatNumber(count)} of ${formatNumber(subscribers)}`}
      >
        {Math.round((count / subscribers) * 100)} %
      </td>
    ))}
    {listIndexes(columns - kept.length).map(() => (
      <td />
    ))}
  </tr>
);
