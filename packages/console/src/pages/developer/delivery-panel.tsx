import type { DeliveryDetail, DeliveryPreview } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { hasRight, may } from '../../api/session';
import {
  Button,
  Code,
  Facts,
  Json,
  showExactTime,
  Status,
  Time,
  useAction,
  Waiting,
} from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { formatDuration } from '../../ui/format';
import { createTenantPath } from '../../ui/page';
import { showToast } from '../../ui/toast';
import { NextTry } from './next-try';

/** A panel with one delivery: its attempts with the responses, and the exact request. */
export const DeliveryPanel = ({
  destinationId,
  eventId,
  isFailing,
  onClose,
}: {
  destinationId: string;
  eventId: string;
  isFailing: boolean;
  onClose: () => void;
}): JSX.Element => {
  const { state, reload } = useLoaded(
    `${destinationId}/${eventId}`,
    (signal) => service().deliveries.get(destinationId, eventId, { signal }),
    2_000,
  );
  return (
    <Dialog title="Delivery" shape="panel" open onClose={onClose}>
      <Waiting state={state} retry={reload} lines={8} />
      {state.kind === 'ready' ? (
        <Content delivery={state.value} isFailing={isFailing} onDone={reload} />
      ) : null}
    </Dialog>
  );
};

const Content = ({
  delivery,
  isFailing,
  onDone,
}: {
  delivery: DeliveryDetail;
  isFailing: boolean;
  onDone: () => void;
}): JSX.Element => {
  const retry = useAction(async () => {
    await service().deliveries.retry(delivery.destination_id, delivery.event_id);
    showToast('One attempt is made now.');
    onDone();
  });
  return (
    <div class="stack wide">
      <Facts
        items={[
          ['Status', <Status value={delivery.status} />],
          [
            'Event',
            <a href={createTenantPath(`/events/${delivery.event_id}`)}>
              {delivery.event_type} · <code>{delivery.event_id}</code>
            </a>,
          ],
          ['Happened', showExactTime(delivery.created_at)],
          ['Delivered', showExactTime(delivery.delivered_at)],
          [
            'Next try',
            delivery.next_attempt_at === null ? null : (
              <NextTry at={delivery.next_attempt_at} isFailing={isFailing} />
            ),
          ],
        ]}
      />
      {may('deliveries.retry') ? (
        <div class="row">
          <Button onClick={retry.run} refusal={retry.isRunning ? 'Working …' : null}>
            Try once now
          </Button>
        </div>
      ) : null}
      <Attempts delivery={delivery} />
      {may('destinations.preview') ? <Request delivery={delivery} /> : null}
    </div>
  );
};

const Attempts = ({ delivery }: { delivery: DeliveryDetail }): JSX.Element => (
  <section class="stack">
    <h3>Attempts</h3>
    {delivery.attempts.length === 0 ? <p class="muted">There was none yet.</p> : null}
    <ol class="timeline">
      {delivery.attempts.map((attempt) => (
        <li>
          <strong>{attempt.status_code ?? attempt.error}</strong>{' '}
          <span class="muted">
            in {formatDuration(attempt.duration_ms)} · <Time at={attempt.at} exact />
            {attempt.replay_id === null ? '' : ` · ${attempt.replay_id}`}
          </span>
          {attempt.response_body === null || attempt.response_body === '' ? null : (
            <Code label="Response of the receiver" text={attempt.response_body} />
          )}
        </li>
      ))}
    </ol>
  </section>
);

/** Shows the exact headers and body of a preview. They can be copied as cURL. */
const Request = ({ delivery }: { delivery: DeliveryDetail }): JSX.Element => {
  const { state } = useLoaded(`preview/${delivery.event_id}`, async (signal) => {
    const { destination_id: id, event_id: eventId } = delivery;
    const { pii_mode: mode } = await service().destinations.get(id, { signal });
    if (mode === 'full' && !hasRight('pii:read')) return null;
    return service().destinations.preview(id, { event_id: eventId }, { signal });
  });
  return (
    <section class="stack">
      <h3>What is sent</h3>
      <Waiting state={state} lines={4} />
      {state.kind === 'ready' && state.value === null ? (
        <p class="muted">It contains personal data, which your role may not see.</p>
      ) : null}
      {state.kind === 'ready' && state.value !== null ? (
        <>
          <Json label="Envelope" value={parseIfJson(state.value.body)} />
          <details>
            <summary>Headers</summary>
            <Code
              label="Headers"
              text={Object.entries(state.value.headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n')}
            />
          </details>
          <details>
            <summary>As cURL, for your own server</summary>
            <Code label="cURL" text={createCurl(state.value)} />
          </details>
        </>
      ) : null}
    </section>
  );
};

const parseIfJson = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
};

const createCurl = ({ headers, body }: DeliveryPreview): string => {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    'curl http://localhost:8080/webhooks',
    ...Object.entries(headers).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`),
    `  --data-raw ${quote(body)}`,
  ].join(' \\\n');
};
