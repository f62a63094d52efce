import type { Delivery, EventDelivery } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { useName } from '../../api/names';
import { service } from '../../api/service';
import { Button, Code, LoadedValue, Skeleton } from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { ReceiverAnswer } from './receiver-answer';

/** The reasons why no attempt can be made, by the status of a delivery. */
export const NO_ATTEMPT: Readonly<Partial<Record<EventDelivery['status'], string>>> = {
  filtered: 'The filter of the destination leaves this type of event out.',
  before_destination: 'The destination is younger than the event. A replay can send it.',
  destination_disabled:
    'The destination was disabled. Enable it first; a replay sends what it missed.',
  log_expired: 'The delivery log ends after 30 days. A replay can send the event again.',
};

/** The time between two looks for the result of an attempt, in ms. */
const RESULT_POLL_MS = 1_000;

/** The button that opens the dialog below. It is missing if the service would refuse an attempt. */
export const DeliverAgainButton = ({
  delivery: { destination_id: id, destination_status: where, status },
  onClick,
}: {
  delivery: EventDelivery;
  onClick: () => void;
}): JSX.Element | null => {
  const name = useName('destinations', id);
  return NO_ATTEMPT[status] !== undefined || where === 'deleted' ? null : (
    <Button small aria-label={`Deliver again to ${name}`} onClick={onClick}>
      Deliver again …
    </Button>
  );
};

/** Makes one more attempt after a confirmation, and shows what the receiver answered. */
export const DeliverAgainDialog = ({
  delivery: { destination_id: destinationId, event_id: eventId },
  onClose,
}: {
  delivery: EventDelivery;
  onClose: () => void;
}): JSX.Element => {
  const name = useName('destinations', destinationId);
  const [asked, setAsked] = useState<Delivery | null>(null);
  const submit = async (): Promise<void> => {
    setAsked(await service().deliveries.retry(destinationId, eventId));
  };
  return (
    <Dialog title={`Deliver again to ${name}`} open onClose={onClose}>
      {asked === null ? (
        <Form action="Deliver again" onSubmit={submit} onCancel={onClose}>
          <p>
            One attempt is made now, and the schedule stays as it is. The receiver recognises the
            repeat by the event id.
          </p>
        </Form>
      ) : (
        <Result asked={asked} />
      )}
    </Dialog>
  );
};

/** Waits for the attempt that was asked for, and shows how it ended. */
const Result = ({
  asked: { destination_id: destinationId, event_id: eventId, attempt_count: attemptsBefore },
}: {
  asked: Delivery;
}): JSX.Element => {
  const { state, reload } = useLoaded(
    `${destinationId}/${eventId}`,
    (signal) => service().deliveries.get(destinationId, eventId, { signal }),
    RESULT_POLL_MS,
  );
  return (
    <div class="stack" aria-live="polite">
      <LoadedValue state={state} retry={reload} lines={2}>
        {({ attempts }) => {
          const attempt = attempts[attemptsBefore];
          if (attempt === undefined) {
            return (
              <>
                <p class="muted">
                  Waiting for the response. The attempt goes on if you close this window.
                </p>
                <Skeleton lines={1} />
              </>
            );
          }
          return (
            <>
              <ReceiverAnswer answer={attempt} />
              {attempt.response_body === null || attempt.response_body === '' ? null : (
                <Code label="Response of the receiver" text={attempt.response_body} />
              )}
            </>
          );
        }}
      </LoadedValue>
    </div>
  );
};
