import { tearDown } from './shared-services';

export default tearDown;
