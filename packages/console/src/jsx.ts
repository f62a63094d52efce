/** What JSX becomes; the build imports it wherever JSX is used. */
export { Fragment, h } from 'preact';
