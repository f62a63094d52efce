/** The functions that JSX is compiled to. The build imports them in every file with JSX. */
export { Fragment, h } from 'preact';
