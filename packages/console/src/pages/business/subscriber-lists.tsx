import type { Credit, Payment, Subscription, Ticket } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useNames } from '../../api/names';
import { useState } from 'preact/hooks';
import { useList } from '../../api/load';
import { createLoader, service } from '../../api/service';
import { may } from '../../api/session';
import { Button, Card, Copyable, Empty, Money, Status, Time } from '../../ui/basics';
import { createTenantPath } from '../../ui/page';
import { type Column, ListTable, Table } from '../../ui/table';
import { RefundDialog } from './refund';

/** True if nothing is charged any more, so that the state of the payment says nothing. */
export const hasEnded = (status: Subscription['status']): boolean =>
  status === 'cancelled' || status === 'lapsed';

export const SubscriptionList = ({
  subscriptions,
}: {
  subscriptions: readonly Subscription[];
}): JSX.Element => {
  const findPlanName = useNames('plans');
  return (
    <Card flush>
      {subscriptions.length === 0 ? (
        <Empty title="No subscription">
          Your backend starts one with <code>POST /v1/subscriptions</code>. If the first payment is
          declined, nothing is created: the response 402 says why. Ask for another payment method
          and start again.
        </Empty>
      ) : (
        <Table
          label="Subscriptions"
          rows={subscriptions}
          getId={({ id }) => id}
          columns={[
            { title: 'Plan', cell: ({ plan }) => <strong>{findPlanName(plan)}</strong> },
            {
              title: 'Status',
              cell: ({ status, pauses_at: pauses, resumes_at: resumes }) => (
                <>
                  <Status value={status} />
                  {pauses === null ? null : (
                    <div class="small muted">
                      pauses <Time at={pauses} />
                    </div>
                  )}
                  {resumes === null ? null : (
                    <div class="small muted">
                      resumes <Time at={resumes} />
                    </div>
                  )}
                </>
              ),
            },
            {
              title: 'Payment',
              cell: ({ status, payment_state: state }) =>
                state !== 'ok' ? (
                  <Status value={state} />
                ) : (
                  <span class="muted">{hasEnded(status) ? '–' : 'ok'}</span>
                ),
            },
            { title: 'Period ends', cell: (row) => <Time at={row.current_period_end} /> },
            {
              title: 'Ends',
              cell: (row) => <Time at={row.cancelled_at ?? row.lapsed_at ?? row.cancel_at} />,
            },
            { title: 'Id', cell: ({ id }) => <Copyable text={id} /> },
          ]}
        />
      )}
    </Card>
  );
};

/** The state of a payment. An open one whose last try failed says whether it is tried again. */
const PaymentStatus = ({ status, failure, next_attempt_at: next }: Payment): JSX.Element =>
  status !== 'pending' || failure === null ? (
    <Status value={status} />
  ) : next === null ? (
    <Status value="declined" tone="bad" />
  ) : (
    <Status value="retrying" tone="warn" />
  );

