import type { EventType } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLoaded } from '../../api/load';
import { readFirstPage, service } from '../../api/service';
import { may } from '../../api/session';
import { Button, Card, Code, Json, Prose, useAction, Waiting } from '../../ui/basics';
import { Page } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { Table } from '../../ui/table';
import { showToast } from '../../ui/toast';
import { EventInMode } from './event-in-mode';
import { ModeSwitch, useMode } from './mode-switch';
import { type JsonSchema, nameType, writeType } from './schema-as-type';

/**
 * The catalogue of event types with their schemas. In a test environment, each event can be sent
 * from here.
 */
export const Catalogue = (): JSX.Element => {
  const { query, set } = useQuery();
  const text = query['q'] ?? '';
  const { state, reload } = useLoaded('event-types', (signal) =>
    readFirstPage(service().eventTypes.list({}, { signal })),
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
      <Waiting state={state} retry={reload} lines={8} />
      {state.kind === 'ready' ? (
        <div class="with-list">
          <Card>
            <div class="stack">
              <input
                type="search"
                aria-label="Search event types"
                placeholder="Search"
                value={text}
                onInput={(event) => {
                  set({ q: event.currentTarget.value });
                }}
              />
              <TypeList
                types={shown}
                open={open}
                onOpen={(type) => {
                  set({ type });
                }}
              />
            </div>
          </Card>
          {open === undefined ? null : <TypeCard key={open.type} type={open} />}
        </div>
      ) : null}
    </Page>
  );
};

const TypeList = ({
  types,
  open,
  onOpen,
}: {
  types: readonly EventType[];
  open: EventType | undefined;
  onOpen: (type: string) => void;
}): JSX.Element => {
  if (types.length === 0) return <p class="muted">No such type. Try a family, such as payment.</p>;
  const families = [...new Set(types.map(({ family }) => family))];
  return (
    <div class="pick-list" tabIndex={0} role="region" aria-label="Types">
      {families.map((family) => (
        <div>
          <h2>{family}</h2>
          <ul>
            {types
              .filter((each) => each.family === family)
              .map(({ type }) => (
                <li>
                  <button
                    type="button"
                    aria-current={type === open?.type ? 'true' : undefined}
                    onClick={() => {
                      onOpen(type);
                    }}
                  >
                    {type}
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
};

const TypeCard = ({ type }: { type: EventType }): JSX.Element => {
  const send = useAction(async () => {
    const event = await service().testHelpers.createEvent({ type: type.type });
    showToast(`Sent ${event.type} to every destination that asks for it.`);
  });
  const canSend = may('testHelpers.createEvent');
  const schema = type.schema as JsonSchema;
  return (
    <div class="stack wide">
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
        <p>
          <Prose text={type.description} />
        </p>
      </Card>
      <Card title="Fields of data" flush>
        <Table
          label="Fields"
          rows={Object.entries(schema.properties ?? {})}
          getId={([name]) => name}
          columns={[
            { title: 'Field', cell: ([name]) => <code>{name}</code> },
            {
              title: 'Type',
              wrap: true,
              cell: ([name, field]) => (
                <>
                  <code>{writeShortType(field)}</code>
                  {schema.required?.includes(name) === true ? null : (
                    <span class="muted"> may be missing</span>
                  )}
                  {field.pii === undefined ? null : <span class="tag">personal</span>}
                  {field.description === undefined ? null : (
                    <span class="muted block">
                      <Prose text={field.description} />
                    </span>
                  )}
                </>
              ),
            },
          ]}
        />
      </Card>
      {may('events.list') ? <Example type={type.type} /> : null}
      <Card title="TypeScript">
        <Code
          label={`TypeScript type of ${type.type}`}
          text={`interface ${nameType(type.type)}Data ${writeType(schema)}`}
        />
      </Card>
      <Card title="JSON Schema">
        <Json label={`JSON Schema of ${type.type}`} value={type.schema} />
      </Card>
    </div>
  );
};

/** Nested objects are left out of the table. The TypeScript type below contains them. */
const writeShortType = (field: JsonSchema): string =>
  writeType(field).replaceAll(/\{[^]*\}/g, '{ … }');

/** Shows the latest event of the type in this environment, in each privacy mode. */
const Example = ({ type }: { type: string }): JSX.Element => {
  const { mode, setMode } = useMode();
  const { state, reload } = useLoaded(`example/${type}`, (signal) =>
    readFirstPage(service().events.list({ event_types: [type], limit: 1 }, { signal })),
  );
  const event = state.kind === 'ready' ? state.value.data[0] : undefined;
  return (
    <Card title="Latest of this type" actions={<ModeSwitch mode={mode} onMode={setMode} />}>
      <Waiting state={state} retry={reload} lines={4} />
      {state.kind === 'ready' && event === undefined ? (
        <p class="muted">
          None happened here yet. <a href={`/docs/events#${type}`}>The public catalogue</a> has an
          example.
        </p>
      ) : null}
      {event === undefined ? null : <EventInMode event={event} mode={mode} />}
    </Card>
  );
};
