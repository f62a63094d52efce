import type { AnyComponent } from 'preact';

/** A component for a page. It reads its parameters from the address (`useRoute().params`). */
export type PageComponent = AnyComponent;
