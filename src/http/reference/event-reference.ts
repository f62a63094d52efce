import type { Node } from './openapi-node';

export const PRIVACY_MODES = ['full', 'hashed_only', 'minimal'] as const;
export type PrivacyMode = (typeof PRIVACY_MODES)[number];

/** What the reference says of one event type. */
export interface EventTypeFacts {
  readonly type: string;
  /** When it happens, in a sentence or more. */
  readonly when: string;
  /** The schema of its `data`, as the catalogue of events has it. */
  readonly schema: Node;
  /** An envelope as a destination of each privacy mode receives it. */
  readonly examples: Readonly<Record<PrivacyMode, Node>>;
}

/** Every event type that a destination can receive. The application provides it. */
export class EventReference {
  constructor(readonly types: readonly EventTypeFacts[]) {}
}
