import type { JSX } from 'preact';
import { callOperator, createPagePath } from '../../api/calls';
import { Page } from '../../ui/page';
import { may } from '../../api/session';
import { type SessionCalls, SessionTable } from '../team/sessions';

const loadPage: SessionCalls['loadPage'] = (cursor, signal) =>
  callOperator(createPagePath('/sessions', {}, cursor), { signal });

const end = (id: string): Promise<unknown> => callOperator(`/sessions/${id}`, { method: 'DELETE' });

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
    <SessionTable
      calls={{
        loadPage,
        end: may('operator.sessions.end') ? end : null,
      }}
      empty="No operator is signed in."
    />
  </Page>
);
