import type { DestinationTest } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { Notice } from '../../ui/basics';
import { formatDuration } from '../../ui/format';

/** Shows what a receiver answered to one attempt, and what to do if it is no success. */
export const ReceiverAnswer = ({
  answer: { status_code: code, duration_ms: ms, error },
}: {
  answer: Pick<DestinationTest, 'status_code' | 'duration_ms' | 'error'>;
}): JSX.Element => {
  if (error !== null) {
    return (
      <Notice tone="bad">
        Your receiver gave no complete response: {error.replaceAll('_', ' ')}. Check the URL and
        that it can be called from the internet, then try again.
      </Notice>
    );
  }
  // E-mails have no HTTP status.
  if (code === null) return <Notice tone="ok">The e-mail was sent.</Notice>;
  const isAccepted = code >= 200 && code < 300;
  return (
    <Notice tone={isAccepted ? 'ok' : 'bad'}>
      Your receiver answered {code} in {formatDuration(ms)}
      {isAccepted ? '.' : ', so the event counts as not delivered. It has to answer 2xx.'}
    </Notice>
  );
};
