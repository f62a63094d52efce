import type { JSX } from 'preact';
import { Notice, Time } from './basics';

/** Says on the pages of a suspended tenant what this means, and who can end it. */
export const Suspended = ({ at }: { at: string | null | undefined }): JSX.Element | null =>
  at === null || at === undefined ? null : (
    <Notice tone="warn">
      <strong>
        This tenant has been suspended since <Time at={at} exact />.
      </strong>{' '}
      Its team and its API keys can read and change nothing. Renewals, payments and deliveries go
      on, and nothing is lost. Only an operator of the service can resume it, on the page of the
      tenant.
    </Notice>
  );
