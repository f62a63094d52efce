import type { PrivacyMode, ServiceEvent } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLoaded } from '../../api/load';
import { readFirstPage, service } from '../../api/service';
import { Json, LoadedValue } from '../../ui/basics';
import { renderInMode } from './event-modes';
import type { JsonSchema } from './schema-as-type';

/** Shows an event as a receiver in a privacy mode sees it. The schemas mark the personal fields. */
export const EventInMode = ({
  event,
  mode,
}: {
  event: ServiceEvent;
  mode: PrivacyMode;
}): JSX.Element => {
  const { state, reload } = useLoaded('event-types', (signal) =>
    readFirstPage(service().eventTypes.list({}, { signal })),
  );
  return (
    <LoadedValue state={state} retry={reload} lines={8}>
      {({ data }) => {
        const schema = data.find(({ type }) => type === event.type)?.schema ?? {};
        return (
          <Json
            label={`The event in mode ${mode}`}
            value={renderInMode(event, mode, schema as JsonSchema)}
          />
        );
      }}
    </LoadedValue>
  );
};