export const PaymentList = ({ subscriberId }: { subscriberId: string }): JSX.Element => {
  const [refunded, setRefunded] = useState<Payment | null>(null);
  const list = useList<Payment>({
    key: subscriberId,
    getId: ({ id }) => id,
    load: createLoader((page, options) =>
      service().payments.list({ subscriber_id: subscriberId, ...page }, options),
    ),
  });
  return (
    <Card flush>
      <ListTable
        label="Payments"
        list={list}
        getId={({ id }) => id}
        empty={
          <Empty title="No payments" isGood>
            The first charge will be shown here, unless it is declined: then nothing is kept, and
            the reason is in the response 402 that your backend got.
          </Empty>
        }
        columns={[
          {
            title: 'Amount',
            cell: ({ id, amount, amount_refunded: refund, currency }) => (
              <>
                <strong>
                  <Money amount={amount} currency={currency} />
                </strong>
                {refund === 0 ? null : (
                  <span class="small muted">
                    {' '}
                    <Money amount={refund} currency={currency} /> refunded
                  </span>
                )}
                <div class="small muted">
                  <Copyable text={id} />
                </div>
              </>
            ),
          },
          {
            title: 'Status',
            cell: (row) => (
              <>
                <PaymentStatus {...row} />
                {row.failure === null ? null : (
                  <div class="cell small muted" title={row.failure.message ?? ''}>
                    {row.failure.message}
                  </div>
                )}
              </>
            ),
          },
          {
            title: 'For',
            cell: ({ reason, created_at: at }) => (
              <>
                {reason.replaceAll('_', ' ')}
                <div class="small muted">
                  <Time at={at} />
                </div>
              </>
            ),
          },
          {
            title: 'Tries',
            cell: ({ attempt_count: tries, next_attempt_at: next, grace_ends_at: end }) => (
              <>
                {tries}
                {(next ?? end) === null ? null : (
                  <div class="small muted">
                    {next === null ? 'lapses' : 'next'} <Time at={next ?? end} />
                  </div>
                )}
              </>
            ),
          },
          {
            title: '',
            cell: (row) =>
              row.status === 'succeeded' &&
              row.amount_refunded < row.amount &&
              may('refunds.create') ? (
                <Button
                  small
                  onClick={() => {
                    setRefunded(row);
                  }}
                >
                  Refund
                </Button>
              ) : null,
          },
        ]}
      />
      {refunded === null ? null : (
        <RefundDialog
          payment={refunded}
          onClose={() => {
            setRefunded(null);
            list.reload();
          }}
        />
      )}
    </Card>
  );
};

export const TicketList = ({ subscriberId }: { subscriberId: string }): JSX.Element => {
  const list = useList<Ticket>({
    key: subscriberId,
    getId: ({ id }) => id,
    load: createLoader((page, options) =>
      service().tickets.list({ subscriber_id: subscriberId, ...page }, options),
    ),
  });
  return (
    <Card flush>
      <ListTable
        label="Tickets"
        list={list}
        getId={({ id }) => id}
        empty={
          <Empty title="No tickets" isGood>
            This subscriber has never asked for help.
          </Empty>
        }
        columns={[
          {
            title: 'Ticket',
            cell: ({ id, subject, topic }) => (
              <a class="cell" href={createTenantPath(`/tickets/${id}`)}>
                {subject ?? topic.replaceAll('_', ' ')}
              </a>
            ),
          },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Topic', cell: ({ topic }) => topic.replaceAll('_', ' ') },
          { title: 'Submitted', cell: (row) => <Time at={row.created_at} /> },
        ]}
      />
    </Card>
  );
};

/** The note of a credit. The column is left out if no credit has one. */
const NOTE: Column<Credit> = { title: 'Note', wrap: true, cell: ({ note }) => note };

export const CreditList = ({ subscriberId }: { subscriberId: string }): JSX.Element => {
  const list = useList<Credit>({
    key: subscriberId,
    getId: ({ id }) => id,
    load: createLoader((page, options) => service().credits.list(subscriberId, page, options)),
  });
  return (
    <Card flush>
      <ListTable
        label="Credits"
        list={list}
        getId={({ id }) => id}
        empty={
          <Empty title="No credits" isGood>
            Credits pay before any charge.
          </Empty>
        }
        columns={[
          {
            title: 'Left',
            cell: ({ remaining, currency }) => (
              <strong>
                <Money amount={remaining} currency={currency} />
              </strong>
            ),
          },
          {
            title: 'Granted',
            numeric: true,
            cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          ...(list.rows.some(({ note }) => note != null) ? [NOTE] : []),
          { title: 'Category', cell: ({ category }) => category },
          { title: 'Expires', cell: (row) => <Time at={row.expires_at} /> },
          { title: 'Created', cell: (row) => <Time at={row.created_at} /> },
        ]}
      />
    </Card>
  );
};
