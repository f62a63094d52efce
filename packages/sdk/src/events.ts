import type { EventTypes, MinimalEvent } from './generated/schema';

export type EventName = keyof EventTypes;

/** Any event: `type` says which. */
export type ServiceEvent = EventTypes[EventName];

/** The personal data that a destination receives. */
export type PrivacyMode = 'full' | 'hashed_only' | 'minimal';

type WithoutEmail<E extends ServiceEvent> = Omit<E, 'subscriber'> & {
  readonly subscriber: Omit<E['subscriber'], 'email'>;
};

/** An event as a destination of a privacy mode receives it. */
export type EventOf<Mode extends PrivacyMode> = Mode extends 'full'
  ? ServiceEvent
  : Mode extends 'hashed_only'
    ? { [Type in EventName]: WithoutEmail<EventTypes[Type]> }[EventName]
    : MinimalEvent;
