import type { PrivacyMode, ServiceEvent } from '@subscription-event-service/sdk';
import type { JsonSchema } from './schema-as-type';

/**
 * Returns an event as a receiver in a privacy mode sees it. Unlike a preview, which has the exact
 * bytes, it needs no destination. `schema` is the schema of the event's `data`.
 */
export const renderInMode = (
  event: ServiceEvent,
  mode: PrivacyMode,
  schema: JsonSchema,
): unknown => {
  switch (mode) {
    case 'full':
      return event;
    case 'hashed_only': {
      const { email: _email, ...subscriber } = event.subscriber as {
        readonly id: string;
        readonly email?: string | null;
      };
      return { ...event, subscriber, data: hidePersonal(schema, event.data) };
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

/** Removes e-mail addresses and replaces other personal values by null (D-64). */
const hidePersonal = (schema: JsonSchema, value: unknown): unknown => {
  if (schema.pii !== undefined) return null;
  const shapes = [schema, ...(schema.anyOf ?? [])];
  if (Array.isArray(value)) {
    const items = shapes.find((shape) => shape.items !== undefined)?.items ?? {};
    return value.map((item) => hidePersonal(items, item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const field = shapes.find((shape) => shape.properties?.[name])?.properties?.[name] ?? {};
      return field.pii === 'email' ? [] : [[name, hidePersonal(field, item)]];
    }),
  );
};
