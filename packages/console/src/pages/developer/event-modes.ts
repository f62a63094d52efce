import type { PrivacyMode, ServiceEvent } from '@subscription-event-service/sdk';

/**
 * An example of an event in a privacy mode. The exact bytes come from a preview of a destination;
 * this one needs no destination yet, so it shows the envelope and leaves personal texts out roughly.
 */
export const eventInMode = (event: ServiceEvent, mode: PrivacyMode): unknown => {
  switch (mode) {
    case 'full':
      return event;
    case 'hashed_only': {
      const { email: _email, ...subscriber } = event.subscriber as {
        readonly id: string;
        readonly email?: string | null;
      };
      return { ...event, subscriber };
    }
    case 'minimal':
      return {
        id: event.id,
        type: event.type,
        created_at: event.created_at,
        subscriber: { id: event.subscriber.id },
        ...(event.subscription == null ? {} : { subscription: { id: event.subscription.id } }),
      };
  }
};
