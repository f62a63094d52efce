import { type Static, type TObject, Type } from '@sinclair/typebox';
import { nullable } from '../schema/fields';

interface DestinationKind {
  /** The kind as the subject of a sentence. */
  readonly label: string;
  /** The settings that only this kind has. Requests, responses and `DestinationTarget` have them. */
  readonly ownSettings: TObject;
  /**
   * The values of own settings that a registration may leave out. All other own settings are
   * required.
   */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The optional common settings that this kind supports. */
  readonly commonSettings: readonly ('pii_mode' | 'schema_version' | 'trace_headers')[];
  /** The event types that it can deliver; null = every type. */
  readonly deliverableTypes: readonly string[] | null;
  /** True if deliveries are signed, so that a destination has a signing secret. */
  readonly isSigned: boolean;
  readonly isReplayable: boolean;
}

/** The kinds of destinations. Each kind has a channel (`delivery/model/channel.ts`). */
export const DESTINATION_KINDS = {
  https_webhook: {
    label: 'A webhook destination',
    ownSettings: Type.Object({ url: Type.String() }),
    defaults: {},
    commonSettings: ['pii_mode', 'schema_version', 'trace_headers'],
    deliverableTypes: null,
    isSigned: true,
    isReplayable: true,
  },
  /** An e-mail for each event (D-42, D-43). */
  email_fallback: {
    label: 'An e-mail destination',
    ownSettings: Type.Object({
      email: Type.String(),
      reply_to_subscriber: Type.Boolean(),
      /** Template of the subject; null = `[{{data.topic}}] {{data.subject}}`. */
      subject_template: nullable(Type.String()),
    }),
    defaults: { reply_to_subscriber: false, subject_template: null },
    commonSettings: [],
    deliverableTypes: ['ticket.submitted'],
    isSigned: false,
    isReplayable: false,
  },
} as const satisfies Readonly<Record<string, DestinationKind>>;

type Kinds = typeof DESTINATION_KINDS;
export type DestinationType = keyof Kinds;
export const DESTINATION_TYPES = Object.keys(DESTINATION_KINDS) as readonly DestinationType[];

/** The address of a destination of one kind. */
export type TargetOf<Kind extends DestinationType> = { readonly type: Kind } & Readonly<
  Static<Kinds[Kind]['ownSettings']>
>;
export type DestinationTarget = { [Kind in DestinationType]: TargetOf<Kind> }[DestinationType];

/** The name of a setting that only some kinds have. */
export type KindSetting =
  | { [Kind in DestinationType]: keyof Static<Kinds[Kind]['ownSettings']> }[DestinationType]
  | DestinationKind['commonSettings'][number];

export const findKind = (type: DestinationType): DestinationKind => DESTINATION_KINDS[type];

/** Returns the names of the settings that a kind has and others may lack. */
export const readKindSettings = (type: DestinationType): readonly KindSetting[] => {
  const { ownSettings, commonSettings } = findKind(type);
  return [...(Object.keys(ownSettings.properties) as KindSetting[]), ...commonSettings];
};

/** Returns the URL of a target; null for a kind without one. */
export const readUrl = (target: DestinationTarget): string | null =>
  'url' in target ? target.url : null;

/** True if a registration of this kind must state the setting. */
export const isRequired = (type: DestinationType, name: KindSetting): boolean => {
  const { ownSettings, defaults } = findKind(type);
  return name in ownSettings.properties && !(name in defaults);
};

/** The fields in which events store a target. `target` holds the kinds that came later. */
export const storedTargetFields = {
  url: nullable(Type.String()),
  mail: nullable(DESTINATION_KINDS.email_fallback.ownSettings),
  target: Type.Optional(Type.Unsafe<DestinationTarget>({ type: 'object' })),
};
type StoredTarget = Static<TObject<typeof storedTargetFields>>;

/** Returns the fields in which an event stores the target. */
export const toStoredTarget = (target: DestinationTarget): StoredTarget => {
  switch (target.type) {
    case 'https_webhook':
      return { url: target.url, mail: null };
    case 'email_fallback': {
      const { type: _, ...mail } = target;
      return { url: null, mail };
    }
    default:
      return { url: null, mail: null, target };
  }
};

/** Reads the target from the fields of an event. */
export const readStoredTarget = ({
  url,
  mail,
  target,
}: Readonly<Pick<StoredTarget, 'url' | 'mail'>> & {
  readonly target?: DestinationTarget | undefined;
}): DestinationTarget => {
  if (target !== undefined) return target;
  if (mail !== null) return { type: 'email_fallback', ...mail };
  if (url !== null) return { type: 'https_webhook', url };
  throw new Error('a destination event has no target');
};
