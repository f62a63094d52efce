import type { AnyComponent } from 'preact';

/** A page of the console; it finds its parameters in the address (`useRoute().params`). */
export type PageComponent = AnyComponent;
