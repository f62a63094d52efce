import { deliverableEvents } from '../src/domain/subscriber-stream/subscriber.aggregate';
import { EventCatalogue } from '../src/event-store/catalogue';
import { createEventReference } from '../src/features/fixtures/event-reference';
import { PRIVACY_MODES } from '../src/http/reference/event-reference';

// The console is compiled with other settings, so its types are not read here.
const { renderInMode } = jest.requireActual<{
  renderInMode: (event: unknown, mode: string, schema: unknown) => unknown;
}>('../packages/console/src/pages/developer/event-modes');

const { types } = createEventReference(new EventCatalogue([deliverableEvents]));

/** The console renders the modes itself, because a preview needs a destination. */
describe('the event page of the console', () => {
  it.each(PRIVACY_MODES)('shows each event in the mode %s as a destination receives it', (mode) => {
    expect(types.length).toBeGreaterThan(40);
    for (const { type, schema, examples } of types) {
      const shown = renderInMode(examples.full, mode, schema);
      expect({ type, shown }).toEqual({ type, shown: examples[mode] });
    }
  });
});
