import { randomInt } from 'node:crypto';
import { describeStoreCrashes } from './store-crashes';

/** `STORE_CRASH_SEED` repeats a run, and `STORE_CRASH_CYCLES` sets the number of its cycles. */
describeStoreCrashes({
  cycles: Number(process.env['STORE_CRASH_CYCLES'] ?? 300),
  seed: Number(process.env['STORE_CRASH_SEED'] ?? randomInt(2 ** 32)),
});
