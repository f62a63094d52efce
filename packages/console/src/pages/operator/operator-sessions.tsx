import type { JSX } from 'preact';
import { callOperator } from '../../api/calls';
import { Page } from '../../ui/page';
import { SessionTable } from '../team/sessions';

/** The sessions of operators, who may act for every tenant. */
export const OperatorSessions = (): JSX.Element => (
  <Page
    title="Sessions"
    about="The operators who are signed in to the console. Ending a session signs its browser out at once."
    call={{
      method: 'GET',
      path: '/operator/v1/sessions',
      sdk: "// The operator's API is called over HTTP; the SDK is for tenants.",
    }}
  >
    <SessionTable call={callOperator} empty="No operator is signed in." />
  </Page>
);
