import type { AnyComponent } from 'preact';

/** A component for a page. It reads its parameters from the address (`useLastPart`). */
export type PageComponent = AnyComponent;
