import { randomInt } from 'node:crypto';
import { describeStoreCrashes } from './store-crashes';

describeStoreCrashes({ cycles: 5, seed: randomInt(2 ** 32) });
