import { tearDown } from './set-up';

/** The global tear-down of Jest. */
export default tearDown;
