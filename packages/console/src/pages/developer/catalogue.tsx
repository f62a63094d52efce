import type { EventType } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { firstPage, service } from '../../api/service';
import { may, place } from '../../api/session';
import { Button, Card, Empty, Failure, Json, Skeleton, useAction } from '../../ui/basics';
import { Page } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { showToast } from '../../ui/toast';

/** Every type of event with its schema; in a test environment each can be sent now. */
export const Catalogue = (): JSX.Element => {
  const { query, set } = useQuery();
  const [text, setText] = useState('');
  const { state, reload } = useLoaded('event-types', (signal) =>
    firstPage(service().eventTypes.list({ signal })),
  );
  const types = state.kind === 'ready' ? state.value.data : [];
  const shown = types.filter(({ type }) => type.includes(text.trim()));
  const open = types.find(({ type }) => type === query['type']) ?? shown[0];
  return (
    <Page
      title="Event catalogue"
      about={
        <>
          Every type of event with its schema. The public page with examples in each privacy mode is
          at <a href="/docs/events">/docs/events</a>.
        </>
      }
      call={{
        method: 'GET',
        path: '/v1/event_types',
        sdk: 'for await (const { type, schema } of service.eventTypes.list()) {\n  console.log(type, schema);\n}',
      }}
    >
      {state.kind === 'loading' ? <Skeleton lines={8} /> : null}
      {state.kind === 'failed' ? <Failure error={state.error} retry={reload} /> : null}
      {state.kind === 'ready' ? (
        <div class="grid-2">
          <Card title="Types">
            <div class="stack">
              <input
                type="search"
                aria-label="Search event types"
                placeholder="Search"
                value={text}
                onInput={(event) => {
                  setText(event.currentTarget.value);
                }}
              />
              {shown.length === 0 ? (
                <Empty title="No such type">Try a family, such as payment.</Empty>
              ) : null}
              <ul style="max-height:560px;overflow:auto">
                {shown.map(({ type }) => (
                  <li>
                    <button
                      type="button"
                      class="button quiet"
                      aria-current={type === open?.type ? 'true' : undefined}
                      onClick={() => {
                        set({ type });
                      }}
                    >
                      {type}
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          </Card>
          {open === undefined ? null : <TypeCard type={open} />}
        </div>
      ) : null}
    </Page>
  );
};

const TypeCard = ({ type }: { type: EventType }): JSX.Element => {
  const send = useAction(async () => {
    const event = await service().testHelpers.createEvent({ type: type.type });
    showToast(`Sent ${event.type} to every destination that asks for it.`);
  });
  const canSend = place.value?.environment === 'test' && may('test_helpers:write');
  return (
    <Card
      title={type.type}
      actions={
        canSend ? (
          <Button small onClick={send.run} refusal={send.isRunning ? 'Sending …' : null}>
            Send one in test
          </Button>
        ) : null
      }
    >
      <div class="stack">
        <p>{descriptionOf(type)}</p>
        <Json label={`JSON Schema of ${type.type}`} value={type.schema} />
        <h3>TypeScript</h3>
        <Json label="TypeScript type" value={`EventTypes['${type.type}']`} />
      </div>
    </Card>
  );
};

const descriptionOf = ({ schema }: EventType): string =>
  typeof schema['description'] === 'string' ? schema['description'] : '';
