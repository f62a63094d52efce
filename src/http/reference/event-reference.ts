import type { Node } from './openapi-node';

export const PRIVACY_MODES = ['full', 'hashed_only', 'minimal'] as const;
export type PrivacyMode = (typeof PRIVACY_MODES)[number];

/** The facts about one event type in the reference. */
export interface EventTypeFacts {
  readonly type: string;
  /** The situation in which the event occurs, in a sentence or more. */
  readonly when: string;
  /** The schema of its `data`, as the catalogue of events shows it. */
  readonly schema: Node;
  /** An envelope as a destination of each privacy mode receives it. */
  readonly examples: Readonly<Record<PrivacyMode, Node>>;
}

/** All event types that a destination can receive. The application provides them. */
export class EventReference {
  constructor(readonly types: readonly EventTypeFacts[]) {}
}
