import { DomainError } from '../../kernel/errors';
import {
  DESTINATION_TYPES,
  type DestinationTarget,
  type DestinationType,
  isRequired,
  findKind,
  readKindSettings,
} from '../../domain/destinations/destination-kinds';
import type {
  DestinationSettings,
  KnownDestination,
} from '../../domain/destinations/destination.decider';
import type { KindFields, RegisterDestinationBody, SettingsFields } from './destination.dto';

/** Returns the settings that a registration asks for, with the defaults filled in. */
export const toSettings = (body: RegisterDestinationBody): DestinationSettings => {
  const { type } = body;
  refuseFieldsOfOtherType(type, body);
  return {
    target: toTarget(type, body),
    event_types: readEventTypes(type, body.event_types),
    pii_mode: body.pii_mode ?? 'full',
    schema_version: body.schema_version ?? null,
    description: body.description ?? null,
    max_in_flight: body.max_in_flight ?? 50,
    rate_limit_per_second: body.rate_limit_per_second ?? null,
    ordering: body.ordering ?? 'relaxed',
    trace_headers: body.trace_headers ?? 'on',
  };
};

/** Returns the settings that a change asks for. Missing fields stay unchanged. */
export const toChanges = (
  { type, target }: KnownDestination,
  body: SettingsFields,
): Partial<DestinationSettings> => {
  refuseFieldsOfOtherType(type, body);
  const own = selectOwnFields(type, body);
  return {
    ...(Object.keys(own).length === 0 ? {} : { target: { ...target, ...own } }),
    ...(body.event_types === undefined
      ? {}
      : { event_types: readEventTypes(type, body.event_types) }),
    ...(body.pii_mode === undefined ? {} : { pii_mode: body.pii_mode }),
    ...(body.schema_version === undefined ? {} : { schema_version: body.schema_version }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.max_in_flight === undefined ? {} : { max_in_flight: body.max_in_flight }),
    ...(body.rate_limit_per_second === undefined
      ? {}
      : { rate_limit_per_second: body.rate_limit_per_second }),
    ...(body.ordering === undefined ? {} : { ordering: body.ordering }),
    ...(body.trace_headers === undefined ? {} : { trace_headers: body.trace_headers }),
  };
};

const toTarget = (type: DestinationType, body: KindFields): DestinationTarget => {
  const own = selectOwnFields(type, body);
  for (const name of readKindSettings(type)) {
    if (isRequired(type, name) && !(name in own))
      throw new DomainError('parameter_missing', `${name} is required.`, { param: name });
  }
  return { type, ...findKind(type).defaults, ...own } as DestinationTarget;
};

/** Returns the given fields that only this kind of destination has. */
const selectOwnFields = (
  type: DestinationType,
  body: KindFields,
): Readonly<Record<string, unknown>> => {
  const { properties } = findKind(type).ownSettings;
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.filter(([name]) => name in properties));
};

/**
 * Removes duplicates. Without a list, a destination gets every type that its kind can deliver
 * (D-42).
 */
const readEventTypes = (
  type: DestinationType,
  eventTypes: readonly string[] | null | undefined,
): string[] | null => {
  const { deliverableTypes } = findKind(type);
  if (eventTypes == null) return deliverableTypes === null ? null : [...deliverableTypes];
  return [...new Set(eventTypes)];
};

const refuseFieldsOfOtherType = (type: DestinationType, body: KindFields): void => {
  const own = readKindSettings(type);
  const known = DESTINATION_TYPES.flatMap(readKindSettings);
  const param = known.find((name) => !own.includes(name) && body[name] !== undefined);
  if (param === undefined) return;
  throw new DomainError('parameter_invalid', `A destination of type ${type} has no ${param}.`, {
    param,
  });
};
